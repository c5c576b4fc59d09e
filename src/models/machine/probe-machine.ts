import type { Machine } from '../../app/model-control.ts';
import { errorMessage } from '../../engine/model-failure.ts';
import { askWorker } from '../../engine/tasks.ts';

/** Milliseconds. Compiling a shader on a busy machine without a GPU takes seconds. */
const PATIENCE = 30_000;

/** Probes the capabilities of this machine, except its storage and what follows from others. Takes about a second, in a worker. Never rejects. */
export const probeMachine = async (): Promise<Omit<Machine, 'storage' | 'modelThreads'>> => {
  const [webgpu, promptApi] = await Promise.all([tryGpu(), promptApiState()]);
  return {
    webgpu,
    memory: 'deviceMemory' in navigator ? Number(navigator.deviceMemory) : null,
    threads: navigator.hardwareConcurrency || 1,
    isolated: globalThis.crossOriginIsolated === true,
    memory64: hasMemory64(),
    promptApi,
  };
};

/** Whether WASM may use 64-bit addresses here. */
export const hasMemory64 = (): boolean => {
  try {
    new WebAssembly.Memory({ address: 'i64', initial: 1n } as unknown as WebAssembly.MemoryDescriptor);
    return true;
  } catch {
    return false;
  }
};

const tryGpu = async (): Promise<Machine['webgpu']> => {
  const worker = new Worker(new URL('./probe-worker.ts', import.meta.url), { type: 'module', name: 'probe' });
  const signal = AbortSignal.timeout(PATIENCE);
  try {
    return await askWorker<Machine['webgpu']>(worker, null, { failed: 'a script could not be loaded', signal });
  } catch (error) {
    const why = signal.aborted
      ? `The GPU did not respond within ${PATIENCE / 1000} seconds.`
      : `The GPU could not be tested: ${errorMessage(error)}.`;
    return { state: 'broken', why };
  }
};

/** Changes with every download and deletion. */
export const storageNow = async (): Promise<Machine['storage']> => {
  const estimate = await navigator.storage?.estimate().catch(() => null);
  return estimate?.usage === undefined || estimate.quota === undefined
    ? null
    : { usage: estimate.usage, quota: estimate.quota };
};

type PromptApiState = Machine['promptApi'];

const STATES: readonly string[] = [
  'available',
  'downloadable',
  'downloading',
  'unavailable',
] satisfies PromptApiState[];

/** Available in pages only, not in workers. */
const promptApiState = async (): Promise<PromptApiState> => {
  const api = (globalThis as { LanguageModel?: { availability?(): Promise<string> } }).LanguageModel;
  if (api?.availability === undefined) return 'missing';
  const state = await api.availability().catch(() => 'unavailable');
  return STATES.includes(state) ? (state as PromptApiState) : 'unavailable';
};
