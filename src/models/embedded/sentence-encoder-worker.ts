/* The sentence encoder in a module worker, using the protocol of ../runtimes/worker/protocol.ts. */
import wasmMjs from 'onnxruntime-web/ort-wasm-simd-threaded.mjs?url';
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import { EMBEDDER } from '../../engine/embedded-names.ts';
import { serveModel } from '../runtimes/worker/serve-model.ts';
import { createSentenceEncoder, type SentenceEncoder } from './sentence-encoder.ts';

export interface EncoderSpec {
  /** Absolute URL of the model's folder, with a trailing slash. */
  readonly folder: string;
}

serveModel<EncoderSpec>(async ({ folder }) => {
  const { dimensions, window, embed, count } = await load(folder);
  return {
    facts: { name: EMBEDDER, window, estimates: false, dimensions },
    embed,
    count: async (texts) => count(texts),
  };
});

const load = async (folder: string): Promise<SentenceEncoder> => {
  const [model, tokenizer, tokenizerConfig] = await Promise.all([
    fetched(`${folder}onnx/model_int8.onnx`).then(async (response) => new Uint8Array(await response.arrayBuffer())),
    fetched(`${folder}tokenizer.json`).then((response) => response.json() as Promise<object>),
    fetched(`${folder}tokenizer_config.json`).then((response) => response.json() as Promise<object>),
  ]);
  const absolute = (path: string): string => new URL(path, import.meta.url).href;
  return createSentenceEncoder({
    model,
    tokenizer,
    tokenizerConfig,
    wasmPaths: { mjs: absolute(wasmMjs), wasm: absolute(wasm) },
  });
};

const fetched = async (address: string): Promise<Response> => {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return response;
};
