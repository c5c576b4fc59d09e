import type { Machine } from '../../app/model-control.ts';

/** Milliseconds. Compiling a shader on a busy machine without a GPU takes seconds. */
const PATIENCE = 30_000;

/** Probes the capabilities of this machine. Takes about a second, in a worker. Never rejects. */
export const probeMachine = async (): Promise<Machine> => {
  const [webgpu, storage, promptApi] = await Promise.all([tryGpu(), room(), promptApiState()]);
  return {
    webgpu,
    memory: 'deviceMemory' in navigator ? Number(navigator.deviceMemory) : null,
    threads: navigator.hardwareConcurrency || 1,
    isolated: globalThis.crossOriginIsolated === true,
    storage,
    promptApi,
  };
};

const tryGpu = (): Promise<Machine['webgpu']> =>
  new Promise((resolve) => {
    const worker = new Worker(new URL('./probe-worker.ts', import.meta.url), { type: 'module', name: 'probe' });
    const end = (webgpu: Machine['webgpu']): void => {
      clearTimeout(timer);
      worker.terminate();
      resolve(webgpu);
    };
    const timer = setTimeout(
      () => end({ state: 'broken', why: `The GPU did not respond within ${PATIENCE / 1000} seconds.` }),
      PATIENCE,
    );
    worker.onmessage = ({ data }: MessageEvent<Machine['webgpu']>) => end(data);
    worker.onerror = ({ message }) =>
      end({ state: 'broken', why: `The GPU could not be tested: ${message || 'a script could not be loaded'}.` });
  });

const room = async (): Promise<Machine['storage']> => {
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
