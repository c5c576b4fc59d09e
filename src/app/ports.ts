import type { Learner } from '../engine/place/lessons.ts';
import type { ChatModel, Decider, Formats, Models, Storage, StorageFailure, Summariser } from '../engine/ports.ts';
import type { Prompts } from '../engine/settings.ts';
import type { Evaluation } from '../features/evaluate/evaluation-port.ts';
import type { OwnModels } from '../features/what-if/what-if-parts.ts';
import type { ModelControl } from './model-control.ts';

/** What the app needs from outside; main.tsx brings it. */
export interface AppPorts {
  openStorage(): Promise<{ storage: Storage; kind: 'indexeddb' | 'memory'; failure: StorageFailure | null }>;
  /** Goes on in memory over a storage that takes nothing any more but may still be read. */
  overlayStorage(below: Storage): Storage;
  readonly formats: Formats;
  models(): Models;
  readonly embedded: { readonly chat: ChatModel; readonly decide: Decider; readonly summarise: Summariser };
  /** Learns from the person's corrections, for the embedded decider. */
  readonly learner: Learner;
  /** Chooses and loads what `models` answers with. */
  readonly modelControl: ModelControl;
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
  /**
   * Loads what measures on labelled dialogues. It finds vectors in the cache and keeps them there. The chosen
   * decider is the one from Models; null where that is the embedded one.
   */
  openEvaluation(parts: {
    readonly cache: Pick<Storage, 'readVectors' | 'saveVectors'>;
    chosenDecider(): Decider | null;
  }): Promise<Evaluation>;
  /** Loads what re-runs decide with beside the models of the app. */
  openWhatIf(): Promise<OwnModels>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds on a clock that never goes back. */
  elapsed(): number;
  newId(): string;
}
