import { env, LogLevel } from '@huggingface/transformers';
import gpuMjs from 'onnxruntime-web/ort-wasm-simd-threaded.jspi.mjs?url';
import gpuWasm from 'onnxruntime-web/ort-wasm-simd-threaded.jspi.wasm?url';
import wasmMjs from 'onnxruntime-web/ort-wasm-simd-threaded.mjs?url';
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import { errorMessage, ModelFailure, type ModelFailureKind } from '../../../engine/model-failure.ts';
import { threadsFor } from '../runtime.ts';
import type { Candidate, Device, Dtype, Dtypes, RepoFiles } from './repo-files.ts';

/** The name of this worker's only model in transformers.js. The host below is never contacted. */
export const MODEL = 'coppice/model';
const HOST = 'https://model.invalid/';

/** Makes transformers.js read only the given files and run on the given device. Called once per worker. */
export const serveRepo = (files: RepoFiles, { device }: Candidate): void => {
  env.logLevel = LogLevel.ERROR;
  env.allowLocalModels = false;
  env.allowRemoteModels = true;
  env.remoteHost = HOST;
  // The app already stores the files.
  env.useBrowserCache = false;
  env.useWasmCache = false;
  env.fetch = async (address) => {
    const path = /\/resolve\/[^/]+\/(.+)$/.exec(String(address))?.[1];
    const blob = path === undefined ? undefined : files.get(path);
    return blob === undefined ? new Response(null, { status: 404 }) : new Response(blob);
  };
  const { wasm } = env.backends.onnx;
  if (wasm === undefined) throw new ModelFailure('unsupported', 'This build does not include ONNX Runtime.');
  wasm.wasmPaths = onnxWasm(device);
  wasm.numThreads = threadsFor(navigator.hardwareConcurrency, self.crossOriginIsolated);
};

const EIGHT_BITS: readonly Dtype[] = ['q8', 'int8', 'uint8'];

/**
 * 8-bit weights are stored between quantize/dequantize (QDQ) nodes, which ONNX Runtime would turn into integer arithmetic that
 * takes three times as long (measured with `q8` files in WASM, transformers.js 4.3).
 */
export const sessionOptions = ({ device }: Candidate, dtypes: Dtypes): object =>
  device === 'wasm' &&
  (typeof dtypes === 'string' ? [dtypes] : Object.values(dtypes)).some((one) => EIGHT_BITS.includes(one))
    ? { extra: { session: { disable_quant_qdq: '1' } } }
    : {};

/** Calls back when the GPU is lost; never for a model on the CPU. */
export const watchDevice = async (onLost: (error: Error) => void): Promise<void> => {
  const { webgpu } = env.backends.onnx as { webgpu?: { device?: unknown } };
  const device = (await webgpu?.device) as { readonly lost?: Promise<{ readonly message?: string }> } | undefined;
  const lost = await device?.lost;
  if (lost === undefined) return;
  onLost(
    new ModelFailure(
      'device-lost',
      `The GPU was lost while the model was in use (${lost.message || 'no reason given'}). Try again; if it happens again, choose a smaller model.`,
    ),
  );
};

const absolute = (path: string): string => new URL(path, import.meta.url).href;

/**
 * URLs of ONNX Runtime's WASM on the page's own origin: the plain build (14 MB, shared with the embedded encoder) or the WebGPU
 * build (17 MB).
 */
const onnxWasm = (device: Device): { readonly mjs: string; readonly wasm: string } =>
  device === 'webgpu'
    ? { mjs: absolute(gpuMjs), wasm: absolute(gpuWasm) }
    : { mjs: absolute(wasmMjs), wasm: absolute(wasm) };

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
  const words = typeof error === 'number' ? 'an error without words' : errorMessage(error);
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
