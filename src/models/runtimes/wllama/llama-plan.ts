import type { GgufMetadata } from './gguf-header.ts';

/** What the machine offers to llama.cpp. */
export interface LlamaMachine {
  /** It has a GPU that llama.cpp can use: WebGPU with `shader-f16`, and not in software. */
  readonly gpu: boolean;
  /** Threads that WASM may use: 1 where the page is not isolated (COOP and COEP). */
  readonly threads: number;
  /** GB, as the browser tells; null where it does not. */
  readonly memory: number | null;
}

/** How a model is loaded. Names as llama.cpp has them. */
export interface LlamaPlan {
  readonly n_ctx: number;
  readonly n_batch: number;
  readonly n_ubatch: number;
  readonly n_threads: number;
  readonly n_gpu_layers: number;
  readonly cache_type_k: 'f16' | 'q8_0';
  readonly pooling_type?: 'mean';
}

/** Tokens. Longer windows fill with what the overview keeps short anyway, and their cache takes memory from the weights. */
const MAX_WINDOW = 8192;
/** On machines with little memory. */
const SMALL_WINDOW = 4096;
const LITTLE_MEMORY = 4;
/** Bytes that the cache of keys and values may take. */
const MAX_CACHE = 768 * 2 ** 20;
const MIN_WINDOW = 2048;
/** Tokens; an embedding is of a turn, and has to go through in one batch. */
const MAX_EMBED_WINDOW = 2048;
/** An abort waits for a whole batch: 32 tokens on the processor are half a second with a model of 135M (CRAFT.md). */
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
      // A model that says how its vector is made is taken at its word.
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
    // Halves what keys take; of a model this large that is worth its small loss.
    cache_type_k: affordable < most ? 'q8_0' : 'f16',
  };
};

const ALL_LAYERS = 999;

/** Keys and values of all layers, two bytes each. */
const cacheBytesPerToken = (of: (key: string) => number | null): number => {
  const heads = of('attention.head_count') ?? 1;
  const headBytes = ((of('embedding_length') ?? 1) / heads) * 2;
  const keys = (of('attention.key_length') ?? headBytes / 2) * 2;
  const values = (of('attention.value_length') ?? headBytes / 2) * 2;
  return (of('block_count') ?? 1) * (of('attention.head_count_kv') ?? heads) * (keys + values);
};
