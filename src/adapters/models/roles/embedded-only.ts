import type { Machine, ModelControl } from '../../../app/model-control.ts';
import { ModelFailure } from '../../../engine/model-failure.ts';

/** Chooses among nothing but what ships: every role has its embedded model, and nothing is downloaded. */
export const createEmbeddedOnly = ({ load }: { load(): Promise<void> }): ModelControl => {
  let machine: Promise<Machine> | null = null;
  return {
    probe: (again = false) => {
      if (again) machine = null;
      machine ??= lookAround();
      return machine;
    },
    offers: async () => [],
    recommended: async () => null,
    choose: (_role, choice) => (choice.kind === 'embedded' ? Promise.resolve() : refuse()),
    chooseAll: (choices) =>
      Object.values(choices).every(({ kind }) => kind === 'embedded') ? Promise.resolve() : refuse(),
    cancel: () => undefined,
    retry: (role) =>
      role !== 'embed'
        ? Promise.resolve()
        : load().catch((error: unknown) => {
            throw new ModelFailure('worker-died', error instanceof Error ? error.message : String(error));
          }),
    stored: async () => [],
    remove: refuse,
    addOwn: refuse,
    removeOwn: refuse,
    connect: refuse,
    disconnect: refuse,
    settings: async () => ({ hub: 'https://huggingface.co', consult: null }),
    set: refuse,
  };
};

const refuse = () =>
  Promise.reject(new ModelFailure('unsupported', 'This page runs only the models that ship with it.'));

const lookAround = async (): Promise<Machine> => ({
  webgpu: await webgpu(),
  memory: 'deviceMemory' in navigator && typeof navigator.deviceMemory === 'number' ? navigator.deviceMemory : null,
  threads: navigator.hardwareConcurrency,
  isolated: crossOriginIsolated,
  storage: await storage(),
  promptApi: 'LanguageModel' in globalThis ? 'unavailable' : 'missing',
});

const webgpu = async (): Promise<Machine['webgpu']> => {
  if (navigator.gpu === undefined) return { state: 'missing', why: 'This browser has no WebGPU.' };
  const adapter = await navigator.gpu.requestAdapter();
  if (adapter === null) return { state: 'missing', why: 'The browser found no GPU that it may use.' };
  const { description, vendor, isFallbackAdapter } = adapter.info;
  return {
    state: 'works',
    adapter: description || vendor || 'a GPU without a name',
    software: isFallbackAdapter,
    shaderF16: adapter.features.has('shader-f16'),
    maxBuffer: adapter.limits.maxBufferSize,
    gflops: 0,
  };
};

const storage = async (): Promise<Machine['storage']> => {
  // Missing without TLS.
  const { usage, quota } = (await navigator.storage?.estimate?.()) ?? {};
  return usage === undefined || quota === undefined ? null : { usage, quota };
};
