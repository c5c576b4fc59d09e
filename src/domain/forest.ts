import type { Attachment } from './attachment.ts';
import type { Context, Overview } from './context.ts';
import type { Decision, Label, Reference, Target, Timing } from './decision.ts';
import { modelsOwn, type ReplySettings, type Usage } from './reply.ts';
import type { Scene } from './story.ts';
import type { Table } from './table.ts';

export type NodeId = string;
export type TreeId = string;
export type BranchId = string;
export type ReplyId = string;
export type StepId = string;

/**
 * How a reply ended, or that it has not. `interrupted` is what a reply becomes when the tab that
 * was receiving it went away; `stopped` is the person's own doing.
 */
export type ReplyState = 'streaming' | 'done' | 'stopped' | 'interrupted' | 'failed';

export interface Reply {
  readonly id: ReplyId;
  readonly text: string;
  readonly state: ReplyState;
  /** Who wrote it: a chat model's name (`A, then B` where B went on with it), or `given` where an imported dialogue brought it along. */
  readonly model: string;
  readonly at: number;
  /** What went wrong, in words for the person; null unless `state` is `failed`. */
  readonly failure: string | null;
  /** Its kind, where it is known: what can be done about it hangs on that. */
  readonly failureKind?: string | undefined;
  /** What the chat model was sent, or for a given reply what it would have been sent; null if unknown. */
  readonly context: Context | null;
  readonly timings: readonly Timing[];
  /** null until it has ended, and where no language model wrote it. */
  readonly usage: Usage | null;
}

/** Stands for the person where something says who made it. */
export const PERSON = 'person';

/** Wrote a reply by quoting earlier turns: what it says was said elsewhere. As `Reply.model`. */
export const RECALL = 'recall';

export interface Summary {
  readonly text: string;
  /** A summariser's name, or the person, whose words no model writes over. */
  readonly by: string;
  /** Milliseconds that it took to make; left out where nobody measured. */
  readonly ms?: number | undefined;
}

/** A turn in its place (Context-Agent §3.2; its embedding is a cache and kept beside). */
export interface Node {
  readonly id: NodeId;
  /** Counts turns in the order they were sent, from 1. */
  readonly number: number;
  readonly treeId: TreeId;
  readonly branchId: BranchId;
  /** null for a root. */
  readonly parentId: NodeId | null;
  /** What the user wrote. */
  readonly message: string;
  /** Files that came with it; left out where there are none. */
  readonly attachments?: readonly Attachment[];
  readonly at: number;
  /** In order of time: regenerating adds one and keeps the others. */
  readonly replies: readonly Reply[];
  /** The reply that counts; null until there is one. */
  readonly replyId: ReplyId | null;
  readonly summary: Summary | null;
  readonly decision: Decision;
  /** Set when the person corrected or confirmed the decision. */
  readonly label: Label | null;
  /** Stays in the log, and is never in a context. */
  readonly hidden: boolean;
  /** Its full text is in every context. */
  readonly pinned: boolean;
  /** The person's own, for themselves; no model sees it. */
  readonly note: string | null;
  /** What it needs from off its path; of turns that are gone, nothing is left. */
  readonly references: readonly Reference[];
}

/** How a turn begins its life. */
export const untouched = { hidden: false, pinned: false, note: null, references: [] } as const;

/** One independent topic: the nodes under one root. */
export interface Tree {
  readonly id: TreeId;
  readonly rootId: NodeId;
  readonly title: string;
  readonly titledBy: 'engine' | 'person';
  /** Where a switch to this topic lands: its most recently active node. */
  readonly activeId: NodeId;
  /** Counts topics in the order they were created, from 0; picks the colour. */
  readonly order: number;
}

/** An ordered run of nodes that share a `branchId`; its head is a root or hangs from a fork point. */
export interface Branch {
  readonly id: BranchId;
  readonly treeId: TreeId;
  readonly headId: NodeId;
  /** Given by the person; null means that it goes by its first turn. */
  readonly title: string | null;
}

/** A message that is kept but has no place yet: it is in the log before any model is asked. */
export interface PendingTurn {
  readonly id: NodeId;
  readonly number: number;
  readonly message: string;
  readonly attachments?: readonly Attachment[];
  readonly at: number;
  /** The undo step that the placement joins. */
  readonly step: StepId;
  /** A reply that came with the message (an imported dialogue); null where the chat role answers. */
  readonly given: string | null;
  /** The node to go on from, where the person chose one: under a node, or a new topic. */
  readonly target: Target | null;
}

export interface ActiveState {
  readonly treeId: TreeId;
  readonly branchId: BranchId;
  readonly nodeId: NodeId;
}

/** A unit of undo: everything one intent changed. */
export interface Step {
  readonly id: StepId;
  /** The type of the event that began it. */
  readonly type: string;
  /** What was written, in order, each as the change that reverts it. */
  readonly changes: readonly Change[];
}

/** What a forest has one of. */
export interface Values {
  /** Given by the person; null means "titled by its first topic". */
  title: string | null;
  replySettings: ReplySettings;
  /** Turns sent, undone ones not counted. */
  turnCount: number;
  /** Topics created, undone ones not counted. */
  topicCount: number;
  /** Turns that are hidden: most conversations have none, and need not be searched for them. */
  hiddenCount: number;
  active: ActiveState | null;
  /** How it is told to others; empty where nobody has made a story of it. */
  story: readonly Scene[];
}

/** What a forest keeps by id. */
export interface Records {
  nodes: Node;
  /** Children of a node in order of time; a node without children has no entry. */
  children: readonly NodeId[];
  trees: Tree;
  branches: Branch;
  /** At most one: the next message waits until this one has its place. */
  pending: PendingTurn;
  overviews: Overview;
}

/** Records of which single fields are replaced. */
export type EditableTable = 'nodes' | 'trees' | 'branches';

export type Tables = { [T in keyof Records]: Table<Records[T]> };

/** The fold of one conversation's event log. Values inside a record are replaced, never mutated. */
export interface Forest extends Values, Tables {
  history: { past: Step[]; future: Step[] };
}

/** A write to a forest. A record that is undefined is removed. */
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
  replySettings: modelsOwn,
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
