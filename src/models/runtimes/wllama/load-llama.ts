import { Wllama } from '@wllama/wllama/esm/index.js';
import wasm from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import { ModelFailure, type ModelFailureKind } from '../../../engine/model-failure.ts';
import { gpuAdapter, isSoftware } from '../../machine/probe-webgpu.ts';
import { type LoadOptions, threadsFor } from '../runtime.ts';
import { type GgufMetadata, readGgufHeader } from './gguf.ts';

/** What the page sends to the worker: the model's complete files. */
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
  /** Dimensions of an embedding. */
  readonly dimensions: number;
  readonly hasTemplate: boolean;
  /** `WebGPU`, or `WASM` with its number of threads. */
  readonly device: string;
  /** The last warnings and errors from llama.cpp. */
  readonly log: readonly string[];
}

const TEMPLATE = 'tokenizer.chat_template';
const LOG_LINES = 20;

/**
 * For a model without a chat template, which was never trained on one: a plain transcript, which any text model can continue.
 * (llama.cpp would default to ChatML, whose special tokens such a model has never seen.)
 */
const PLAIN_TEMPLATE = [
  "{%- for message in messages -%}{%- if message['role'] == 'system' -%}{{ message['content'] + '\\n\\n' }}",
  "{%- elif message['role'] == 'user' -%}{{ 'User: ' + message['content'] + '\\n' }}",
  "{%- else -%}{{ 'Assistant: ' + message['content'] + '\\n' }}{%- endif -%}{%- endfor -%}",
  "{%- if add_generation_prompt -%}{{ 'Assistant:' }}{%- endif -%}",
].join('');

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
    const line = words.map(String).join(' ');
    // Counting tokens provokes it each time.
    if (TOO_LONG.test(line)) return;
    log.push(line);
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
  // Otherwise it may fetch another build from a CDN.
  wllama.setCompat(null);
  const { pooling_type, ...params } = plan;
  try {
    await wllama.loadModel([...spec.files], {
      ...params,
      ...(pooling_type === undefined ? {} : { pooling_type }),
      embeddings: spec.embeds,
      // One request at a time, with the whole window and cache to itself.
      n_parallel: 1,
      jinja: true,
      // Reasoning stays in the text; `spokenOf` (domain/reply.ts) separates it.
      reasoning_format: 'none',
      ...(hasTemplate || spec.embeds ? {} : { chat_template: PLAIN_TEMPLATE }),
      warmup: false,
    });
  } catch (error) {
    throw llamaFailure(error, log);
  }
  // Loading also resolves for an unreadable model.
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

/** The machine's capabilities for llama.cpp. */
interface LlamaMachine {
  /** There is a GPU that llama.cpp can use: WebGPU with `shader-f16`, not a software renderer. */
  readonly gpu: boolean;
  /** Threads available to WASM: 1 if the page is not isolated (COOP and COEP). */
  readonly threads: number;
  /** GB, as reported by the browser; null if it does not report it. */
  readonly memory: number | null;
}

/** How to load a model. Field names as in llama.cpp. */
interface LlamaPlan {
  readonly n_ctx: number;
  readonly n_batch: number;
  readonly n_ubatch: number;
  readonly n_threads: number;
  readonly n_gpu_layers: number;
  readonly cache_type_k: 'f16' | 'q8_0';
  readonly pooling_type?: 'mean';
}

/** Tokens. A longer window would only hold what the overview already condenses, and its cache takes memory from the weights. */
const MAX_WINDOW = 8192;
/** On machines with little memory. */
const SMALL_WINDOW = 4096;
const LITTLE_MEMORY = 4;
/** Maximum size of the KV cache, in bytes. */
const MAX_CACHE = 768 * 2 ** 20;
const MIN_WINDOW = 2048;
/** Tokens. A text to embed is one turn, and must fit into one batch. */
const MAX_EMBED_WINDOW = 2048;
/** An abort waits for a whole batch: 32 tokens take half a second with a 135M model on one thread. */
const CPU_BATCH = 32;
const GPU_BATCH = 256;

export const planOf = (metadata: GgufMetadata, machine: LlamaMachine, embeds: boolean): LlamaPlan => {
  const arch = String(metadata.get('general.architecture') ?? '');
  const of = (key: string): number | null => {
    const found = metadata.get(`${arch}.${key}`);
    return typeof found === 'number' && found > 0 ? found : null;
  };
  const trained = of('context_length') ?? MIN_WINDOW;
  const shared = { n_threads: machine.threads, n_gpu_layers: machine.gpu ? ALL_LAYERS : 0 };
  if (embeds) {
    const window = Math.min(trained, MAX_EMBED_WINDOW);
    return {
      ...shared,
      n_ctx: window,
      n_batch: window,
      n_ubatch: window,
      cache_type_k: 'f16',
      // The model's own pooling type takes precedence.
      ...(metadata.has(`${arch}.pooling_type`) ? {} : { pooling_type: 'mean' as const }),
    };
  }
  const batch = machine.gpu ? GPU_BATCH : CPU_BATCH;
  const most = machine.memory !== null && machine.memory <= LITTLE_MEMORY ? SMALL_WINDOW : MAX_WINDOW;
  const perToken = cacheBytesPerToken(of);
  const affordable = Math.max(MIN_WINDOW, Math.floor(MAX_CACHE / perToken / 256) * 256);
  return {
    ...shared,
    n_ctx: Math.min(trained, most, affordable),
    n_batch: batch,
    n_ubatch: batch,
    // Halves the memory for keys; for a model this large, that is worth the small loss in accuracy.
    cache_type_k: affordable < most ? 'q8_0' : 'f16',
  };
};

const ALL_LAYERS = 999;

/** KV cache bytes per token: all layers, two bytes per value. */
const cacheBytesPerToken = (of: (key: string) => number | null): number => {
  const heads = of('attention.head_count') ?? 1;
  const headBytes = ((of('embedding_length') ?? 1) / heads) * 2;
  const keys = (of('attention.key_length') ?? headBytes / 2) * 2;
  const values = (of('attention.value_length') ?? headBytes / 2) * 2;
  return (of('block_count') ?? 1) * (of('attention.head_count_kv') ?? heads) * (keys + values);
};

/** What this worker can use. llama.cpp silently falls back to the CPU if the GPU lacks `shader-f16`, so that is checked here. */
const machineHere = async (): Promise<LlamaMachine> => {
  const here = navigator as Navigator & { readonly deviceMemory?: number };
  const adapter = await gpuAdapter(here.gpu);
  const able = adapter?.features.has('shader-f16') === true && !isSoftware(adapter.info);
  // llama.cpp reaches the GPU through JavaScript Promise Integration.
  const suspends = 'Suspending' in WebAssembly;
  return {
    gpu: suspends && able,
    threads: threadsFor(here.hardwareConcurrency, self.crossOriginIsolated),
    memory: here.deviceMemory ?? null,
  };
};

/**
 * Returns a URL for llama.cpp's WASM that can no longer fail, since wllama waits forever for a missing one. Rejects with
 * `unsupported` if the site does not serve it.
 */
export const llamaWasm = async (signal: AbortSignal): Promise<string> => {
  const address = new URL(wasm, import.meta.url);
  const response = await fetch(address, { signal }).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw missing(address, 'it does not answer', cause);
  });
  if (!response.ok) throw missing(address, `it answers ${response.status}`);
  const bytes = await response.arrayBuffer();
  if (new DataView(bytes).getUint32(0) !== MAGIC) throw missing(address, 'the file is not WebAssembly');
  return URL.createObjectURL(new Blob([bytes], { type: 'application/wasm' }));
};

/** `\0asm` */
const MAGIC = 0x0061736d;

const missing = (address: URL, why: string, cause?: unknown): ModelFailure =>
  new ModelFailure(
    'unsupported',
    `llama.cpp could not be loaded from ${address.host}: ${why}. Reload the page, or choose another kind of model if that does not help.`,
    { cause },
  );

const TOO_LONG = /exceeds the available context size|context size has been exceeded|too large to process/i;

/*
 * llama.cpp and wllama report failures only as text. This is the only place that parses it; unrecognised ones stay `unknown`
 * and keep their text.
 */
const SIGNS: readonly (readonly [RegExp, ModelFailureKind, string])[] = [
  [
    TOO_LONG,
    'too-long',
    'The text is longer than the model’s window. Shorten it, or choose a model with a longer window.',
  ],
  [
    /device.{0,20}lost|lost.{0,20}device/i,
    'device-lost',
    'The GPU was lost while the model worked. Try again; if it happens again, choose a smaller model.',
  ],
  [
    /out of memory|\bOOM\b|bad_alloc|failed to allocate|cannot allocate|unable to allocate|alloc.{0,30}failed|enlarge memory|allocation failed|Array buffer allocation/i,
    'out-of-memory',
    'The model does not fit into this machine’s memory. Close other tabs, or choose a smaller model.',
  ],
  [
    /unknown model architecture|unsupported model|invalid model architecture|Memory64|JSPI|exception handling|SIMD/i,
    'unsupported',
    'llama.cpp cannot run this model in this browser. Choose another model.',
  ],
  [
    /failed to parse grammar|unrecognized schema|json schema conversion failed/i,
    'unsupported',
    'This model cannot answer in the required format. Choose another model for this role.',
  ],
  [
    /crashed|\(ABORT\)|unreachable|memory access out of bounds|RuntimeError|table index|function signature/i,
    'worker-died',
    'llama.cpp crashed. Try again; if it happens again, choose a smaller model.',
  ],
];

/**
 * Converts `error` to a ModelFailure. `log` is the last output of llama.cpp, read where the error's own words say nothing,
 * or only that it crashed.
 */
export const llamaFailure = (error: unknown, log: readonly string[] = []): ModelFailure => {
  if (error instanceof ModelFailure) return error;
  const words = String(error);
  const own = SIGNS.find(([pattern]) => pattern.test(words));
  const crashed = own?.[1] === 'worker-died';
  const logged = SIGNS.find(
    ([pattern, kind]) => (!crashed || FATAL.has(kind)) && log.some((line) => pattern.test(line)),
  );
  const sign = own === undefined || crashed ? (logged ?? own) : own;
  if (sign === undefined) {
    return new ModelFailure('unknown', `llama.cpp failed: ${words}. Try again, or choose another model.`, {
      cause: error,
    });
  }
  return new ModelFailure(sign[1], `${sign[2]} (${words.slice(0, 300)})`, { cause: error });
};

const FATAL: ReadonlySet<ModelFailureKind> = new Set(['worker-died', 'device-lost', 'out-of-memory']);

/** Whether the engine is unusable after this failure. */
export const isFatal = ({ kind }: ModelFailure): boolean => FATAL.has(kind);
