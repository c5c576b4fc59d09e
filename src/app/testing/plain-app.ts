import type { StoreApi } from 'zustand/vanilla';
import type { Learner, Lesson } from '../../engine/lessons.ts';
import { ModelFailure } from '../../engine/model-failure.ts';
import type { ChatModel } from '../../engine/ports.ts';
import type { Drafts, Storage } from '../../engine/storage.ts';
import {
  bagEmbedder,
  countingChat,
  firstWords,
  namedChat,
  plainModels,
  tagDecider,
} from '../../engine/testing/plain-models.ts';
import { memoryStorage, overlayStorage } from '../../storage/memory-storage.ts';
import { createApp } from '../app.ts';
import type { AppPorts } from '../kernel.ts';
import type { ModelControl, RoleState } from '../model-control.ts';
import type { AppState } from '../state.ts';

/** Apps sharing one storage never reuse an id. */
let ids = 0;

type PlainPorts = Partial<AppPorts> & { readonly storage?: Storage };

/** Creates and starts an app with models whose answers a test can predict; its data disappears with its storage. */
export const plainApp = async (chat?: ChatModel, ports?: PlainPorts) => {
  const app = unstartedApp(chat, ports);
  await app.start();
  return app;
};

/** Drafts for as long as the test runs. */
export const memoryDrafts = (): Drafts => {
  const drafts = new Map<string, string>();
  return { read: (id) => drafts.get(id) ?? '', save: (id, text) => void drafts.set(id, text) };
};

/** The port of an app that hears of another tab's changes when it is told. */
export const toldOfChanges = () => {
  let hear: (id: string) => void = () => undefined;
  const watchLog = (changed: typeof hear) => {
    hear = changed;
    return () => undefined;
  };
  return { watchLog, hear: (id: string) => hear(id) };
};

/** Waits until an app's state is such. */
export const until = (
  { getState, subscribe }: StoreApi<AppState>,
  holds: (state: AppState) => boolean,
): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (!holds(getState())) return;
      stop();
      resolve();
    };
    const stop = subscribe(look);
    look();
  });

/** Creates the same app without starting it. */
export const unstartedApp = (
  chat: ChatModel = countingChat(),
  { storage = memoryStorage(), ...ports }: PlainPorts = {},
) => {
  const models = plainModels({ chat });
  let clock = 0;
  return createApp(
    {
      openStorage: async () => ({ storage, kind: 'indexeddb', failure: null }),
      overlayStorage,
      models: () => models,
      modelControl: noChoice,
      embedded: { chat: namedChat('quoting'), decide: tagDecider(), summarise: firstWords, embed: bagEmbedder },
      learner: plainLearner(),
      rerunDeciders: () => Promise.reject(new Error('nothing is run again here')),
      heldOutDeciders: async () => null,
      readFile: async () => ({ ok: false, why: 'No file is read here.' }),
      readDialogues: () => Promise.reject(new Error('no dialogue is read here')),
      hashOf: async (bytes) => `of ${await bytes.text()}`,
      shippedPrompts: () => Promise.reject(new Error('no language model is asked here')),
      drafts: memoryDrafts(),
      watchSettings: () => () => undefined,
      watchLog: () => () => undefined,
      watchLessons: () => () => undefined,
      exclusive: async (_name, _patience, task) => {
        await task();
        return true;
      },
      whenFree: () => new Promise(() => undefined),
      now: () => ++clock,
      elapsed: () => clock,
      newId: () => `id${ids++}`,
      ...ports,
    },
    readyRoles,
  );
};

const ready: RoleState = {
  choice: { kind: 'embedded' },
  name: 'x',
  answering: 'x',
  previous: null,
  missing: false,
  state: 'ready',
  progress: null,
  failure: null,
};

/** Every role has its embedded model, ready for use. */
export const readyRoles: AppState['models'] = { chat: ready, decide: ready, summarise: ready, embed: ready };

const refuse = () => Promise.reject(new ModelFailure('unsupported', 'There is nothing to choose here.'));

/** For tests that choose no model: there are none, and every request is refused. */
export const noChoice: ModelControl = {
  probe: refuse,
  offers: async () => [],
  recommended: async () => null,
  choose: refuse,
  chooseAll: refuse,
  cancel: () => undefined,
  retry: refuse,
  stored: async () => [],
  remove: refuse,
  addOwn: refuse,
  removeOwn: refuse,
  connect: refuse,
  serversWithKey: async () => [],
  disconnect: refuse,
  settings: refuse,
  set: refuse,
};

/** A learner whose lessons record the right answer and whose knowledge is the lessons it was last given. */
export const plainLearner = (): Learner & { readonly known: readonly Lesson[] } => {
  let known: readonly Lesson[] = [];
  return {
    get known() {
      return known;
    },
    lessonsOf: async ({ topic, branch }) => {
      const action = topic.target === null ? ('create-topic' as const) : ('continue-topic' as const);
      const lesson = { question: 'topic' as const, message: {}, choices: [{ action, base: 0, facts: {} }], right: 0 };
      return branch === null ? [lesson] : [lesson, { ...lesson, question: 'branch' }];
    },
    learn: async (lessons) => {
      known = lessons;
      return { lessons: lessons.length, corrections: { of: 0, missed: 0 }, share: 1, reasons: [], weights: {} };
    },
  };
};
