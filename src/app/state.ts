import type { Attachment } from '../domain/attachment.ts';
import type { Role, Target } from '../domain/decision.ts';
import type { Entry } from '../domain/entry.ts';
import { emptyForest, type Forest, type NodeId, type ReplyId } from '../domain/forest.ts';
import type { HandledCounts } from '../domain/handled-counts.ts';
import type { LearningReport } from '../engine/place/lessons.ts';
import type { Dialogue } from '../engine/ports.ts';
import type { ConversationMeta } from '../engine/storage.ts';
import type { Preview } from '../engine/turn/preview.ts';
import type { DialogName } from './features.ts';
import type { RoleState } from './model-control.ts';
import { noPersonas, type Personas } from './persona.ts';
import type { SettingsState } from './saved-settings.ts';

/** Where a turn is on its way; null between turns. */
export interface TurnProgress {
  readonly nodeId: NodeId;
  readonly phase: 'deciding' | 'replying' | 'summarising';
  readonly replyId: ReplyId | null;
  /** Text of the reply that has come but is not in the log yet. Follows the reply's own text. */
  readonly unsaved: string;
}

/** What would become of the draft if it were sent now; and of the message once it is, until it has its place. */
export interface DraftPreview {
  /** The draft that it is about, as it would be sent. */
  readonly text: string;
  /**
   * `waiting`: for the person to stop typing. `asking`: it is being decided. `on-request`: it would ask a language model
   * that may be elsewhere, and an unsent draft goes nowhere unasked. `sent`: it is no draft any more, and finds its place.
   */
  readonly phase: 'waiting' | 'asking' | 'shown' | 'failed' | 'on-request' | 'sent';
  /** Name of the language model that decides; null where the answer costs nothing. */
  readonly asks: string | null;
  /** Of the draft, or still of the one before it while this one is on its way; null if there is none. */
  readonly shown: Preview | null;
  /** What went wrong, in words; null unless it failed. */
  readonly why: string | null;
}

/** By a command's id, the keys that the person has given it; none where they took its keys away. */
export type Keys = Readonly<Record<string, readonly string[]>>;

/** Something the person should know about; stays until it is dismissed or solved. Shown as an `alert`. */
export interface Problem {
  readonly id: string;
  readonly title: string;
  readonly advice: string;
  readonly action: { readonly label: string; readonly run: () => void } | null;
}

/** A short confirmation, shown as a toast and announced; may offer to take it back. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly action: NoticeAction | null;
}

export interface NoticeAction {
  readonly label: string;
  readonly run: () => void;
  /** What it offers can be done elsewhere, too, as by Undo: the notice goes by itself. Others stay until they are answered. */
  readonly passes?: true;
}

export interface ReplayState {
  readonly dialogue: Dialogue;
  /** Turns played so far. */
  readonly played: number;
  readonly running: boolean;
  /** Pause between turns in milliseconds. */
  readonly pause: number;
}

/** What the decider has from the person's own corrections. */
export interface Learning {
  /** Whether they let it learn. While it is off no lesson is taken, and none speaks. */
  readonly on: boolean;
  /** Labels are kept and nothing is learned from them; what was learned before still speaks. */
  readonly paused: boolean;
  readonly corrections: number;
  readonly confirmations: number;
  /** What it made of them; null while it is off or there are none. */
  readonly learned: LearningReport | null;
}

export type Pane = 'chat' | 'forest' | 'inspector';
/** The forest takes what these leave. */
export type SizedPane = 'list' | 'chat' | 'inspector';
export type InspectorTab = 'decision' | 'context' | 'turn';
export type Theme = 'light' | 'dark' | 'system';
/** What the chat shows: the active path, or all turns in order of time. */
export type Reading = 'path' | 'everything';
/** What the colours on the canvas stand for. */
export type Colouring = 'topic' | 'branch' | 'age' | 'tokens' | 'context';
/** A page of the Models dialog. */
export type ModelsPage = 'overview' | Role | 'add' | 'server' | 'kept';

/** What a person looks at; never in the log. */
export interface Session {
  readonly selectedId: NodeId | null;
  /** All that is selected, the one shown in the inspector among them. */
  readonly selection: readonly NodeId[];
  readonly draft: string;
  /** Files that go with the draft. */
  readonly attached: readonly Attachment[];
  /** Names of files that are being read, to go with it. */
  readonly attaching: readonly string[];
  /** A sent message that is being written anew, in place of none. */
  readonly editing: { readonly nodeId: NodeId; readonly text: string } | null;
  /** Where the next message is to go on, where the person chose so; null leaves it to the engine. */
  readonly target: Target | null;
  /** Panes that are folded away. */
  readonly folded: readonly Pane[];
  /** Whether the list of conversations stays beside the chat instead of lying over it for a moment, and is open there. */
  readonly listStays: 'no' | 'open' | 'folded';
  /** Folders of that list that are closed. */
  readonly closedFolders: readonly string[];
  /** The tour was taken, or is not wanted: it is offered no more. */
  readonly toured: boolean;
  /** Widths of panes that the person has set, in pixels. */
  readonly widths: Readonly<Partial<Record<SizedPane, number>>>;
  /** The pane shown on a phone. */
  readonly pane: Pane;
  readonly reading: Reading;
  readonly view: 'canvas' | 'outline';
  /** Turns on the canvas with everything below them folded away. */
  readonly collapsed: readonly NodeId[];
  /** Only the active path and its neighbours are on the canvas. */
  readonly nearPath: boolean;
  readonly colouring: Colouring;
  readonly tab: InspectorTab;
  readonly theme: Theme;
  readonly dialog: DialogName | null;
  /** The dialog that asked for the one that is open, and comes back when that is closed; null is none. */
  readonly backTo: DialogName | null;
  /** Where Models is open, or opens; null is its first look. */
  readonly modelsPage: ModelsPage | null;
  /** The turn that What if is to begin with, as it opens; null leaves it as it is. */
  readonly whatIfFrom: NodeId | null;
  /** Labelled dialogues that Evaluate is to take as it opens; null is none. */
  readonly toEvaluate: readonly File[] | null;
  /** Words that Search begins with. */
  readonly sought: string;
  /** Policies that contexts are compared by; null are those without a memory of their own. */
  readonly compared: readonly string[] | null;
  /** What is drawn where the policy keeps a memory of its own. */
  readonly drawn: 'forest' | 'memory';
  /** How a memory is shown. */
  readonly memoryAs: 'picture' | 'list';
}

export interface AppState {
  readonly phase: 'opening' | 'ready';
  /** Most recently updated first, without the deleted ones. */
  readonly conversations: readonly ConversationMeta[];
  readonly conversationId: string;
  /** The log of the open conversation. */
  readonly entries: readonly Entry[];
  /** When its turns had been handled, as far as that was kept beside the log; null where it is read in the log. */
  readonly handled: HandledCounts | null;
  /** The fold of the log: the forest as it is now. */
  readonly forest: Forest;
  /** The forest at an earlier moment while the person travels in time; null is now. */
  readonly past: { readonly count: number; readonly forest: Forest } | null;
  /** The moment of a very long log that is being gone to, as entries: it is shown once it is made. Null where nobody waits. */
  readonly reaching: number | null;
  readonly turn: TurnProgress | null;
  readonly models: Readonly<Record<Role, RoleState>>;
  readonly storage: {
    readonly kind: 'indexeddb' | 'memory';
    readonly persisted: boolean;
    readonly estimate: { readonly usage: number; readonly quota: number } | null;
  };
  /** Whether the page opens without a network: not before all of it has been kept. */
  readonly offline: 'not-yet' | 'kept' | { readonly failure: string };
  readonly learning: Learning;
  /** Keys that the person has given to commands, in place of those they come with. */
  readonly keys: Keys;
  readonly personas: Personas;
  /** The engine's settings, with all versions that there were. */
  readonly settings: SettingsState;
  readonly replay: ReplayState | null;
  readonly problems: readonly Problem[];
  readonly notice: Notice | null;
  /** Tokens the next message's context would hold before the message itself; null until counted. */
  readonly nextTokens: number | null;
  /** The language that the person writes in here, as ISO 639-1; null until that can be told. */
  readonly language: string | null;
  /** What would become of the draft if it were sent; null without one. */
  readonly preview: DraftPreview | null;
  readonly session: Session;
}

/** The forest on the screen: as it is now, or at the moment travelled to. */
export const shownForest = (state: AppState): Forest => state.past?.forest ?? state.forest;

export const initialState = (models: AppState['models'], storage: 'indexeddb' | 'memory'): AppState => ({
  phase: 'opening',
  conversations: [],
  conversationId: '',
  entries: [],
  handled: null,
  forest: emptyForest(),
  past: null,
  reaching: null,
  turn: null,
  models,
  storage: { kind: storage, persisted: false, estimate: null },
  offline: 'not-yet',
  learning: { on: true, paused: false, corrections: 0, confirmations: 0, learned: null },
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
    nearPath: false,
    colouring: 'topic',
    tab: 'decision',
    theme: 'system',
    dialog: null,
    backTo: null,
    modelsPage: null,
    whatIfFrom: null,
    toEvaluate: null,
    sought: '',
    compared: null,
    drawn: 'forest',
    memoryAs: 'picture',
  },
});
