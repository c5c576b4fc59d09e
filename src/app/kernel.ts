import type { StoreApi } from 'zustand/vanilla';
import type { Handled, Intent } from '../domain/handle.ts';
import type { Engine } from '../engine/engine.ts';
import type { WhatIfDeciders } from '../engine/history/what-if.ts';
import { errorMessage, ModelFailure } from '../engine/model-failure.ts';
import type { Learner } from '../engine/place/lessons.ts';
import type { ChatModel, Decider, Embedder, Models, Summariser } from '../engine/ports.ts';
import type { Prompts } from '../engine/settings.ts';
import type { Drafts, Storage, StorageFailure } from '../engine/storage.ts';
import type { ReadFile } from './attachments.ts';
import type { ModelControl } from './model-control.ts';
import type { AppState, Notice, Problem, Session } from './state.ts';

/** What the parts of the app share. */
export interface Kernel {
  readonly store: StoreApi<AppState>;
  readonly ports: AppPorts;
  storage: Storage;
  /** The engine of the open conversation. */
  engine: Engine;
  /** Carries an intent out on the open conversation: into the log first, then into the store. */
  commit(intent: Intent): Promise<Handled>;
  /** Commits an event as an undo step of its own; to another conversation than the open one if so told. */
  does(event: (Intent & { type: 'record' })['event'], conversationId?: string): Promise<Handled>;
}

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

/** What the app needs from outside; main.tsx brings it. */
export interface AppPorts {
  openStorage(): Promise<{ storage: Storage; kind: 'indexeddb' | 'memory'; failure: StorageFailure | null }>;
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
  /** Messages that are not sent yet. */
  readonly drafts: Drafts;
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds on a clock that never goes back. */
  elapsed(): number;
  newId(): string;
}

/** Shows what went wrong with a model where nobody else does. What the person ended themselves is no problem. */
export const reportModelFailure = (kernel: Kernel, what: string, error: unknown): void => {
  if (!(error instanceof ModelFailure)) return reportUnexpected(kernel, what, error);
  if (error.kind === 'closed') return;
  report(kernel, {
    id: `models-${what}`,
    title: `${what} failed.`,
    advice: error.message,
    action: { label: 'Open Models', run: () => setSession(kernel, { dialog: 'models', modelsPage: null }) },
  });
};
