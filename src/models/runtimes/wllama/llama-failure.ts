import { ModelFailure, type ModelFailureKind } from '../../../engine/model-failure.ts';

/*
 * llama.cpp and wllama tell their failures in words alone. This is the one place that reads them; what it does not know
 * stays `unknown`, with the words.
 */
const SIGNS: readonly (readonly [RegExp, ModelFailureKind, string])[] = [
  [
    /exceeds the available context size|context size has been exceeded|too large to process/i,
    'too-long',
    'The text is longer than the model’s window. Shorten it, or choose a model with a longer window.',
  ],
  [
    /device.{0,20}lost|lost.{0,20}device/i,
    'device-lost',
    'The GPU was taken away while the model worked. Try again; if it happens again, choose a smaller model.',
  ],
  [
    /out of memory|\bOOM\b|bad_alloc|failed to allocate|cannot allocate|unable to allocate|alloc.{0,30}failed|enlarge memory|allocation failed|Array buffer allocation/i,
    'out-of-memory',
    'The model does not fit into this machine’s memory. Close other tabs, or choose a smaller model.',
  ],
  [
    /unknown model architecture|unsupported model|invalid model architecture|Memory64|JSPI|exception handling|SIMD/i,
    'unsupported',
    'llama.cpp in this browser cannot run this model. Choose another model.',
  ],
  [
    /failed to parse grammar|unrecognized schema|json schema conversion failed/i,
    'unsupported',
    'This form of answer cannot be asked of the model. Choose another model for this role.',
  ],
  [
    /crashed|\(ABORT\)|unreachable|memory access out of bounds|RuntimeError|table index|function signature/i,
    'worker-died',
    'llama.cpp crashed. Try again; if it happens again, choose a smaller model.',
  ],
];

/** `error` as a failure; `log` is what llama.cpp wrote last, which often tells more than the error. */
export const llamaFailure = (error: unknown, log: readonly string[] = []): ModelFailure => {
  if (error instanceof ModelFailure) return error;
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const told = [words, ...log];
  const sign = SIGNS.find(([pattern]) => told.some((line) => pattern.test(line)));
  if (sign === undefined) {
    return new ModelFailure('unknown', `llama.cpp failed: ${words}. Try again, or choose another model.`, {
      cause: error,
    });
  }
  return new ModelFailure(sign[1], `${sign[2]} (${words.slice(0, 300)})`, { cause: error });
};

/** Nothing more can be asked of an engine that failed so. */
export const isFatal = ({ kind }: ModelFailure): boolean =>
  kind === 'worker-died' || kind === 'device-lost' || kind === 'out-of-memory';
