import { ModelFailure, type ModelFailureKind } from '../../../engine/model-failure.ts';

/* ONNX Runtime and transformers.js report failures only as text. This is the only place that parses it. */
const SIGNS: readonly (readonly [RegExp, ModelFailureKind, string])[] = [
  [
    /device.{0,20}lost|lost.{0,20}device|GPUDevice.{0,30}destroyed/i,
    'device-lost',
    'The GPU was lost while the model worked. Try again; if it happens again, choose a smaller model.',
  ],
  [
    /out of memory|\bOOM\b|bad_alloc|failed to allocate|allocation failed|Array buffer allocation|exceeds the max buffer size|maxBufferSize|maxStorageBufferBindingSize/i,
    'out-of-memory',
    'The model does not fit into this machine’s memory. Close other tabs, or choose a smaller model.',
  ],
  [
    /protobuf parsing failed|invalid model|is not valid JSON|Unexpected (token|end)|Failed to load model because|external data/i,
    'corrupt',
    'A file of the model cannot be read. Delete the model in Models and download it again.',
  ],
  [
    /no available backend found|both async and sync fetching of the wasm failed|Failed to fetch dynamically imported module|CompileError/i,
    'unsupported',
    'ONNX Runtime could not start in this browser. Reload the page, or choose another kind of model if that does not help.',
  ],
  [
    /unsupported model type|unsupported device|does not support fp16|could not find an implementation|not implemented|unsupported|Unrecognized|Missing the following inputs|has no .*tokenizer/i,
    'unsupported',
    'transformers.js cannot run this model in this browser. Choose another model.',
  ],
  [
    /unreachable|memory access out of bounds|table index|Aborted\(/i,
    'worker-died',
    'ONNX Runtime crashed. Try again; if it happens again, choose a smaller model.',
  ],
];

export const onnxFailure = (error: unknown): ModelFailure => {
  if (error instanceof ModelFailure) return error;
  // Its WASM throws a bare address, which means nothing to the user.
  const words =
    error instanceof Error ? error.message : typeof error === 'number' ? 'an error without words' : `${error}`;
  const sign = SIGNS.find(([pattern]) => pattern.test(words));
  return new ModelFailure(
    sign?.[1] ?? 'unknown',
    sign === undefined
      ? `The model failed: ${words.slice(0, 300)}. Try again, or choose another model.`
      : `${sign[2]} (${words.slice(0, 300)})`,
    { cause: error },
  );
};

/** Failures that occur before the model runs. */
const BEFOREHAND: ReadonlySet<ModelFailureKind> = new Set(['too-long', 'closed', 'unreadable-picture']);

/** Whether the runtime is unusable after this failure: one failed run spoils it. */
export const isFatal = ({ kind }: ModelFailure): boolean => !BEFOREHAND.has(kind);
