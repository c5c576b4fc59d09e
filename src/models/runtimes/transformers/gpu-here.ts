import type { GpuHere } from './candidates.ts';

interface Gpu {
  requestAdapter(): Promise<{
    readonly features: { has(name: string): boolean };
    readonly info?: { readonly isFallbackAdapter?: boolean; readonly architecture?: string };
  } | null>;
}

/** The GPU that this browser gives to ONNX Runtime; null if none. */
export const gpuHere = async (): Promise<GpuHere | null> => {
  // The build for WebGPU suspends WASM while the GPU works.
  if (!('Suspending' in WebAssembly)) return null;
  const { gpu } = navigator as Navigator & { readonly gpu?: Gpu };
  const adapter = await gpu?.requestAdapter().catch(() => null);
  if (!adapter) return null;
  const software = adapter.info?.isFallbackAdapter === true || adapter.info?.architecture === 'swiftshader';
  return { real: !software, shaderF16: adapter.features.has('shader-f16') };
};
