import type { Attachment } from '../domain/attachment.ts';
import type { Reference, Target } from '../domain/decision.ts';
import type { Entry } from '../domain/entry.ts';
import type { BranchId, NodeId, ReplyId, TreeId } from '../domain/forest.ts';
import type { ReplySettings } from '../domain/reply.ts';
import type { ShownContext } from '../engine/context/context-text.ts';
import type { PolicyFailed, TurnContexts } from '../engine/history/contexts-over-time.ts';
import type { ContextsWatch, MemoryThen } from '../engine/history/contexts-then.ts';
import type { Dialogue } from '../engine/ports.ts';
import type { Prompts } from '../engine/settings.ts';
import type { Storage } from '../engine/storage.ts';
import type { TitledLog } from './conversations.ts';
import type { ModelControl } from './model-control.ts';
import type { ReplayOptions } from './replay.ts';
import type { SettingsChange } from './saved-settings.ts';
import type { Keys } from './settings.ts';
import type { Notice, Session } from './state.ts';

/** What moving turns would do to the context of the next message. */
export interface MovePreview {
  /** Why it cannot be done, in words; null if it can. */
  readonly refusal: string | null;
  /** Tokens of the context before the message itself. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Turns whose full text would come into the context, or leave it. */
  readonly entering: readonly NodeId[];
  readonly leaving: readonly NodeId[];
}

/**
 * Everything the interface may ask for. What can fail shows it as a problem or a notice; no action rejects
 * unless it says so.
 */
export interface Actions {
  /* The turn */
  /** Sends the draft, with what is attached, to where the engine, or the person by `session.target`, puts it. */
  send(text: string): Promise<void>;
  /** Reads files and has them go with the next message; those that cannot are told of as problems. */
  attach(files: readonly File[]): Promise<void>;
  detach(attachment: Attachment): Promise<void>;
  /** Keeps a file of an import, with what can be read in it, whatever it is. Rejects where it cannot be stored. */
  keepFile(file: File): Promise<Attachment>;
  /** The files that a log names, as data URLs by their ids; those that are here. */
  filesOf(entries: readonly Entry[]): Promise<ReadonlyMap<string, string>>;
  /** How many files are kept with messages, and their bytes. Rejects where that cannot be read. */
  filesKept(): Promise<{ readonly files: number; readonly bytes: number }>;
  /** Whether the chosen chat model can be shown pictures. */
  chatSees(): boolean;
  /** The bytes of a file that came with a message; undefined where they are not there. Rejects where they cannot be read. */
  bytesOf(attachment: Attachment): Promise<Blob | undefined>;
  /** Stops the reply; what came of it stays. */
  stop(): void;
  /** Sends `session.editing` beside the message it comes from, which stays with all below it. */
  sendEdited(): Promise<void>;
  /** Another reply to a turn beside those it has; the new one counts. By the embedded chat model if so asked. */
  regenerate(nodeId: NodeId, by?: 'embedded'): Promise<void>;
  /** Goes on with a reply that broke off. */
  resume(nodeId: NodeId): Promise<void>;
  chooseReply(nodeId: NodeId, replyId: ReplyId): Promise<void>;
  /** For every reply of the conversation from now on. */
  setReplySettings(settings: ReplySettings): Promise<void>;

  /* The forest */
  select(nodeId: NodeId | null): void;
  /** Makes a turn the active node: the next message continues from there. */
  activate(nodeId: NodeId): Promise<void>;
  /** Corrects where a turn (with all under it) hangs, and keeps the correction as a label. */
  correct(nodeId: NodeId, to: Target): Promise<void>;
  /** Keeps as a label that a turn is where it belongs. */
  confirm(nodeId: NodeId): Promise<void>;
  titleTopic(treeId: TreeId, title: string): Promise<void>;

  /* The forest, by hand. Each is one step of undo; what cannot be done says why in a notice. */
  /** Selects several turns; `primary` is the one that the inspector shows. */
  selectMany(nodeIds: readonly NodeId[], primary: NodeId | null): void;
  /** Corrects where several turns hang, each with all under it; those that hang from another of them go along. */
  moveTurns(nodeIds: readonly NodeId[], to: Target): Promise<void>;
  /** What a move would do to the next message's context, without doing it. */
  previewMove(nodeIds: readonly NodeId[], to: Target): Promise<MovePreview>;
  /** Takes a turn out of its path into a topic of its own; its children close the gap. */
  extractTurn(nodeId: NodeId): Promise<void>;
  /** `alone`: what hangs from them stays, in their place. The words stay in the log until they are purged. */
  deleteTurns(nodeIds: readonly NodeId[], alone: boolean): Promise<void>;
  /** Hidden turns are never sent. */
  hideTurns(nodeIds: readonly NodeId[], hidden: boolean): Promise<void>;
  /** Moves the tip of a turn's branch back to it: what follows on the branch is hidden, with all under it. */
  endBranch(nodeId: NodeId): Promise<void>;
  /** Removes the words of turns from disk, with the undo history: nothing brings them back. */
  purgeTurns(nodeIds: readonly NodeId[]): Promise<void>;
  /** Full text in every context. */
  pinTurn(nodeId: NodeId, pinned: boolean): Promise<void>;
  /** The same for several, in one step; those that are so already stay as they are. */
  pinTurns(nodeIds: readonly NodeId[], pinned: boolean): Promise<void>;
  /** An empty note is none. */
  noteTurn(nodeId: NodeId, note: string): Promise<void>;
  /** No model writes over it; empty: it is made anew. */
  rewordSummary(nodeId: NodeId, text: string): Promise<void>;
  /** Empty: it goes by its first turn again. */
  titleBranch(branchId: BranchId, title: string): Promise<void>;
  addReference(nodeId: NodeId, to: NodeId, as: Reference['as']): Promise<void>;
  removeReference(nodeId: NodeId, to: NodeId): Promise<void>;
  /** The next message goes on from this turn, as a new branch. */
  forkFrom(nodeId: NodeId): void;

  /* Time */
  /** Undoes or redoes until so many steps are done. */
  goToStep(steps: number): Promise<void>;
  /** A conversation of its own that begins as this one was after `count` entries. */
  branchOff(count: number): Promise<void>;
  /** Undoes everything since the moment after `count` entries; can be redone. */
  restore(count: number): Promise<void>;
  undo(): Promise<void>;
  redo(): Promise<void>;
  /** Shows the forest after the first `count` entries of the log, read only; null comes back to now. */
  travel(count: number | null): void;

  /* Conversations */
  newConversation(): Promise<void>;
  openConversation(id: string): Promise<void>;
  renameConversation(id: string, title: string): Promise<void>;
  /** Can be taken back from the notice it leaves, or by `restoreConversation`. */
  deleteConversation(id: string): Promise<void>;
  restoreConversation(id: string): Promise<void>;

  /* Files */
  /** Opens an exported conversation as a new one. */
  adopt(log: TitledLog): Promise<void>;
  /**
   * Appends to a conversation's log, which may not be there yet, what `make` adds to what it has, and says how many entries that were.
   * Rejects where that cannot be stored.
   */
  keepConversation(id: string, title: string, make: (known: readonly Entry[]) => readonly Entry[]): Promise<number>;
  /** Opens a conversation that something was added to. */
  openKept(id: string): Promise<void>;
  /** The log of any conversation, as it is kept. Rejects where it cannot be read. */
  readLog(id: string): Promise<readonly Entry[]>;
  /** For what reads everything that is kept, as a backup does. Rejects as the task does. */
  withStorage<T>(task: (storage: Storage) => Promise<T>): Promise<T>;
  /** For what changes it, while nothing else does; then the list, the lessons and the open conversation are read anew. */
  changeStorage<T>(task: (storage: Storage) => Promise<T>): Promise<T>;
  /** Replays a dialogue through the engine into a new conversation. */
  replay(dialogue: Dialogue, options?: ReplayOptions): Promise<void>;
  pauseReplay(): void;
  resumeReplay(): void;
  /** Plays one turn of a paused replay. */
  stepReplay(): void;
  /** Ends the replay; what was played stays. */
  stopReplay(): void;
  setReplayPause(ms: number): void;

  /* What the decider learns from the person */
  /** Off: no lesson is taken and none speaks from the next message on; those there are stay. */
  letLearn(on: boolean): Promise<void>;
  /** Labels are kept and nothing is learned from them; what was learned before still speaks. */
  pauseLearning(paused: boolean): Promise<void>;
  /** Can be taken back from the notice it leaves. */
  forgetLessons(): Promise<void>;
  /** The lessons and what was made of them, as a file. */
  lessonsFile(): Promise<{ name: string; text: string } | null>;

  /* Contexts */
  /** Asks what would become of the draft where that is not asked unasked; shows it as `preview`. */
  previewDraft(): Promise<void>;
  /** What a reply was sent, byte for byte, with the forest as it was then; null where nothing was or it is not known. */
  shownContext(replyId: ReplyId): ShownContext | null;
  /**
   * What each of the policies would have sent for a turn, told one by one in the order given; of the one that was used,
   * what was sent. Rejects, as the next two do, if the signal fires, or where tokens cannot be counted.
   */
  compareContexts(
    nodeId: NodeId,
    policies: readonly string[],
    watch: ContextsWatch,
    signal: AbortSignal,
  ): Promise<void>;
  /** The tokens of that for every turn and what it cost, in parts as they come; a policy whose memory failed is told of, once. */
  contextsOverTime(
    policies: readonly string[],
    onTurns: (turns: readonly TurnContexts[]) => void,
    signal: AbortSignal,
    onFailed?: PolicyFailed,
  ): Promise<void>;
  /** The memory that a policy had before a turn, and what it recalls for it; null for a policy that keeps none. */
  memoryFor(nodeId: NodeId, policy: string, signal: AbortSignal): Promise<MemoryThen | null>;

  /* Keys */
  /** Keeps keys of the person's own, on this device. */
  setKeys(keys: Keys): Promise<void>;

  /* The engine's settings */
  /** A version of its own, used from the next message on; the same as an earlier one is that version again. */
  changeSettings(change: SettingsChange): Promise<void>;
  /** Back to a version that there was; 0 is as shipped. */
  goToSettings(version: number): Promise<void>;
  /** What language models are told as shipped; rejects if it cannot be loaded. */
  shippedPrompts(): Promise<Prompts>;
  /** The embedder that answers now, and the θ that was calibrated for it. */
  embedderNow(): {
    readonly name: string;
    readonly theta: number;
    /** As ISO 639-1; null where that is not known, or they are too many to name. */
    readonly languages: readonly string[] | null;
  };

  /* Models */
  /** Its calls reject with a ModelFailure: who asks shows it there, or hands it to `reportModelFailure`. */
  readonly models: ModelControl;
  /** Shows, as a problem, a failure of `models` that has no place left where it happened. */
  reportModelFailure(what: string, error: unknown): void;
  /** Shows, as a problem, what nobody foresaw. */
  reportFailure(what: string, error: unknown): void;

  /* The rest */
  session(change: Partial<Session>): void;
  dismiss(problemId: string): void;
  closeNotice(): void;
  /** Short text for screen readers and a toast. */
  announce(text: string, action?: Notice['action']): void;
}
