import type { Attachment } from '../domain/attachment.ts';
import type { Role, Target } from '../domain/decision.ts';
import type { Entry } from '../domain/entry.ts';
import { emptyForest, type Forest, type NodeId, type ReplyId, type TreeId } from '../domain/forest.ts';
import type { HandledCounts } from '../domain/handled-counts.ts';
import type { LearningReport } from '../engine/lessons.ts';
import type { Dialogue } from '../engine/ports.ts';
import type { ConversationMeta } from '../engine/storage.ts';
import type { Preview } from '../engine/turn/preview.ts';
import type { DialogChange, DialogName } from './features.ts';
import type { RoleState } from './model-control.ts';
import { noPersonas, type Personas } from './persona.ts';
import type { SettingsState } from './saved-settings.ts';

/** Progress of the current turn; null between turns. */
export interface TurnProgress {
  readonly nodeId: NodeId;
  readonly phase: 'deciding' | 'replying' | 'summarising';
  readonly replyId: ReplyId | null;
  /** Reply text that has arrived but is not in the log yet. It continues the reply's own text. */
  readonly unsaved: string;
}

/** Preview of what would happen to the draft if it were sent now; after sending, shown until the message has its place. */
export interface DraftPreview {
  /** The draft it applies to, as it would be sent. */
  readonly text: string;
  /**
   * `waiting`: for the user to stop typing. `asking`: the decision is in progress. `on-request`: it would ask a
   * language model that may be remote, and an unsent draft goes nowhere unasked. `sent`: the draft has been sent
   * and is being placed.
   */
  readonly phase: 'waiting' | 'asking' | 'shown' | 'failed' | 'on-request' | 'sent';
  /** Names of the language models that read the draft; “the models” if only others, such as the embedder, may be remote; null if asking costs nothing. */
  readonly asks: string | null;
  /** The preview of this draft, or of the previous one while this one is in progress; null if there is none. */
  readonly shown: Preview | null;
  /** Error message; null unless it failed. */
  readonly why: string | null;
}

/** The user's key bindings by command id; empty if the user removed the command's keys. */
export type Keys = Readonly<Record<string, readonly string[]>>;

/** Something the user should know about; stays until it is dismissed or solved. Shown as an `alert`. */
export interface Problem {
  readonly id: string;
  readonly title: string;
  readonly advice: string;
  readonly action: { readonly label: string; readonly run: () => void } | null;
}

/** A short confirmation, shown as a toast and announced; may offer an undo. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly action: NoticeAction | null;
}

interface NoticeAction {
  readonly label: string;
  readonly run: () => void;
  /** The action is also available elsewhere, such as Undo, so the notice disappears by itself. Others stay until they are answered. */
  readonly passes?: true;
  /** The action is about the open conversation: the notice goes when another is opened, even if it was not answered. */
  readonly here?: true;
}

interface ReplayState {
  readonly dialogue: Dialogue;
  /** Turns played so far. */
  readonly played: number;
  readonly running: boolean;
  /** Pause between turns in milliseconds. */
  readonly pause: number;
}

/** What the decider has learned from the user's corrections. */
export interface LearningState {
  /** Whether learning is on. While it is off no lessons are recorded and existing ones have no effect. */
  readonly on: boolean;
  /** Labels are still kept but nothing is learned from them; earlier lessons stay in effect. */
  readonly paused: boolean;
  readonly corrections: number;
  readonly confirmations: number;
  /** Number of turns whose gold in studies was taught. */
  readonly studyTurns: number;
  /** Number of stored lessons, of which a turn may have two; not all of them need be among those learned from. */
  readonly lessons: number;
  /** The result of learning; null while it is off or there are no lessons. */
  readonly learned: LearningReport | null;
}

export type Pane = 'chat' | 'forest' | 'inspector';

/** Toggles a pane. One always stays open: folding the last one opens the forest (or the chat, if that was the forest). */
export const togglePane = (folded: readonly Pane[], pane: Pane): Pane[] => {
  if (folded.includes(pane)) return folded.filter((one) => one !== pane);
  const next = [...folded, pane];
  if (next.length < 3) return next;
  return next.filter((one) => one !== (pane === 'forest' ? 'chat' : 'forest'));
};

/** Brings a pane into view: unfolded, and on a phone in front of the others. */
export const paneInView = (pane: Pane, { folded }: Pick<Session, 'folded'>): Pick<Session, 'pane' | 'folded'> => ({
  pane,
  folded: folded.filter((one) => one !== pane),
});

/** The forest takes up the remaining width. */
export type SizedPane = 'list' | 'chat' | 'inspector';
export type InspectorTab = 'decision' | 'context' | 'turn';
export type Theme = 'light' | 'dark' | 'system';
/** What the chat shows: the active path, or all turns in chronological order. */
export type Reading = 'path' | 'everything';
/** What colours on the canvas represent. */
export type Colouring = 'topic' | 'branch' | 'age' | 'tokens' | 'context';

/** A turn's note or summary being written; it is not in the log until it is saved. */
interface Writing {
  readonly nodeId: NodeId;
  readonly what: 'note' | 'summary';
  readonly text: string;
}

/** UI state of the user's session; never in the log. */
export interface Session {
  readonly selectedId: NodeId | null;
  /** All selected turns, including the one shown in the inspector. */
  readonly selection: readonly NodeId[];
  readonly draft: string;
  /** Files attached to the draft. */
  readonly attached: readonly Attachment[];
  /** Files being read, to be attached to it. */
  readonly attaching: readonly File[];
  /** A sent message being edited; null for none. `takesFocus`: its field has been asked for and is yet to take the focus. */
  readonly editing: { readonly nodeId: NodeId; readonly text: string; readonly takesFocus?: true } | null;
  /** Notes and summaries being written in the inspector. */
  readonly writing: readonly Writing[];
  /** Where the next message continues, if chosen by the user; null leaves it to the engine. */
  readonly target: Target | null;
  /** Collapsed panes. */
  readonly folded: readonly Pane[];
  /** Whether the list of conversations is docked beside the chat instead of overlaying it, and whether it is open there. */
  readonly listStays: 'no' | 'open' | 'folded';
  /** Closed folders of that list. */
  readonly closedFolders: readonly string[];
  /** The tour was taken or declined and is no longer offered. */
  readonly toured: boolean;
  /** Pane widths set by the user, in pixels. */
  readonly widths: Readonly<Partial<Record<SizedPane, number>>>;
  /** The pane shown on a phone. */
  readonly pane: Pane;
  readonly reading: Reading;
  readonly view: 'canvas' | 'outline';
  /** Turns on the canvas whose descendants are collapsed. */
  readonly collapsed: readonly NodeId[];
  /** Topics and turns in the outline whose rows below are collapsed. */
  readonly outlineCollapsed: readonly (TreeId | NodeId)[];
  /** The turn for which the outline last expanded what is above it; null before any. */
  readonly outlineShown: NodeId | null;
  /** Show only the active path and its neighbours on the canvas. */
  readonly nearPath: boolean;
  readonly colouring: Colouring;
  readonly tab: InspectorTab;
  readonly theme: Theme;
  readonly dialog: DialogName | null;
  /** What it was opened with; null for nothing. */
  readonly with: unknown;
  /** The dialog that opened the current one and reappears when it is closed; null for none. */
  readonly backTo: DialogName | null;
  /** What is drawn if the policy has its own memory. */
  readonly drawn: 'forest' | 'memory';
  /** How a memory is shown. */
  readonly memoryAs: 'picture' | 'list';
}

/** The dialog that covers the page, if any: beside the list of conversations the page stays interactive. */
export const coveringDialog = ({ dialog }: Session): DialogName | null => (dialog === 'conversations' ? null : dialog);

export type SessionChange = Partial<Omit<Session, 'dialog' | 'with'>> & DialogChange;

export interface AppState {
  readonly phase: 'opening' | 'ready';
  /** Most recently updated first, without the deleted ones. */
  readonly conversations: readonly ConversationMeta[];
  /** Deleted conversations that can still be restored, most recently deleted first. */
  readonly deleted: readonly ConversationMeta[];
  /** Number of times that this tab has written studies or their labels. */
  readonly studyWrites: number;
  readonly conversationId: string;
  /** The log of the open conversation. */
  readonly entries: readonly Entry[];
  /** When its turns had been handled, as far as stored beside the log; null if it has to be read from the log. */
  readonly handled: HandledCounts | null;
  /** The current forest: the fold of the log. */
  readonly forest: Forest;
  /** The forest at an earlier moment while the user is viewing the past; null is now. */
  readonly past: { readonly count: number; readonly forest: Forest } | null;
  /** The moment of a very long log that is being computed, in entries; it is shown once it is ready. Null if none is pending. */
  readonly reaching: number | null;
  readonly turn: TurnProgress | null;
  /** How many long tasks are in progress that a reload would end, such as an import or an evaluation. */
  readonly longTasks: number;
  readonly models: Readonly<Record<Role, RoleState>>;
  /** The model consulted when the embedded decider is unsure, which has no role of its own; null or the embedded choice for none. */
  readonly consult: RoleState | null;
  readonly storage: {
    readonly kind: 'indexeddb' | 'memory';
    /**
     * Why only what is new is not stored, with kind `memory`: what was stored before is kept, and can still be read and
     * cleared if the storage is `full`. Null if everything or nothing is stored.
     */
    readonly stopped: 'full' | 'failed' | null;
    readonly persisted: boolean;
    readonly estimate: { readonly usage: number; readonly quota: number } | null;
  };
  /** Whether the page opens offline: only once all of it has been cached. */
  readonly offline: 'not-yet' | 'kept' | { readonly failure: string };
  /** Whether this tab goes on with an earlier version than is installed by now: parts it has not loaded yet may be gone. */
  readonly isOutdated: boolean;
  readonly learning: LearningState;
  /** Key bindings set by the user, replacing the defaults of those commands. */
  readonly keys: Keys;
  readonly personas: Personas;
  /** The engine's settings, with all their versions. */
  readonly settings: SettingsState;
  readonly replay: ReplayState | null;
  readonly problems: readonly Problem[];
  readonly notice: Notice | null;
  /** Tokens in the next message's context, not counting the message itself; null until counted. */
  readonly nextTokens: number | null;
  /** The language the user writes in, as an ISO 639-1 code; null until detected. */
  readonly language: string | null;
  /** What would happen to the draft if it were sent; null without a draft. */
  readonly preview: DraftPreview | null;
  readonly session: Session;
}

/** Returns the forest on the screen: the current one, or the one at the moment being viewed. */
export const shownForest = (state: AppState): Forest => state.past?.forest ?? state.forest;

/** Whether a reload would lose conversations, or a part of one, because only memory holds what is new. */
export const holdsUnsaved = ({ storage: { kind, stopped }, conversations }: AppState): boolean =>
  kind === 'memory' && (stopped !== null || conversations.length > 0);

export const initialState = (models: AppState['models'], storage: 'indexeddb' | 'memory'): AppState => ({
  phase: 'opening',
  conversations: [],
  deleted: [],
  studyWrites: 0,
  conversationId: '',
  entries: [],
  handled: null,
  forest: emptyForest(),
  past: null,
  reaching: null,
  turn: null,
  longTasks: 0,
  models,
  consult: null,
  storage: { kind: storage, stopped: null, persisted: false, estimate: null },
  offline: 'not-yet',
  isOutdated: false,
  learning: { on: true, paused: false, corrections: 0, confirmations: 0, studyTurns: 0, lessons: 0, learned: null },
  keys: {},
  personas: noPersonas,
  settings: { current: 0, versions: [] },
  replay: null,
  problems: [],
  notice: null,
  nextTokens: null,
  language: null,
  preview: null,
  session: {
    selectedId: null,
    selection: [],
    draft: '',
    attached: [],
    attaching: [],
    editing: null,
    writing: [],
    target: null,
    folded: [],
    listStays: 'no',
    closedFolders: [],
    toured: false,
    widths: {},
    pane: 'chat',
    reading: 'path',
    view: 'canvas',
    collapsed: [],
    outlineCollapsed: [],
    outlineShown: null,
    nearPath: false,
    colouring: 'topic',
    tab: 'decision',
    theme: 'system',
    dialog: null,
    with: null,
    backTo: null,
    drawn: 'forest',
    memoryAs: 'picture',
  },
});

/** The list without a conversation; the same list if it is not in it. */
export const without = (metas: readonly ConversationMeta[], id: string): readonly ConversationMeta[] =>
  metas.some((one) => one.id === id) ? metas.filter((one) => one.id !== id) : metas;

export const latestDeletedFirst = (a: ConversationMeta, b: ConversationMeta): number =>
  (b.deletedAt ?? 0) - (a.deletedAt ?? 0);

/** The list with the conversation in its place, most recently used first. */
export const listedByUse = (
  metas: readonly ConversationMeta[],
  meta: ConversationMeta,
): readonly ConversationMeta[] => {
  const others = without(metas, meta.id);
  const at = others.findIndex(({ updatedAt }) => updatedAt <= meta.updatedAt);
  return others.toSpliced(at < 0 ? others.length : at, 0, meta);
};
