import { threadsFor } from '../threads.ts';
import type { LlamaMachine } from './llama-plan.ts';

/*
 * TypeScript's worker and WebGPU types are not part of this project's: what is used of them is named here.
 */
interface Gpu {
  requestAdapter(): Promise<{
    readonly features: { has(name: string): boolean };
    readonly info?: { readonly isFallbackAdapter?: boolean };
  } | null>;
}

/** What this worker may use. llama.cpp takes the processor in silence where the GPU lacks `shader-f16`: so it is asked here. */
export const machineHere = async (): Promise<LlamaMachine> => {
  const here = navigator as Navigator & { readonly gpu?: Gpu; readonly deviceMemory?: number };
  const adapter = await here.gpu?.requestAdapter().catch(() => null);
  const able = adapter?.features.has('shader-f16') === true && adapter.info?.isFallbackAdapter !== true;
  // llama.cpp reaches the GPU through JavaScript Promise Integration.
  const suspends = 'Suspending' in WebAssembly;
  return {
    gpu: suspends && able,
    threads: threadsFor(here.hardwareConcurrency, self.crossOriginIsolated),
    memory: here.deviceMemory ?? null,
  };
};
