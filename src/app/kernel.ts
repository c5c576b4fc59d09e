import type { StoreApi } from 'zustand/vanilla';
import type { Attachment } from '../domain/attachment.ts';
import type { Intent, IntentOutcome } from '../domain/handle.ts';
import type { Engine } from '../engine/engine.ts';
import type { WhatIfDeciders } from '../engine/history/what-if.ts';
import { errorMessage, ModelFailure } from '../engine/model-failure.ts';
import type { Learner } from '../engine/place/lessons.ts';
import type { ChatModel, Decider, Embedder, Models, Summariser } from '../engine/ports.ts';
import type { Prompts } from '../engine/settings.ts';
import type { Drafts, Storage, StorageFailure } from '../engine/storage.ts';
import type { ModelControl } from './model-control.ts';
import type { Snapshots } from './snapshots.ts';
import type { AppState, Notice, Problem, Session } from './state.ts';

/** What the parts of the app share. */
export interface Kernel {
  readonly store: StoreApi<AppState>;
  readonly ports: AppPorts;
  readonly snapshots: Snapshots;
  storage: Storage;
  /** The engine of the open conversation. */
  engine: Engine;
  /** Carries an intent out on the open conversation: into the log first, then into the store. */
  commit(intent: Intent): Promise<IntentOutcome>;
  /** Commits an event as an undo step of its own; to another conversation than the open one if so told. */
  does(event: (Intent & { type: 'record' })['event'], conversationId?: string): Promise<IntentOutcome>;
  /** Runs tasks that change the log one after the other, with every commit. */
  inTurn<T>(task: () => Promise<T>): Promise<T>;
  /** Resolves when the storage is open, and with it a conversation. */
  readonly opened: Promise<void>;
}

/**
 * An action: what is asked for while the storage is still opening waits for it, and what fails is shown, not thrown.
 * `what` says what was being done, as the beginning of “… failed”.
 */
export const guarded =
  <A extends unknown[]>(kernel: Kernel, what: string, task: (...args: A) => Promise<unknown>) =>
  async (...args: A): Promise<void> => {
    await kernel.opened;
    await task(...args).catch((error: unknown) => reportUnexpected(kernel, what, error));
  };

/** An action that has an answer: it waits in the same way, and rejects where it fails. */
export const onceOpen =
  <A extends unknown[], T>(kernel: Kernel, task: (...args: A) => T | Promise<T>) =>
  async (...args: A): Promise<T> => {
    await kernel.opened;
    return task(...args);
  };

/** Who selects one turn selects no other, unless the change says so. */
export const setSession = ({ store }: Kernel, change: Partial<Session>): void => {
  const { selectedId } = change;
  const selection = selectedId === undefined ? {} : { selection: selectedId === null ? [] : [selectedId] };
  store.setState(({ session }) => ({ session: { ...session, ...selection, ...change } }));
};

/** Shows a problem, in place of one with the same id. */
export const report = ({ store }: Kernel, problem: Problem): void =>
  store.setState(({ problems }) => ({ problems: [...problems.filter(({ id }) => id !== problem.id), problem] }));

let notices = 0;
export const notify = ({ store }: Kernel, text: string, action: Notice['action'] = null): void =>
  store.setState({ notice: { id: ++notices, text, action } });

/** Shows what nobody foresaw, so that no failure is silent. */
export const reportUnexpected = (kernel: Kernel, what: string, error: unknown): void => {
  const words = errorMessage(error);
  report(kernel, {
    id: `unexpected-${what}`,
    title: `${what} failed`,
    advice: `${words}. What was there before is kept; try again, or reload the page.`,
    action: null,
  });
};

/** A dialogue of a file, in order of time. */
export interface ReadDialogue {
  readonly title: string;
  readonly turns: readonly {
    readonly message: string;
    /** Who says the message, where there are several; null where there is one person. */
    readonly speaker: string | null;
    /** Empty where there is none. */
    readonly reply: string;
    /** The turns that it goes on from as the file has it, by their indices, the parent first; none where it opens a topic. */
    readonly parents: readonly number[];
  }[];
}

/** Reads what is sound in the files, and says of the rest why it is not. Rejects with words for the person, or as the signal fires. */
export type ReadDialogues = (
  files: readonly File[],
  signal: AbortSignal,
) => Promise<{
  readonly dialogues: readonly ReadDialogue[];
  readonly refused: readonly { readonly name: string; readonly why: string }[];
}>;

/** A file as it can be attached, or why it cannot, in whole sentences for the person. */
export type ReadFile =
  | { readonly ok: true; readonly attachment: Attachment & { readonly id: string }; readonly bytes: Blob }
  | { readonly ok: false; readonly why: string };

/** What the app needs from outside; main.tsx brings it. */
export interface AppPorts {
  /** `begin` may read ahead, before the storage is found to work. */
  openStorage(
    begin: (storage: Storage) => void,
  ): Promise<{ storage: Storage; kind: 'indexeddb' | 'memory'; failure: StorageFailure | null }>;
  /** Goes on in memory over a storage that takes nothing any more but may still be read. */
  overlayStorage(below: Storage): Storage;
  models(): Models;
  readonly embedded: {
    readonly chat: ChatModel;
    readonly decide: Decider;
    readonly summarise: Summariser;
    readonly embed: Embedder;
  };
  /** Learns from the person's corrections, for the embedded decider. */
  readonly learner: Learner;
  /** Chooses and loads what `models` answers with. */
  readonly modelControl: ModelControl;
  /** Reads a file that is to go with a message: what it is, and what can be read in it. */
  readFile(file: File): Promise<ReadFile>;
  /** Reads dialogues in any form that can be imported. */
  readonly readDialogues: ReadDialogues;
  /** SHA-256 in hex. */
  hashOf(bytes: Blob): Promise<string>;
  /** What language models are told as shipped. */
  shippedPrompts(): Promise<Prompts>;
  /** Calls back with the name of a setting that another tab has saved. Returns how to end that. */
  watchSettings(changed: (name: string) => void): () => void;
  /** Calls back when another tab has changed the lessons. Returns how to end that. */
  watchLessons(changed: () => void): () => void;
  /** Calls back when another tab has added to a conversation's log. Returns how to end that. */
  watchLog(changed: (conversationId: string) => void): () => void;
  /**
   * Runs a task while no other tab runs one of the same name. Resolves to false, without having run it,
   * if another still does after `patience` milliseconds.
   */
  exclusive(name: string, patience: number, task: () => Promise<void>): Promise<boolean>;
  /** Loads what re-runs decide with beside the models of the app. */
  rerunDeciders(): Promise<WhatIfDeciders>;
  /** The same with weights that were not fitted to a dialogue of these messages; null where what ships was trained on none. */
  heldOutDeciders(messages: readonly string[]): Promise<WhatIfDeciders | null>;
  /** Messages that are not sent yet. */
  readonly drafts: Drafts;
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds on a clock that never goes back. */
  elapsed(): number;
  newId(): string;
}

/** Shows what went wrong with a model where nobody else does. What the person ended themselves is no problem. */
const reportModelFailure = (kernel: Kernel, what: string, error: unknown): void => {
  if (!(error instanceof ModelFailure)) return reportUnexpected(kernel, what, error);
  if (error.kind === 'closed') return;
  report(kernel, {
    id: `models-${what}`,
    title: `${what} failed.`,
    advice: error.message,
    action: { label: 'Open Models', run: () => setSession(kernel, { dialog: 'models', modelsPage: null }) },
  });
};

/** What needs no storage: where the person looks, what they are told, and which models answer. */
export const sessionActions = (kernel: Kernel) => ({
  session: (change: Partial<Session>): void => setSession(kernel, change),
  dismiss: (problemId: string): void =>
    kernel.store.setState(({ problems }) => ({ problems: problems.filter(({ id }) => id !== problemId) })),
  closeNotice: (): void => kernel.store.setState({ notice: null }),
  /** Short text for screen readers and a toast. */
  announce: (text: string, action?: Notice['action']): void => notify(kernel, text, action),
  /** Its calls reject with a ModelFailure: who asks shows it there, or hands it to `reportModelFailure`. */
  models: kernel.ports.modelControl,
  /** Shows, as a problem, a failure of `models` that has no place left where it happened. */
  reportModelFailure: (what: string, error: unknown): void => reportModelFailure(kernel, what, error),
  /** Shows, as a problem, what nobody foresaw. */
  reportFailure: (what: string, error: unknown): void => reportUnexpected(kernel, what, error),
});
