/*
 * The sentence encoder in a module worker.
 *
 *   page ── EncoderRequest {id} ──▶ worker        first `load`, then `embed` and `count`, as many as one likes
 *   page ◀─ EncoderResponse {id} ── worker        exactly one for each request, in the order of the requests
 *
 * After a `failed` the runtime is in no known state: the page terminates this worker and starts another.
 * There is no message to cancel: a request is small (the page splits long ones), and the page just
 * stops asking.
 */
import wasmMjs from 'onnxruntime-web/ort-wasm-simd-threaded.mjs?url';
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import { createSentenceEncoder, type SentenceEncoder } from './sentence-encoder.ts';

export type EncoderRequest = { readonly id: number } & EncoderTask;

export type EncoderTask =
  /** `folder`: absolute address of the model's folder, with a slash at the end. */
  | { readonly kind: 'load'; readonly folder: string }
  | { readonly kind: 'embed'; readonly texts: readonly string[] }
  | { readonly kind: 'count'; readonly texts: readonly string[] };

export type EncoderResponse = { readonly id: number } & EncoderResult;

export type EncoderResult =
  | { readonly kind: 'loaded' }
  /** One vector a text. Their buffers are transferred. */
  | { readonly kind: 'embedded'; readonly vectors: Float32Array<ArrayBuffer>[] }
  | { readonly kind: 'counted'; readonly counts: number[] }
  | { readonly kind: 'failed'; readonly message: string };

let encoder: SentenceEncoder | null = null;
let last: Promise<void> = Promise.resolve();

self.onmessage = ({ data }: MessageEvent<EncoderRequest>) => {
  // The runtime runs one input at a time.
  last = last.then(() => answer(data));
};

const answer = async (request: EncoderRequest): Promise<void> => {
  const result = await perform(request).catch(
    (error: unknown): EncoderResult => ({
      kind: 'failed',
      message: error instanceof Error ? error.message : `${error}`,
    }),
  );
  const transfer = result.kind === 'embedded' ? result.vectors.map((vector) => vector.buffer) : [];
  self.postMessage({ id: request.id, ...result } satisfies EncoderResponse, { transfer });
};

const perform = async (task: EncoderTask): Promise<EncoderResult> => {
  if (task.kind === 'load') {
    encoder = await load(task.folder);
    return { kind: 'loaded' };
  }
  if (encoder === null) throw new Error('asked before it was loaded');
  if (task.kind === 'count') return { kind: 'counted', counts: encoder.count(task.texts) };
  return { kind: 'embedded', vectors: await encoder.embed(task.texts) };
};

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
