import { Wllama } from '@wllama/wllama/esm/index.js';
import { ModelFailure } from '../../../engine/model-failure.ts';
import type { LoadOptions } from '../runtime.ts';
import { type GgufMetadata, readGgufHeader } from './gguf-header.ts';
import { llamaFailure } from './llama-failure.ts';
import { machineHere } from './llama-machine.ts';
import { type LlamaPlan, planOf } from './llama-plan.ts';
import { llamaWasm } from './llama-wasm.ts';
import { PLAIN_TEMPLATE } from './plain-template.ts';

/** What the page sends to the worker: the model's files, whole. */
export interface LlamaSpec {
  readonly name: string;
  readonly files: readonly Blob[];
  readonly embeds: boolean;
}

export interface Llama {
  readonly wllama: Wllama;
  readonly metadata: GgufMetadata;
  readonly plan: LlamaPlan;
  /** Tokens. */
  readonly window: number;
  /** Floats of an embedding. */
  readonly dimensions: number;
  readonly hasTemplate: boolean;
  /** `WebGPU`, or `WASM` with its threads. */
  readonly device: string;
  /** What llama.cpp wrote last of warnings and errors. */
  readonly log: readonly string[];
}

const TEMPLATE = 'tokenizer.chat_template';
const LOG_LINES = 20;

export const loadLlama = async (spec: LlamaSpec, { signal, onProgress }: LoadOptions): Promise<Llama> => {
  const bytes = spec.files.reduce((sum, { size }) => sum + size, 0);
  onProgress({ phase: 'preparing', loaded: bytes, total: bytes });
  const [first] = await Promise.all(spec.files.map((file) => readGgufHeader(file, spec.name)));
  if (first === undefined) throw new ModelFailure('not-found', `${spec.name} has no file. Choose another model.`);
  const plan = planOf(first.metadata, await machineHere(), spec.embeds);
  const hasTemplate = first.metadata.has(TEMPLATE);
  const log: string[] = [];
  let layersOnGpu = 0;
  const note = (...words: readonly unknown[]): void => {
    log.push(words.map(String).join(' '));
    log.splice(0, log.length - LOG_LINES);
  };
  const read = (...words: readonly unknown[]): void => {
    const offloaded = /offloaded (\d+)\/\d+ layers to GPU/.exec(words.map(String).join(' '));
    if (offloaded !== null) layersOnGpu = Number(offloaded[1]);
  };
  const wllama = new Wllama(
    { default: await llamaWasm(signal) },
    { logger: { debug: read, log: read, warn: note, error: note } },
  );
  // Else it may fetch another build from a CDN.
  wllama.setCompat(null);
  const { pooling_type, ...params } = plan;
  try {
    await wllama.loadModel([...spec.files], {
      ...params,
      ...(pooling_type === undefined ? {} : { pooling_type }),
      embeddings: spec.embeds,
      // One request at a time, which has the whole window and the whole cache for itself.
      n_parallel: 1,
      jinja: true,
      // A thinking model's thoughts stay in the text: domain/reasoning.ts parts them.
      reasoning_format: 'none',
      ...(hasTemplate || spec.embeds ? {} : { chat_template: PLAIN_TEMPLATE }),
      warmup: false,
    });
  } catch (error) {
    throw llamaFailure(error, log);
  }
  // A model that cannot be read resolves, too.
  const { n_ctx, n_embd, n_vocab } = wllama.getLoadedContextInfo();
  if (!(n_ctx > 0) || !(n_vocab > 0)) throw unread(spec.name, log);
  return {
    wllama,
    metadata: first.metadata,
    plan,
    window: n_ctx,
    dimensions: n_embd,
    hasTemplate,
    device: layersOnGpu > 0 ? 'WebGPU' : plan.n_threads > 1 ? `WASM, ${plan.n_threads} threads` : 'WASM',
    log,
  };
};

const unread = (name: string, log: readonly string[]): ModelFailure => {
  const failure = llamaFailure(new Error('it was not loaded'), log);
  if (failure.kind !== 'unknown') return failure;
  return new ModelFailure(
    'corrupt',
    `The file ${name} cannot be used: ${log.at(-1) ?? 'llama.cpp does not say why'}. Download it again, or choose another model.`,
  );
};
