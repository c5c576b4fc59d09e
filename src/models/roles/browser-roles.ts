import type { Machine } from '../../app/model-control.ts';
import { once } from '../../engine/tasks.ts';
import type { LoadMarks } from '../runtimes/runtime.ts';
import type { ModelFiles } from '../store/model-files.ts';
import { ModelRoles, type ModelRolesParts } from './model-roles.ts';

type BrowserRolesParts = Omit<
  ModelRolesParts,
  'runtimes' | 'marks' | 'known' | 'knownSpecs' | 'recommend' | 'probe' | 'files' | 'modelsOf' | 'session' | 'now'
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

const MARK = 'coppice-loading ';

/**
 * Marks loads in `localStorage`, which keeps what a page wrote just before it was closed. A lock of the same name ends with its
 * page, so a mark that is still held is that of another tab. Tabs that load the same share its mark, which ends with the first.
 * Where site data is blocked, nothing is marked.
 */
export const loadMarks = (): LoadMarks => ({
  mark: (load) => {
    const name = `${MARK}${load}`;
    try {
      localStorage.setItem(name, '');
    } catch {
      return () => undefined;
    }
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    navigator.locks?.request(name, { mode: 'shared' }, () => held).catch(() => undefined);
    const end = (): void => {
      removeEventListener('pagehide', end);
      localStorage.removeItem(name);
      release();
    };
    // A page that is left in the middle of a load was not closed by it.
    addEventListener('pagehide', end);
    return end;
  },
  left: async () => {
    try {
      const names = Object.keys(localStorage).filter((name) => name.startsWith(MARK));
      if (names.length === 0) return new Set();
      const held = new Set((await navigator.locks?.query())?.held?.map(({ name }) => name));
      return new Set(names.filter((name) => !held.has(name)).map((name) => name.slice(MARK.length)));
    } catch {
      return new Set();
    }
  },
  clear: (load) => {
    try {
      localStorage.removeItem(`${MARK}${load}`);
    } catch {
      // Then there is none.
    }
  },
});

/** Creates a page's model roles with every runtime, each loaded on first use. */
export const createBrowserRoles = (given: BrowserRolesParts): ModelRoles => {
  const files = once(async (): Promise<ModelFiles> => (await import('../store/open-model-files.ts')).openModelFiles());
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
    marks: loadMarks(),
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
