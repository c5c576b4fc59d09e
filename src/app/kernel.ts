import * as z from 'zod/mini';
import type { StoreApi } from 'zustand/vanilla';
import type { Attachment } from '../domain/attachment.ts';
import { Id, Target } from '../domain/decision.ts';
import type { Entry } from '../domain/entry.ts';
import { parsedJson } from '../domain/expectation.ts';
import type { Forest, NodeId } from '../domain/forest.ts';
import type { Intent, IntentOutcome } from '../domain/handle.ts';
import { plural } from '../domain/numbers.ts';
import { idsOf } from '../domain/table.ts';
import type { Engine } from '../engine/engine.ts';
import type { WhatIfDeciders } from '../engine/history/what-if.ts';
import type { Learner } from '../engine/lessons.ts';
import { asSentence, errorMessage, ModelFailure } from '../engine/model-failure.ts';
import type { ChatModel, Decider, Embedder, Models, Summariser } from '../engine/ports.ts';
import type { Prompts } from '../engine/settings.ts';
import { type Drafts, type Storage, StorageFailure } from '../engine/storage.ts';
import type { ModelControl } from './model-control.ts';
import type { Snapshots } from './snapshots.ts';
import {
  type AppState,
  type InspectorTab,
  type Notice,
  type Problem,
  paneInView,
  type Session,
  type SessionChange,
} from './state.ts';

/** State and services shared by the parts of the app. */
export interface Kernel {
  readonly store: StoreApi<AppState>;
  readonly ports: AppPorts;
  readonly snapshots: Snapshots;
  storage: Storage;
  /** The engine of the open conversation. */
  engine: Engine;
  /** Applies an intent to the open conversation: first to the log, then to the store. */
  commit(intent: Intent): Promise<IntentOutcome>;
  /** Commits an event as its own undo step; to `conversationId` if given, else to the open conversation. */
  record(event: (Intent & { type: 'record' })['event'], conversationId?: string): Promise<IntentOutcome>;
  /** Opens a conversation anew, if it is still open, once the commit that has found its log replaced has ended. */
  reopen(conversationId: string): void;
  /** Runs tasks that change the log one at a time, in the same queue as commits. */
  inQueue<T>(task: () => Promise<T>): Promise<T>;
  /** Resolves once the storage and a conversation are open. */
  readonly opened: Promise<void>;
}

/**
 * Wraps an action: calls made while the storage is still opening wait for it, and errors are shown, not thrown.
 * `what` names the operation, as the start of “… failed”.
 */
export const reportingErrors =
  <A extends unknown[]>(kernel: Kernel, what: string, task: (...args: A) => Promise<unknown>) =>
  async (...args: A): Promise<void> => {
    await kernel.opened;
    await task(...args).catch((error: unknown) => reportUnexpected(kernel, what, error));
  };

/** The same for an action that keeps something typed: resolves to whether it was kept, so that it stays in its field if it was not. */
export const reportingWhetherKept =
  <A extends unknown[]>(kernel: Kernel, what: string, task: (...args: A) => Promise<boolean>) =>
  async (...args: A): Promise<boolean> => {
    let kept = false;
    await reportingErrors(kernel, what, async () => {
      kept = await task(...args);
    })();
    return kept;
  };

/** Wraps an action that returns a value: it waits in the same way, and rejects on failure. */
export const whenOpen =
  <A extends unknown[], T>(kernel: Kernel, task: (...args: A) => T | Promise<T>) =>
  async (...args: A): Promise<T> => {
    await kernel.opened;
    return task(...args);
  };

/**
 * Returns a check of whether the conversation that is open now is open still: what has waited must neither go on in
 * another one nor speak of it there.
 */
export const stillOpen = ({ store }: Kernel): (() => boolean) => {
  const { conversationId } = store.getState();
  return () => store.getState().conversationId === conversationId;
};

/** Setting `selectedId` selects only that turn, and setting `dialog` opens it with nothing, unless the change says more. */
export const setSession = ({ store }: Kernel, change: SessionChange): void => {
  const { selectedId, dialog } = change;
  const selection = selectedId === undefined ? {} : { selection: selectedId === null ? [] : [selectedId] };
  const argument = dialog === undefined ? {} : { with: null };
  store.setState(({ session }) => ({ session: { ...session, ...selection, ...argument, ...change } }));
};

/**
 * Drops turns that no longer exist from the selection and the target; one shown in the past stays selected. What is being
 * written about such a turn waits for it to come back, unless its words are to be gone (`texts`).
 */
export const pruneSelection = (kernel: Kernel, { texts = false } = {}): void => {
  const { forest, past, session } = kernel.store.getState();
  const there = (id: NodeId): boolean => forest.nodes[id] !== undefined;
  const shown = (id: NodeId | null): boolean => id !== null && (there(id) || past?.forest.nodes[id] !== undefined);
  const selection = session.selection.filter(shown);
  setSession(kernel, {
    selection,
    selectedId: shown(session.selectedId) ? session.selectedId : (selection[0] ?? null),
    ...(texts && session.editing !== null && !there(session.editing.nodeId) ? { editing: null } : {}),
    ...(texts ? { writing: session.writing.filter(({ nodeId }) => there(nodeId)) } : {}),
    ...(session.target?.kind === 'under' && !there(session.target.nodeId) ? { target: null } : {}),
  });
};

/** Whether the next message was to continue from a turn that was gone to, and the conversation has moved on from there. */
export const hasMovedOn = (before: Forest, { forest, session: { target } }: AppState): boolean =>
  target?.kind === 'under' &&
  target.chosen !== true &&
  target.nodeId === before.active?.nodeId &&
  target.nodeId !== forest.active?.nodeId;

/** What is being written in a conversation besides the draft, and where the draft is to go. */
type Unfinished = Pick<Session, 'editing' | 'writing' | 'target'>;

const StoredUnfinished = z.object({
  editing: z.nullable(z.object({ nodeId: Id, text: z.string() })),
  writing: z.array(z.object({ nodeId: Id, what: z.enum(['note', 'summary']), text: z.string() })),
  target: z.nullable(Target),
});

/** What is unfinished as a text to be stored; empty for nothing. A place that the user did not choose is found again. */
export const storedUnfinished = ({ editing, writing, target: where }: Unfinished): string => {
  const target = where?.chosen === true ? where : null;
  const isNothing = editing === null && writing.length === 0 && target === null;
  return isNothing ? '' : JSON.stringify({ editing, writing, target });
};

/** What was stored; nothing if it is damaged. What is about a turn that is gone waits for it, as in `pruneSelection`. */
export const unfinishedFrom = (text: string, made: Forest | null): Unfinished => {
  const { data } = StoredUnfinished.safeParse(parsedJson(text));
  const { editing = null, writing = [], target = null } = data ?? {};
  const isGone = target?.kind === 'under' && made?.nodes[target.nodeId] === undefined;
  return { editing, writing, target: isGone ? null : target };
};

/** The key a draft is stored under: a conversation with no messages yet gets a new id after a reload. */
export const draftKey = (conversationId: string, entries: number): string => (entries === 0 ? 'new' : conversationId);

/** The key under which what is unfinished in a conversation is stored with the drafts. */
export const unfinishedKey = (conversationId: string): string => `unfinished ${conversationId}`;

/** Forgets what is stored as unfinished about turns of the open conversation that are gone, from whatever tab. */
export const pruneUnfinished = ({ ports: { drafts }, store }: Kernel): void => {
  const { conversationId, forest } = store.getState();
  const key = unfinishedKey(conversationId);
  const there = ({ nodeId }: { readonly nodeId: NodeId }): boolean => forest.nodes[nodeId] !== undefined;
  const { editing, writing, target } = unfinishedFrom(drafts.read(key), forest);
  const edited = editing !== null && there(editing) ? editing : null;
  drafts.save(key, storedUnfinished({ editing: edited, writing: writing.filter(there), target }));
};

/** Removes what was written in a conversation that has messages, and not sent or saved. Returns what puts it back. */
export const takeDraft = ({ ports: { drafts } }: Kernel, conversationId: string): (() => void) => {
  const texts = [conversationId, unfinishedKey(conversationId)].map((key) => [key, drafts.read(key)] as const);
  for (const [key] of texts) drafts.save(key, '');
  return () => {
    for (const [key, text] of texts) drafts.save(key, text);
  };
};

/** Shows a problem, replacing one with the same id. */
export const report = ({ store }: Kernel, problem: Problem): void =>
  store.setState(({ problems }) => ({ problems: [...problems.filter(({ id }) => id !== problem.id), problem] }));

/** `others`: how many files besides the named one are not attached for the same reason. */
export const reportNotAttached = (kernel: Kernel, name: string, why: string, others = 0): void => {
  const which = others === 0 ? `${name} is` : `${name} and ${others} other ${plural(others, 'file')} are`;
  report(kernel, { id: `attach-${name}`, title: `${which} not attached`, advice: why, action: null });
};

/** Why a file of a draft is not there: once a newer version has closed the storage, nothing stored can be read. */
export const whyAbsent = ({ store }: Kernel): string =>
  store.getState().storage.stopped === 'failed'
    ? 'It cannot be read until the page is reloaded.'
    : 'It is no longer stored.';

/** Turns whose vectors are saved again between two changes of the log. */
const SAVED_AT_ONCE = 256;

let notices = 0;
export const notify = ({ store }: Kernel, text: string, action: Notice['action'] = null): void =>
  store.setState({ notice: { id: ++notices, text, action } });

/** `from`: the conversation it was to be sent in, which stays open if the other one could not be opened. */
export const notifyNotSent = (kernel: Kernel, from: string, what: 'message' | 'edit'): void => {
  const opened = kernel.store.getState().conversationId === from ? 'about to be opened' : 'opened';
  const where = what === 'edit' ? 'in the conversation it belongs to' : 'as the draft of its own conversation';
  notify(kernel, `The ${what} was not sent, since another conversation was ${opened}. It is kept ${where}.`);
};

/** Reports an unexpected error, so that no failure is silent. */
export const reportUnexpected = (kernel: Kernel, what: string, error: unknown): void => {
  const words = asSentence(errorMessage(error));
  report(kernel, {
    id: `unexpected-${what}`,
    title: `${what} failed`,
    // A failure of the storage may be about what was saved, and says what to do.
    advice:
      error instanceof StorageFailure
        ? words
        : `${words} Everything saved so far is safe. Try again, or reload the page.`,
    action: null,
  });
};

/** Runs a task that a reload of the page would end: the page is not updated meanwhile. */
export const longTask = async <T>({ store }: Kernel, task: () => Promise<T>): Promise<T> => {
  const count = (by: 1 | -1) => store.setState(({ longTasks }) => ({ longTasks: longTasks + by }));
  count(1);
  try {
    return await task();
  } finally {
    count(-1);
  }
};

/** After the cached vectors were cleared: those of the open conversation are cached again in the background, so that it can be searched. */
export const saveVectorsAgain = (kernel: Kernel): void => {
  const { engine, store } = kernel;
  const ids = idsOf(store.getState().forest.nodes);
  const save = async (): Promise<void> => {
    // Between changes of the log: those of a turn that is purged meanwhile must not come back.
    const some = (at: number) => async () => {
      if (kernel.engine === engine) await engine.saveVectors(ids.slice(at, at + SAVED_AT_ONCE));
    };
    for (let at = 0; at < ids.length; at += SAVED_AT_ONCE) await kernel.inQueue(some(at));
  };
  // Otherwise they are made again when it is next opened.
  save().catch(() => undefined);
};

/** A dialogue from a file, in chronological order. */
export interface ReadDialogue {
  readonly title: string;
  readonly turns: readonly {
    readonly message: string;
    /** Who said the message if there are several speakers; null if there is only one. */
    readonly speaker: string | null;
    /** Empty if there is none. */
    readonly reply: string;
    /**
     * Indices of the turns it continues from according to the file, the parent first; empty if it starts a topic. null for
     * a moved turn with a later parent, which a chronological reader could not know.
     */
    readonly parents: readonly number[] | null;
  }[];
}

/** Reads the valid files and explains why the others were refused. Rejects with a message for the user, or when the signal fires. */
export type ReadDialogues = (
  files: readonly File[],
  signal: AbortSignal,
) => Promise<{
  readonly dialogues: readonly ReadDialogue[];
  /** Conversations exported by Coppice itself. */
  readonly logs: readonly { readonly title: string; readonly entries: readonly Entry[] }[];
  readonly refused: readonly { readonly name: string; readonly why: string }[];
}>;

/** A file ready to be attached, or why it cannot be, in whole sentences for the user. */
export type ReadFile =
  | { readonly ok: true; readonly attachment: Attachment & { readonly id: string }; readonly bytes: Blob }
  | { readonly ok: false; readonly why: string };

/** What the app needs from outside; provided by main.tsx. */
export interface AppPorts {
  /** `begin` may start reading before the storage is known to work. */
  openStorage(
    begin: (storage: Storage) => void,
  ): Promise<{ storage: Storage; kind: 'indexeddb' | 'memory'; failure: StorageFailure | null }>;
  /** Returns an in-memory storage on top of one that no longer accepts writes but may still be readable. */
  overlayStorage(below: Storage): Storage;
  models(): Models;
  readonly embedded: {
    readonly chat: ChatModel;
    readonly decide: Decider;
    readonly summarise: Summariser;
    readonly embed: Embedder;
  };
  /** Learns from the user's corrections for the embedded decider. */
  readonly learner: Learner;
  /** Chooses and loads the models that `models` returns. */
  readonly modelControl: ModelControl;
  /** Reads a file to attach to a message: its metadata and the text in it. Once the signal fires, its answer counts no more. */
  readFile(file: File, signal?: AbortSignal): Promise<ReadFile>;
  /** Reads dialogues in any format that can be imported. */
  readonly readDialogues: ReadDialogues;
  /** SHA-256 in hex. */
  hashOf(bytes: Blob): Promise<string>;
  /** The default prompts for language models. */
  shippedPrompts(): Promise<Prompts>;
  /** Calls back with the name of a setting that another tab has saved. Returns an unsubscribe function. */
  watchSettings(changed: (name: string) => void): () => void;
  /** Calls back when another tab has changed the lessons. Returns an unsubscribe function. */
  watchLessons(changed: () => void): () => void;
  /** Calls back when another tab has appended to a conversation's log. Returns an unsubscribe function. */
  watchLog(changed: (conversationId: string) => void): () => void;
  /**
   * Runs a task while no other tab runs one of the same name. Resolves to false without running it if another tab
   * is still busy after `patience` milliseconds.
   */
  exclusive(name: string, patience: number, task: () => Promise<void>): Promise<boolean>;
  /** Resolves once no tab runs a task of that name in `exclusive`; never where that cannot be known. */
  whenFree(name: string): Promise<void>;
  /** Loads the deciders that re-runs use in addition to the app's models. */
  rerunDeciders(): Promise<WhatIfDeciders>;
  /** The same with weights not fitted to a dialogue containing these messages; null if the shipped weights were not trained on one. */
  heldOutDeciders(messages: readonly string[]): Promise<WhatIfDeciders | null>;
  /** Unsent messages. */
  readonly drafts: Drafts;
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds on a monotonic clock. */
  elapsed(): number;
  newId(): string;
}

/** Reports a model failure that is not shown anywhere else. An operation ended by the user is not a problem. */
const reportModelFailure = (kernel: Kernel, what: string, error: unknown): void => {
  if (!(error instanceof ModelFailure)) return reportUnexpected(kernel, what, error);
  if (error.kind === 'closed') return;
  report(kernel, {
    id: `models-${what}`,
    title: `${what} failed.`,
    advice: error.message,
    action: { label: 'Open Models', run: () => setSession(kernel, { dialog: 'models' }) },
  });
};

/** Actions that need no storage: session state, problems and notices, and the choice of models. */
export const sessionActions = (kernel: Kernel) => ({
  session: (change: SessionChange): void => setSession(kernel, change),
  /** Shows the inspector, at a tab if one is given: even if it is folded or, on a phone, behind another pane. */
  showInspector: (tab?: InspectorTab): void => {
    setSession(kernel, {
      ...(tab !== undefined && { tab }),
      ...paneInView('inspector', kernel.store.getState().session),
    });
  },
  dismiss: (problemId: string): void =>
    kernel.store.setState(({ problems }) => ({ problems: problems.filter(({ id }) => id !== problemId) })),
  closeNotice: (): void => kernel.store.setState({ notice: null }),
  /** Short text for screen readers and a toast. */
  announce: (text: string, action?: Notice['action']): void => notify(kernel, text, action),
  /** Its calls reject with a ModelFailure; the caller shows it in place or passes it to `reportModelFailure`. */
  models: kernel.ports.modelControl,
  /** Shows a failure of `models` as a problem, when it can no longer be shown where it happened. */
  reportModelFailure: (what: string, error: unknown): void => reportModelFailure(kernel, what, error),
  /** Shows an unexpected error as a problem. */
  reportFailure: (what: string, error: unknown): void => reportUnexpected(kernel, what, error),
});
