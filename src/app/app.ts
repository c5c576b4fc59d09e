import { createStore, type StoreApi } from 'zustand/vanilla';
import type { NodeId } from '../domain/forest.ts';
import type { Intent } from '../domain/handle.ts';
import type { Host } from '../engine/core.ts';
import { Engine } from '../engine/engine.ts';
import type { Embedder } from '../engine/ports.ts';
import type { Storage } from '../engine/storage.ts';
import { once, Queue } from '../engine/tasks.ts';
import { embedForest } from '../engine/vectors/node-vectors.ts';
import { type Actions, createParts } from './actions.ts';
import { keptDataUrls } from './attachments.ts';
import { catchUpWithLog, commitTo, commitToStored, goOnInMemory } from './conversation-log.ts';
import { followLanguage, keepCounting } from './draft-preview.ts';
import { keptSetting } from './kept-setting.ts';
import { type AppPorts, type Kernel, reportUnexpected } from './kernel.ts';
import { Snapshots } from './snapshots.ts';
import { type AppState, initialState } from './state.ts';
import { throttledStream } from './turns.ts';

interface CreatedApp {
  readonly store: StoreApi<AppState>;
  readonly actions: Actions;
  readonly part: OpenFeaturePart;
  /** Opens the storage and the most recently used conversation. */
  start(): Promise<void>;
  /** Embeds the open conversation with an embedder that is about to be used. */
  compareAnew(embedder: Embedder, onDone: (done: number, of: number) => void, signal: AbortSignal): Promise<void>;
  /** Reads a stored setting, where `changeSetting` saves it; undefined until the storage is open. */
  setting(name: string): Promise<unknown> | undefined;
  /** Saves what `next` makes of a stored setting, as `keptSetting` does; null leaves it as it is. */
  changeSetting(name: string, next: (stored: unknown) => unknown): Promise<void>;
}

/**
 * A part of the app that a feature creates for itself and that outlives its dialog. It is created on first request,
 * once the storage is open, and reused afterwards. If that fails, it rejects and the next request retries.
 */
export type OpenFeaturePart = <T>(make: (kernel: Kernel, actions: Actions) => T | Promise<T>) => Promise<T>;

export const createApp = (ports: AppPorts, models: AppState['models']): CreatedApp => {
  const store = createStore<AppState>(() => initialState(models, 'indexeddb'));
  const queue = new Queue();

  const engineFor = (conversationId: string): Engine => new Engine(enginePartsOf(), hostOf(conversationId));
  const pictures = keptDataUrls((id) => kernel.storage.readBlob(id));
  const enginePartsOf = () => ({
    models: ports.models,
    embedded: ports.embedded,
    vectors: {
      readVectors: (model: string, hashes: readonly string[]) => kernel.storage.readVectors(model, hashes),
      saveVectors: (model: string, vectors: ReadonlyMap<string, Float32Array>) =>
        kernel.storage.saveVectors(model, vectors),
    },
    pictures,
    settings: () => parts.settings.used(),
    now: ports.elapsed,
    newId: ports.newId,
  });
  const hostOf = (conversationId: string): Host => ({
    forest: () => store.getState().forest,
    commit: (intent) =>
      queue.run(async () => {
        const { forest } = store.getState();
        const outcome = await commitTo(kernel, conversationId, intent);
        // Its reply may show that a message goes on from the turn that was gone to.
        if (intent.type === 'reconsider' && outcome.ok) parts.turns.moveOn(forest, outcome.step);
        return outcome;
      }),
    inQueue: (task) => queue.run(task),
    phase: (phase, nodeId, replyId) => store.setState({ turn: { phase, nodeId, replyId, unsaved: '' } }),
    received: throttledStream(store, ports.elapsed),
    time: ports.now,
  });

  // Both are set once `start` has opened the storage; every action waits for that, see `reportingErrors` in kernel.ts.
  let storage: Storage | null = null;
  let engine: Engine | null = null;
  let open: () => void = () => undefined;
  const kernel: Kernel = {
    store,
    ports,
    snapshots: new Snapshots(),
    opened: new Promise<void>((resolve) => {
      open = resolve;
    }),
    inQueue: (task) => queue.run(task),
    get storage() {
      if (storage === null) throw new Error('The storage is not open yet');
      return storage;
    },
    set storage(next) {
      storage = next;
    },
    get engine() {
      if (engine === null) throw new Error('No conversation is open yet');
      return engine;
    },
    set engine(next) {
      engine = next;
    },
    commit: (intent) => {
      const { conversationId } = store.getState();
      return queue.run(() => commitTo(kernel, conversationId, intent));
    },
    record: (event, conversationId) => {
      const intent: Intent = { type: 'record', event, step: ports.newId() };
      if (conversationId === undefined || conversationId === store.getState().conversationId) {
        return kernel.commit(intent);
      }
      return queue.run(() => commitToStored(kernel, conversationId, intent));
    },
    reopen: (id) =>
      void parts.conversations
        .openReplaced(id)
        .catch((error) => reportUnexpected(kernel, 'Opening the conversation', error)),
  };
  const { actions, ...parts } = createParts(kernel, engineFor);

  const ofFeatures = new Map<unknown, () => Promise<unknown>>();
  const part: OpenFeaturePart = <T>(make: Parameters<OpenFeaturePart>[0]) => {
    const made = ofFeatures.get(make) ?? once(() => kernel.opened.then(() => make(kernel, actions)));
    ofFeatures.set(make, made);
    return made() as Promise<T>;
  };

  const start = async () => {
    const { storage, kind, failure } = await ports.openStorage(parts.conversations.readAhead);
    kernel.storage = storage;
    kernel.engine = engineFor('');
    store.setState((state) => ({ storage: { ...state.storage, kind } }));
    if (failure !== null) goOnInMemory(kernel, failure);
    ports.watchLog((id) => {
      const follow = async () => {
        await kernel.opened;
        await queue.run(() => catchUpWithLog(kernel, id));
        await parts.conversations.refresh(id);
        parts.turns.recoverOnceFree(id);
      };
      follow().catch((error) => reportUnexpected(kernel, 'Syncing with another tab', error));
    });
    await parts.keys.start();
    await parts.personas.start();
    await parts.settings.start();
    // Before the first message, so that decisions take into account what the user has taught.
    const learn = () => parts.learning.start().catch((error) => reportUnexpected(kernel, 'Reading the lessons', error));
    await parts.conversations.start(learn).finally(open);
    await parts.housekeeping.estimateAnew();
    keepCounting(kernel);
    followLanguage(kernel);
    parts.draftPreview.start();
    parts.housekeeping.start();
    // After a restored backup there may be thousands: nobody waits for them to be gone.
    void parts.conversations.removeOverdue();
  };

  const compareAnew: CreatedApp['compareAnew'] = async (embedder, onDone, signal) => {
    await kernel.opened;
    const { forest } = store.getState();
    const isThere = (id: NodeId) => store.getState().forest.nodes[id] !== undefined;
    const live = { isThere, inQueue: kernel.inQueue };
    await embedForest(forest, embedder, enginePartsOf().vectors, live, onDone, signal);
  };

  const saving = new Queue();
  const changeSetting: CreatedApp['changeSetting'] = async (name, next) => {
    await kernel.opened;
    const kept = keptSetting(kernel, { name, words: 'the setting', parse: (stored: unknown) => stored });
    await saving.run(() => kept.change(next));
  };

  return {
    store,
    actions,
    part,
    compareAnew,
    setting: (name) => storage?.setting(name),
    changeSetting,
    start: () => start().catch((error) => reportUnexpected(kernel, 'Opening', error)),
  };
};
