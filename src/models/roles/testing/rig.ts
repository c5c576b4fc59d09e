import type { RoleState } from '../../../app/model-control.ts';
import type { Role } from '../../../domain/decision.ts';
import { defaultReplySettings } from '../../../domain/reply.ts';
import type { ChatModel, Decider, Embedder, Models, Summariser } from '../../../engine/ports.ts';
import { memoryStorage } from '../../../storage/memory-storage.ts';
import type { ModelSpec } from '../../runtimes/model-spec.ts';
import type { LoadedEmbedder, LoadOptions, Runtime, TextGenerator } from '../../runtimes/runtime.ts';
import { baseUrlOf } from '../../runtimes/server/base-url.ts';
import type { ModelFiles } from '../../store/model-files.ts';
import { ownOffer } from '../model-library.ts';
import { ModelRoles } from '../model-roles.ts';

/** A load that a test ends as it likes. */
interface Load {
  readonly of: string;
  readonly kind: 'generator' | 'embedder';
  readonly options: LoadOptions;
  finish(): void;
  fail(error: Error): void;
  closed: boolean;
  /** What a generator throws instead of writing. */
  refusal: Error | null;
}

const specOf = (modelId: string): ModelSpec => ({ runtime: 'webllm', modelId, custom: null });
export const chosen = (modelId: string) => ({ kind: 'model', key: `webllm:${modelId}` }) as const;
export const shipped = { kind: 'embedded' } as const;

const shippedModels: Models = {
  chat: { name: 'recall' } as ChatModel,
  decide: { name: 'embedded decider' } as Decider,
  summarise: { name: 'extractive' } as Summariser,
  embed: { name: 'use-lite-en' } as Embedder,
};

/** Roles over a runtime whose loads wait for the test. `probed`: settles when the machine has been tested. `marked`: the loads that closed a page. */
export const rig = (
  storage = memoryStorage(),
  probed = Promise.resolve(),
  files?: ModelFiles,
  marked: ReadonlySet<string> = new Set(),
) => {
  const loads: Load[] = [];
  const states: Partial<Record<Role | 'consult', RoleState>> = {};
  const begin = <T>(of: string, kind: Load['kind'], options: LoadOptions, made: (load: Load) => T): Promise<T> =>
    new Promise((resolve, reject) => {
      const load: Load = {
        of,
        kind,
        options,
        finish: () => resolve(made(load)),
        fail: reject,
        closed: false,
        refusal: null,
      };
      loads.push(load);
      options.signal.addEventListener('abort', () => reject(options.signal.reason));
    });
  const runtime: Runtime<ModelSpec> = {
    loadGenerator: (spec, options) => {
      const name = spec.runtime === 'webllm' ? spec.modelId : spec.runtime;
      return begin(
        name,
        'generator',
        options,
        (load): TextGenerator => ({
          name,
          window: 2048,
          estimates: false,
          async *generate() {
            if (load.refusal !== null) throw load.refusal;
            yield `said by ${name}`;
          },
          count: async (texts) => texts.map(({ length }) => length),
          close: () => {
            load.closed = true;
          },
        }),
      );
    },
    loadEmbedder: (spec, options) => {
      const name = spec.runtime === 'webllm' ? spec.modelId : spec.runtime;
      return begin(
        name,
        'embedder',
        options,
        (load): LoadedEmbedder => ({
          name,
          dimensions: 2,
          theta: 0.5,
          embed: async (texts) => texts.map(() => new Float32Array([1, 0])),
          close: () => {
            load.closed = true;
          },
        }),
      );
    },
  };
  const anew: string[] = [];
  const failures: Error[] = [];
  const keysSent: string[] = [];
  const marks = new Set(marked);
  const known = ['a', 'b'].map(specOf).map((spec) => ({ spec, offer: ownOffer(spec) }));
  const roles = new ModelRoles({
    embedded: shippedModels,
    runtimes: {
      webllm: async () => runtime,
      wllama: async () => runtime,
      transformers: async () => runtime,
      'prompt-api': async () => runtime,
      server: async () => runtime,
    },
    marks: {
      mark: (load) => {
        marks.add(load);
        return () => marks.delete(load);
      },
      left: async () => new Set(marks),
      clear: (load) => void marks.delete(load),
    },
    show: (role, state) => {
      states[role] = state;
    },
    consultFailed: (failure) => failures.push(failure),
    compareAnew: async ({ name }, onDone) => {
      anew.push(name);
      onDone(1, 2);
    },
    now: () => 0,
    tokens: { name: 'shipped', count: async (texts) => texts.map(() => 1) },
    loadShippedEmbedder: async () => undefined,
    recommend: async () => null,
    probe: () => Promise.reject(new Error('not asked here')),
    known: () => probed.then(() => known),
    knownSpecs: async () => known.map(({ spec }) => spec),
    files: async () => {
      if (files === undefined) throw new Error('not asked here');
      return files;
    },
    modelsOf: async (typed, keyFor) => {
      const baseUrl = baseUrlOf(typed);
      keysSent.push(keyFor(baseUrl));
      return { baseUrl, models: ['m'] };
    },
    session: fakeSession(),
    newKey: () => 'key',
  });
  const open = () =>
    roles.open({
      setting: storage.setting,
      changeSetting: async (name, next) => {
        const value = next(await storage.setting(name));
        if (value !== null) await storage.saveSetting(name, value);
      },
    });
  return { roles, open, loads, states, anew, failures, keysSent, storage, marks };
};

const fakeSession = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
};

/** Runs everything that is ready to run. */
export const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

export const opened = async (
  storage?: ReturnType<typeof rig>['storage'],
  probed?: Promise<void>,
  files?: ModelFiles,
  marked?: ReadonlySet<string>,
) => {
  const made = rig(storage, probed, files, marked);
  await made.open();
  await settled();
  return made;
};

/** Adds a server's model, and has it loaded for the chat. */
export const chatOnServer = async ({ roles, loads }: Awaited<ReturnType<typeof opened>>) => {
  const { key } = await roles.addOwn({ runtime: 'server', baseUrl: SERVER, model: 'm' });
  const choosing = roles.choose('chat', { kind: 'model', key });
  await settled();
  load(loads, loads.length - 1).finish();
  await choosing;
  return { kind: 'model', key } as const;
};

export const SERVER = 'http://localhost:1/v1';

export const load = (loads: readonly Load[], at: number): Load => {
  const found = loads[at];
  if (found === undefined) throw new Error(`only ${loads.length} loads`);
  return found;
};

/** Never fires. */
export const never = new AbortController().signal;

export const request = {
  messages: [],
  begun: '',
  settings: defaultReplySettings,
  quotable: () => ({ path: [], nearest: [] }),
};

/** All that a chat model replies. */
export const replyOf = async (chat: ChatModel): Promise<string> => {
  let text = '';
  for await (const piece of chat.reply(request, never)) text += piece;
  return text;
};
