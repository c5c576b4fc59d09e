import gpuMjs from 'onnxruntime-web/ort-wasm-simd-threaded.jspi.mjs?url';
import gpuWasm from 'onnxruntime-web/ort-wasm-simd-threaded.jspi.wasm?url';
import wasmMjs from 'onnxruntime-web/ort-wasm-simd-threaded.mjs?url';
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import type { Device } from './candidates.ts';

const absolute = (path: string): string => new URL(path, import.meta.url).href;

/** Addresses of ONNX Runtime's WASM on the page's own origin: the plain one (14 MB, the embedded encoder's) or the one that drives a GPU (17 MB). */
export const onnxWasm = (device: Device): { readonly mjs: string; readonly wasm: string } =>
  device === 'webgpu'
    ? { mjs: absolute(gpuMjs), wasm: absolute(gpuWasm) }
    : { mjs: absolute(wasmMjs), wasm: absolute(wasm) };
