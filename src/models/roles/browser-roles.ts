import type { Machine } from '../../app/model-control.ts';
import type { ModelFiles } from '../store/model-files.ts';
import { ModelRoles, type ModelRolesParts } from './model-roles.ts';

type BrowserRolesParts = Omit<
  ModelRolesParts,
  'runtimes' | 'known' | 'knownSpecs' | 'recommend' | 'probe' | 'files' | 'modelsOf' | 'session' | 'now'
>;

/** The tab's own storage; where site data is blocked, something that lasts as long as the page. */
const sessionStore = (): ModelRolesParts['session'] => {
  try {
    return sessionStorage;
  } catch {
    const kept = new Map<string, string>();
    return {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    };
  }
};

/** Creates a page's model roles with every runtime, each loaded on first use. */
export const createBrowserRoles = (given: BrowserRolesParts): ModelRoles => {
  let opened: Promise<ModelFiles> | null = null;
  const files = (): Promise<ModelFiles> => {
    opened ??= import('../store/open-model-files.ts').then(({ openModelFiles }) => openModelFiles());
    return opened;
  };
  let probed: Promise<Omit<Machine, 'storage' | 'modelThreads'>> | null = null;
  const probe = async (fresh = false): Promise<Machine> => {
    const [{ probeMachine, storageNow }, { threadsFor }] = await Promise.all([
      import('../machine/probe-machine.ts'),
      import('../runtimes/runtime.ts'),
    ]);
    if (fresh) probed = null;
    probed ??= probeMachine();
    const machine = await probed;
    const modelThreads = threadsFor(machine.threads, machine.isolated);
    return { ...machine, modelThreads, storage: await storageNow() };
  };
  const keyFor = (baseUrl: string): string => roles.keyFor(baseUrl);
  const sources = async () => ({ files: await files(), hub: () => roles.hub });

  const roles: ModelRoles = new ModelRoles({
    ...given,
    runtimes: {
      webllm: async () =>
        (await import('../runtimes/webllm/webllm-runtime.ts')).webllmRuntime({ hub: () => roles.hub }),
      wllama: async () => (await import('../runtimes/wllama/wllama-runtime.ts')).wllamaRuntime(await sources()),
      transformers: async () =>
        (await import('../runtimes/transformers/transformers-runtime.ts')).transformersRuntime(await sources()),
      'prompt-api': async () => (await import('../runtimes/prompt-api/prompt-api-runtime.ts')).promptApiRuntime(),
      server: async () => (await import('../runtimes/server/server-runtime.ts')).serverRuntime({ keyFor }),
    },
    known: async () => (await import('../catalogue/known-models.ts')).knownModels(await probe()),
    knownSpecs: async () => (await import('../catalogue/known-models.ts')).knownSpecs(),
    recommend: async () => (await import('../catalogue/known-models.ts')).recommend(await probe()),
    probe,
    files,
    modelsOf: async (typed, keyOf) => {
      const { baseUrlOf } = await import('../runtimes/server/base-url.ts');
      const { modelsOfServer } = await import('../runtimes/server/server-runtime.ts');
      const baseUrl = baseUrlOf(typed);
      return { baseUrl, models: await modelsOfServer({ keyFor: keyOf }, baseUrl) };
    },
    session: sessionStore(),
    now: () => performance.now(),
  });
  return roles;
};
