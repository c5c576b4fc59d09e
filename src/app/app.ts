import { createStore, type StoreApi } from 'zustand/vanilla';
import { attachmentIds } from '../domain/entry.ts';
import type { Intent } from '../domain/handle.ts';
import type { Host } from '../engine/core.ts';
import { Engine } from '../engine/engine.ts';
import type { Embedder } from '../engine/ports.ts';
import type { Storage } from '../engine/storage.ts';
import { once } from '../engine/tasks.ts';
import { embedForest } from '../engine/vectors/node-vectors.ts';
import type { Actions } from './actions.ts';
import { asDataUrls, createAttachments, keptDataUrls } from './attachments.ts';
import { catchUpWithLog, commitTo, commitToStored, goOnInMemory, purge, Queue } from './conversation-log.ts';
import { createConversations } from './conversations.ts';
import { createDraftPreview, followLanguage, keepCounting } from './draft-preview.ts';
import { createEdits, createHandEdits } from './edits.ts';
import { type AppPorts, type Kernel, notify, reportModelFailure, reportUnexpected, setSession } from './kernel.ts';
import { createLearning } from './learning.ts';
import { createReplay } from './replay.ts';
import { createKeys, createSettings } from './settings.ts';
import { type AppState, initialState } from './state.ts';
import { createTime, openComparison } from './time.ts';
import { showSometimes, Turns } from './turns.ts';

export interface CreatedApp {
  readonly store: StoreApi<AppState>;
  readonly actions: Actions;
  readonly part: OpenPart;
  /** Opens the storage and the conversation used last. */
  start(): Promise<void>;
  /** Embeds the open conversation by an embedder that is to answer soon. */
  compareAnew(embedder: Embedder, onDone: (done: number, of: number) => void, signal: AbortSignal): Promise<void>;
}

/**
 * A part of the app that a feature makes for itself, and that outlives its dialog: made when it is first asked for, once
 * the storage is open, and the same from then on. Where that fails it rejects, and the next to ask tries again.
 */
export type OpenPart = <T>(make: (kernel: Kernel, actions: Actions) => T | Promise<T>) => Promise<T>;

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
    settings: () => settings.used(),
    now: ports.elapsed,
    newId: ports.newId,
  });
  const hostOf = (conversationId: string): Host => ({
    forest: () => store.getState().forest,
    commit: (intent) => queue.run(() => commitTo(kernel, conversationId, intent)),
    phase: (phase, nodeId, replyId) => store.setState({ turn: { phase, nodeId, replyId, unsaved: '' } }),
    received: showSometimes(store, ports.elapsed),
  });

  // Both are there once `start` has opened the storage, and every action waits for that, see `guarded`.
  let storage: Storage | null = null;
  let engine: Engine | null = null;
  const kernel: Kernel = {
    store,
    ports,
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
    commit: (intent) => queue.run(() => commitTo(kernel, store.getState().conversationId, intent)),
    does: (event, conversationId) => {
      const intent: Intent = { type: 'record', event, step: ports.newId() };
      if (conversationId === undefined || conversationId === store.getState().conversationId) {
        return kernel.commit(intent);
      }
      return queue.run(() => commitToStored(kernel, conversationId, intent));
    },
  };
  const learning = createLearning(kernel);
  const turns = new Turns(kernel, learning);
  const edits = createEdits(kernel, turns, learning);
  const byHand = createHandEdits(kernel, {
    learning,
    undo: edits.undo,
    purge: (nodeIds) => queue.run(() => purge(kernel, nodeIds)),
  });
  const conversations = createConversations(kernel, turns, engineFor);
  const attachments = createAttachments(kernel);
  const replay = createReplay(kernel, turns);
  const keys = createKeys(kernel);
  const draftPreview = createDraftPreview(kernel);
  const settings = createSettings(kernel);
  const time = createTime(kernel, { learning, adopt: conversations.adopt });

  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  /** What is asked for while the storage is still opening waits for it; what fails is shown, not thrown. */
  const guarded =
    <A extends unknown[]>(what: string, task: (...args: A) => Promise<unknown>) =>
    async (...args: A): Promise<void> => {
      await opened;
      await task(...args).catch((error: unknown) => reportUnexpected(kernel, what, error));
    };

  const actions: Actions = {
    send: guarded('Sending', async (text) => {
      replay.pauseReplay();
      await turns.send(await attachments.whenRead(text), null);
    }),
    attach: guarded('Attaching', attachments.attach),
    detach: guarded('Taking the file away', attachments.detach),
    keepFile: async (file) => {
      await opened;
      return attachments.keepFile(file);
    },
    filesOf: async (entries) => {
      await opened;
      return new Map(
        Object.entries(await asDataUrls([...attachmentIds(entries)], (id) => kernel.storage.readBlob(id))),
      );
    },
    filesKept: async () => {
      await opened;
      return kernel.storage.blobsKept();
    },
    chatSees: () => ports.models().chat.sees === true,
    bytesOf: async (attachment) => {
      await opened;
      return attachments.bytesOf(attachment);
    },
    stop: () => turns.stop(),
    sendEdited: guarded('Sending', async () => {
      replay.pauseReplay();
      await turns.sendEdited();
    }),
    regenerate: guarded('Replying', (nodeId, by) => turns.regenerate(nodeId, by)),
    resume: guarded('Going on with the reply', (nodeId) => turns.resume(nodeId)),
    chooseReply: guarded('Choosing the reply', (nodeId, replyId) => turns.chooseReply(nodeId, replyId)),
    setReplySettings: guarded('Changing the reply settings', edits.setReplySettings),
    select: edits.select,
    activate: guarded('Going there', edits.activate),
    correct: guarded('Moving the turn', edits.correct),
    confirm: guarded('Confirming the turn', edits.confirm),
    titleTopic: guarded('Renaming the topic', edits.titleTopic),
    undo: guarded('Undo', edits.undo),
    redo: guarded('Redo', edits.redo),
    travel: time.travel,
    selectMany: byHand.selectMany,
    moveTurns: guarded('Moving turns', byHand.moveTurns),
    previewMove: byHand.previewMove,
    extractTurn: guarded('Taking the turn out', byHand.extractTurn),
    deleteTurns: guarded('Deleting turns', byHand.deleteTurns),
    hideTurns: guarded('Hiding turns', byHand.hideTurns),
    endBranch: guarded('Ending the branch', byHand.endBranch),
    purgeTurns: guarded('Purging turns', byHand.purgeTurns),
    pinTurn: guarded('Pinning the turn', (nodeId, pinned) => byHand.pinTurns([nodeId], pinned)),
    pinTurns: guarded('Pinning turns', byHand.pinTurns),
    noteTurn: guarded('Keeping the note', byHand.noteTurn),
    rewordSummary: guarded('Changing the summary', byHand.rewordSummary),
    titleBranch: guarded('Renaming the branch', byHand.titleBranch),
    addReference: guarded('Adding the reference', byHand.addReference),
    removeReference: guarded('Removing the reference', byHand.removeReference),
    forkFrom: byHand.forkFrom,
    goToStep: guarded('Going there', time.goToStep),
    branchOff: guarded('Starting a conversation from there', time.branchOff),
    restore: guarded('Restoring that moment', time.restore),
    newConversation: guarded('Starting a conversation', async () => {
      replay.stopReplay();
      await conversations.newConversation();
    }),
    openConversation: guarded('Opening the conversation', async (id) => {
      replay.stopReplay();
      await conversations.openConversation(id);
    }),
    renameConversation: guarded('Renaming the conversation', conversations.renameConversation),
    deleteConversation: guarded('Deleting the conversation', async (id) => {
      if (id === store.getState().conversationId) replay.stopReplay();
      await conversations.deleteConversation(id);
    }),
    restoreConversation: guarded('Bringing the conversation back', conversations.restoreConversation),
    adopt: guarded('Opening the file', async (log) => {
      replay.stopReplay();
      await conversations.adopt(log);
    }),
    keepConversation: async (id, title, make) => {
      await opened;
      return conversations.keep(id, title, make);
    },
    openKept: guarded('Opening the conversation', async (id) => {
      replay.stopReplay();
      await conversations.openKept(id);
    }),
    readLog: async (id) => {
      await opened;
      const { conversationId, entries } = store.getState();
      return id === conversationId ? entries : kernel.storage.read(id);
    },
    withStorage: async (task) => {
      await opened;
      return task(kernel.storage);
    },
    changeStorage: async (task) => {
      await opened;
      replay.stopReplay();
      await turns.halt();
      try {
        return await queue.run(() => task(kernel.storage));
      } finally {
        await learning.refresh();
        await conversations.reopen();
      }
    },
    replay: guarded('The replay', async (dialogue, options) => {
      replay.stopReplay();
      if (store.getState().entries.length > 0) await conversations.newConversation();
      else await turns.halt();
      await replay.replay(dialogue, options);
    }),
    pauseReplay: replay.pauseReplay,
    resumeReplay: guarded('The replay', replay.resumeReplay),
    stepReplay: guarded('The replay', replay.stepReplay),
    stopReplay: replay.stopReplay,
    setReplayPause: replay.setReplayPause,
    letLearn: guarded('Learning from corrections', learning.letLearn),
    pauseLearning: guarded('Pausing the learning', learning.pauseLearning),
    forgetLessons: guarded('Forgetting the lessons', learning.forgetLessons),
    lessonsFile: () =>
      opened.then(learning.lessonsFile).catch((error: unknown) => {
        reportUnexpected(kernel, 'Exporting the lessons', error);
        return null;
      }),
    ...openComparison(kernel, opened),
    previewDraft: guarded('Previewing the message', draftPreview.previewDraft),
    setKeys: guarded('Keeping the keys', keys.setKeys),
    changeSettings: guarded('Changing the settings of the engine', settings.changeSettings),
    goToSettings: guarded('Changing the settings of the engine', settings.goToSettings),
    shippedPrompts: ports.shippedPrompts,
    embedderNow: () => {
      const { name, theta, languages = null } = ports.models().embed;
      return { name, theta, languages };
    },
    models: ports.modelControl,
    reportModelFailure: (what, error) => reportModelFailure(kernel, what, error),
    reportFailure: (what, error) => reportUnexpected(kernel, what, error),
    session: (change) => setSession(kernel, change),
    dismiss: (problemId) =>
      store.setState(({ problems }) => ({ problems: problems.filter(({ id }) => id !== problemId) })),
    closeNotice: () => store.setState({ notice: null }),
    announce: (text, action) => notify(kernel, text, action),
  };

  const parts = new Map<unknown, () => Promise<unknown>>();
  const part: OpenPart = <T>(make: Parameters<OpenPart>[0]) => {
    const made = parts.get(make) ?? once(() => opened.then(() => make(kernel, actions)));
    parts.set(make, made);
    return made() as Promise<T>;
  };

  const start = async () => {
    const { storage, kind, failure } = await ports.openStorage();
    kernel.storage = storage;
    kernel.engine = engineFor('');
    store.setState((state) => ({ storage: { ...state.storage, kind } }));
    if (failure !== null) goOnInMemory(kernel, failure);
    await keys.start();
    await settings.start();
    // Before the first message: a decision should know what the person has taught.
    const learn = () => learning.start().catch((error) => reportUnexpected(kernel, 'Reading the lessons', error));
    await conversations.start(learn).finally(open);
    const estimate = await kernel.storage.estimate();
    store.setState((state) => ({ storage: { ...state.storage, estimate } }));
    ports.watchLog((id) => {
      const follow = async () => {
        await queue.run(() => catchUpWithLog(kernel, id));
        await conversations.refresh();
      };
      follow().catch((error) => reportUnexpected(kernel, 'Following another tab', error));
    });
    keepCounting(kernel);
    followLanguage(kernel);
    draftPreview.start();
  };

  const compareAnew: CreatedApp['compareAnew'] = async (embedder, onDone, signal) => {
    await opened;
    await embedForest(store.getState().forest, embedder, enginePartsOf().vectors, onDone, signal);
  };

  return {
    store,
    actions,
    part,
    compareAnew,
    start: () => start().catch((error) => reportUnexpected(kernel, 'Opening', error)),
  };
};
