import type { Attachment } from './attachment.ts';
import type { Context, Overview } from './context.ts';
import type { Decision, Label, Reference, Target, Timing } from './decision.ts';
import { defaultReplySettings, type ReplySettings, type Usage } from './reply.ts';
import type { StoryScene } from './story.ts';
import type { Table } from './table.ts';

export type NodeId = string;
export type TreeId = string;
export type BranchId = string;
export type ReplyId = string;
export type StepId = string;

/**
 * How a reply ended, or that it has not ended yet. A reply becomes `interrupted` when the tab receiving it goes away;
 * `stopped` means that the person stopped it.
 */
export type ReplyState = 'streaming' | 'done' | 'stopped' | 'interrupted' | 'failed';

export interface Reply {
  readonly id: ReplyId;
  readonly text: string;
  readonly state: ReplyState;
  /** Its author: a chat model's name (`A, then B` if B continued it), or `given` if it came with an imported dialogue. */
  readonly model: string;
  readonly at: number;
  /** What went wrong, in words for the person; null unless `state` is `failed`. */
  readonly failure: string | null;
  /** The kind of failure, if known; it determines what can be done about it. */
  readonly failureKind?: string | undefined;
  /** What the chat model was sent, or for a given reply what it would have been sent; null if unknown. */
  readonly context: Context | null;
  readonly timings: readonly Timing[];
  /** null until it has ended, and if no language model wrote it. */
  readonly usage: Usage | null;
}

/** Identifies the person where an author is recorded. */
export const PERSON = 'person';

/** Marks a reply that only quotes earlier turns. Used as `Reply.model`. */
export const RECALL = 'recall';

/** Marks a reply that came with its dialogue, for which nothing was sent. Used as `Reply.model`. */
export const GIVEN = 'given';

export interface Summary {
  readonly text: string;
  /** A summariser's name, or the person, whose text no model overwrites. */
  readonly by: string;
  /** Milliseconds it took to create; omitted if not measured. */
  readonly ms?: number | undefined;
  /** The reply it tells of, null if there was none yet, and how long that was by then, in UTF-16 units. */
  readonly replyId: ReplyId | null;
  readonly replyLength: number;
}

/** A turn in its place (Context-Agent §3.2; its embedding is cached separately). */
export interface Node {
  readonly id: NodeId;
  /** Number of the turn in the order sent, from 1. */
  readonly number: number;
  readonly treeId: TreeId;
  readonly branchId: BranchId;
  /** null for a root. */
  readonly parentId: NodeId | null;
  /** What the user wrote. */
  readonly message: string;
  /** Files sent with it; omitted if there are none. */
  readonly attachments?: readonly Attachment[];
  readonly at: number;
  /** In chronological order: regenerating adds one and keeps the others. */
  readonly replies: readonly Reply[];
  /** The reply that counts; null until there is one. */
  readonly replyId: ReplyId | null;
  readonly summary: Summary | null;
  readonly decision: Decision;
  /** Set when the person corrected or confirmed the decision. */
  readonly label: Label | null;
  /** Stays in the log, and is never part of a context. */
  readonly hidden: boolean;
  /** Its full text is part of every context, under policies that send by the forest. */
  readonly pinned: boolean;
  /** The person's private note; no model sees it. */
  readonly note: string | null;
  /** What it needs from off its path; references to removed turns are dropped. */
  readonly references: readonly Reference[];
}

/** Orders turns as they were sent. */
export const byNumber = (a: Pick<Node, 'number'>, b: Pick<Node, 'number'>): number => a.number - b.number;

/** Initial values of a new turn. */
export const newTurnDefaults = { hidden: false, pinned: false, note: null, references: [] } as const;

/** One independent topic: the nodes under one root. */
export interface Tree {
  readonly id: TreeId;
  readonly rootId: NodeId;
  readonly title: string;
  /** null: it is not titled from its first turn yet, and goes by that turn's message, or by its title with another one. */
  readonly titledBy: 'engine' | 'person' | null;
  /** Where a switch to this topic lands: its most recently active node. */
  readonly activeId: NodeId;
  /** Number of the topic in the order created, from 0; picks the colour. */
  readonly order: number;
}

/** An ordered run of nodes that share a `branchId`; its head is a root or hangs from a fork point. */
export interface Branch {
  readonly id: BranchId;
  readonly treeId: TreeId;
  readonly headId: NodeId;
  /** Given by the person; null means it is named after its first turn. */
  readonly title: string | null;
}

/** A message that is stored but not placed yet: it is in the log before any model is asked. */
export interface PendingTurn {
  readonly id: NodeId;
  readonly number: number;
  readonly message: string;
  readonly attachments?: readonly Attachment[];
  readonly at: number;
  /** The undo step that the placement joins. */
  readonly step: StepId;
  /** A reply that came with the message (an imported dialogue); null if the chat role answers. */
  readonly given: string | null;
  /** Where to continue, if the person chose it: under a node, or in a new topic. */
  readonly target: Target | null;
}

interface ActiveState {
  readonly treeId: TreeId;
  readonly branchId: BranchId;
  readonly nodeId: NodeId;
}

/** A unit of undo: everything one intent changed. */
export interface Step {
  readonly id: StepId;
  /** The type of the event that began it. */
  readonly type: string;
  /** The writes in order, each stored as the change that reverts it. */
  readonly changes: readonly Change[];
}

/** The single-valued fields of a forest. */
export interface Values {
  /** Given by the person; null means "titled by its first topic". */
  title: string | null;
  replySettings: ReplySettings;
  /** Turns sent, not counting undone ones but counting deleted ones: the number of the latest. */
  turnCount: number;
  /** Topics created, not counting undone ones. */
  topicCount: number;
  /** Number of hidden turns: most conversations have none and need not be searched. */
  hiddenCount: number;
  active: ActiveState | null;
  /** How it is presented to others; empty if no story has been made. */
  story: readonly StoryScene[];
}

/** The records of a forest, by id. */
export interface Records {
  nodes: Node;
  /** Children of a node in chronological order; a node without children has no entry. */
  children: readonly NodeId[];
  trees: Tree;
  branches: Branch;
  /** At most one: the next message waits until this one is placed. */
  pending: PendingTurn;
  overviews: Overview;
}

/** Tables whose records can have single fields replaced. */
export type EditableTable = 'nodes' | 'trees' | 'branches';

export type Tables = { [T in keyof Records]: Table<Records[T]> };

/** The fold of one conversation's event log. Values inside a record are replaced, never mutated. */
export interface Forest extends Values, Tables {
  history: { past: Step[]; future: Step[] };
}

/** A write to a forest. An undefined record means removal. */
export type Change =
  | { [K in keyof Values]: { readonly kind: 'value'; readonly key: K; readonly value: Values[K] } }[keyof Values]
  | {
      [T in keyof Records]: {
        readonly kind: 'record';
        readonly table: T;
        readonly id: string;
        readonly record: Records[T] | undefined;
      };
    }[keyof Records]
  | {
      [T in EditableTable]: {
        readonly kind: 'fields';
        readonly table: T;
        readonly id: string;
        readonly fields: Partial<Records[T]>;
      };
    }[EditableTable];

export const emptyForest = (): Forest => ({
  title: null,
  replySettings: defaultReplySettings,
  turnCount: 0,
  topicCount: 0,
  hiddenCount: 0,
  nodes: {},
  children: {},
  trees: {},
  branches: {},
  pending: {},
  overviews: {},
  active: null,
  story: [],
  history: { past: [], future: [] },
});
