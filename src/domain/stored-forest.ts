import type { Attachment } from './attachment.ts';
import type { Context, Overview } from './context.ts';
import type { Decision, Label, Reference, Trace } from './decision.ts';
import {
  type Branch,
  byNumber,
  type Change,
  type Forest,
  type Node,
  type NodeId,
  PERSON,
  type Reply,
  type Step,
  type Summary,
  type Tree,
  type Values,
} from './forest.ts';
import { longList, type Source, sourceOf } from './long-list.ts';
import { freezeTable, idsOf, listedTable, recordsOf, type Table } from './table.ts';

/*
 * The form in which a forest is stored beside a long log and opened again. What is needed of all turns (position, time)
 * is in columns, all of which are read; what was said and how it was decided is in rows, each read on demand. For a
 * hundred thousand turns the columns take a few megabytes.
 */

/** The stored rows of a forest, by index; those of turns are in the order in which the forest lists them. */
export interface Rows {
  /** What was said. */
  readonly texts: Source<TextRow>;
  /** What led to it, for anyone who wants to know why. */
  readonly details: Source<DetailRow>;
  readonly overviews: Source<OverviewRow>;
  /** What can be undone, oldest first. */
  readonly steps: Source<StepRow>;
}

type TextRow = Pick<Node, 'message' | 'attachments' | 'replyId' | 'summary'> & {
  readonly replies: readonly Omit<Reply, 'context'>[];
};
interface DetailRow {
  readonly trace: Trace | null;
  /** One for each reply. */
  readonly contexts: readonly (Context | null)[];
}
type OverviewRow = Overview['lines'];

/** The fields of a turn that are always in memory. */
type NodeHeader = Pick<
  Node,
  | 'id'
  | 'number'
  | 'treeId'
  | 'branchId'
  | 'parentId'
  | 'at'
  | 'hidden'
  | 'pinned'
  | 'note'
  | 'label'
  | 'references'
  | 'decision'
>;
const LIGHT: ReadonlySet<string> = new Set([
  'id',
  'number',
  'treeId',
  'branchId',
  'parentId',
  'at',
  'hidden',
  'pinned',
  'note',
  'label',
  'references',
  'decision',
] satisfies (keyof NodeHeader)[]);

/** What is known about the text without reading it, as bits. */
const SUMMARISED = 1;
const ATTACHED = 2;
/** It has a summary that tells of another reply, or of less of it. */
const OUTDATED = 16;
/** Not stored: its decision is no longer the one in its row. */
const DECIDED_AGAIN = 4;
/** None of its replies has a context, like those of an import. Forests stored earlier do not say so. */
const WITHOUT_CONTEXT = 8;

/**
 * A turn whose text is read on demand. It looks like any other but must not be spread; `changedNode` makes a changed
 * copy. All of its replies have ended.
 */
class LazyNode implements Node {
  readonly id: NodeId;
  readonly number: number;
  readonly treeId: string;
  readonly branchId: string;
  readonly parentId: NodeId | null;
  readonly at: number;
  readonly hidden: boolean;
  readonly pinned: boolean;
  readonly note: string | null;
  readonly label: Label | null;
  readonly references: readonly Reference[];
  readonly decision: Decision;
  readonly #rows: Rows;
  readonly #row: number;
  readonly #known: number;

  constructor(rows: Rows, row: number, known: number, light: NodeHeader) {
    this.#rows = rows;
    this.#row = row;
    this.#known = known;
    this.id = light.id;
    this.number = light.number;
    this.treeId = light.treeId;
    this.branchId = light.branchId;
    this.parentId = light.parentId;
    this.at = light.at;
    this.hidden = light.hidden;
    this.pinned = light.pinned;
    this.note = light.note;
    this.label = light.label;
    this.references = light.references;
    this.decision = light.decision;
  }

  get message(): string {
    return this.#texts().message;
  }

  get replyId(): string | null {
    return this.#texts().replyId;
  }

  get summary(): Summary | null {
    return this.isSummarised ? this.#texts().summary : null;
  }

  get replies(): readonly Reply[] {
    return withContexts(this.#texts().replies, this.#rows, this.#row);
  }

  get briefReplies(): TextRow['replies'] {
    return this.#texts().replies;
  }

  get attachments(): readonly Attachment[] {
    return this.#known & ATTACHED ? (this.#texts().attachments ?? NONE) : NONE;
  }

  get isSummarised(): boolean {
    return (this.#known & SUMMARISED) !== 0;
  }

  get lacksSummary(): boolean {
    return !this.isSummarised || (this.#known & OUTDATED) !== 0;
  }

  get isWithoutContext(): boolean {
    return (this.#known & WITHOUT_CONTEXT) !== 0;
  }

  /** Whether its text is in that row. */
  isRow(rows: Rows, row: number): boolean {
    return this.#rows === rows && this.#row === row;
  }

  /** Whether its trace and contexts are in that row. */
  hasDetailsIn(rows: Rows, row: number): boolean {
    return this.isRow(rows, row) && (this.#known & DECIDED_AGAIN) === 0;
  }

  hasWordsOf(other: LazyNode): boolean {
    return other.isRow(this.#rows, this.#row);
  }

  with(fields: Partial<NodeHeader>): LazyNode {
    const next = { ...this, ...fields };
    const known = next.decision === this.decision ? this.#known : this.#known | DECIDED_AGAIN;
    return new LazyNode(this.#rows, this.#row, known, next);
  }

  toJSON(): Node {
    return wholeNode(this);
  }

  #texts(): TextRow {
    return this.#rows.texts.at(this.#row);
  }
}

const NONE: readonly never[] = [];

/** Completed replies by the stored ones: the same object as long as these stay in memory. */
const completed = new WeakMap<TextRow['replies'], readonly Reply[]>();

const withContexts = (kept: TextRow['replies'], rows: Rows, row: number): readonly Reply[] => {
  const known = completed.get(kept);
  if (known !== undefined) return known;
  const replies = kept.map((reply, at): Reply => {
    const context = { enumerable: true, get: () => rows.details.at(row).contexts[at] ?? null };
    // An own property, so that a copy of the reply has it.
    return Object.defineProperty<Reply>({ ...reply, context: null }, 'context', context);
  });
  completed.set(kept, replies);
  return replies;
};

/** A decision whose trace is read on demand. It must not be spread. */
class LazyDecision implements Decision {
  readonly topic: Decision['topic'];
  readonly branch: Decision['branch'];
  readonly by: Decision['by'];
  readonly #rows: Rows;
  readonly #row: number;

  constructor(rows: Rows, row: number, { topic, branch, by }: Omit<Decision, 'trace'>) {
    this.#rows = rows;
    this.#row = row;
    this.topic = topic;
    this.branch = branch;
    this.by = by;
  }

  get trace(): Trace | null {
    return this.#rows.details.at(this.#row).trace;
  }

  toJSON(): Decision {
    const { topic, branch, by, trace } = this;
    return { topic, branch, by, trace };
  }
}

class LazyOverview implements Overview {
  readonly id: string;
  readonly branchId: string;
  readonly #rows: Rows;
  readonly #row: number;

  constructor(rows: Rows, row: number, id: string, branchId: string) {
    this.#rows = rows;
    this.#row = row;
    this.id = id;
    this.branchId = branchId;
  }

  get lines(): OverviewRow {
    return this.#rows.overviews.at(this.#row);
  }

  isRow(rows: Rows, row: number): boolean {
    return this.#rows === rows && this.#row === row;
  }

  toJSON(): Overview {
    const { id, branchId, lines } = this;
    return { id, branchId, lines };
  }
}

/** Returns the turn with other fields. The text of a stored turn is not read for this, unless the text itself changes. */
export const changedNode = (node: Node, fields: Partial<Node>): Node =>
  node instanceof LazyNode && Object.keys(fields).every((field) => LIGHT.has(field))
    ? node.with(fields)
    : { ...wholeNode(node), ...fields };

/** Returns the turn as a plain object. */
const wholeNode = (node: Node): Node => {
  if (!(node instanceof LazyNode)) return node;
  const { message, replyId, summary, replies, attachments, decision, ...light } = {
    ...node,
    message: node.message,
    replyId: node.replyId,
    summary: node.summary,
    replies: node.replies,
    attachments: node.attachments,
  };
  return {
    ...light,
    message,
    replyId,
    summary,
    replies: replies.map((reply) => ({ ...reply })),
    decision: wholeDecision(decision),
    ...(attachments.length > 0 && { attachments }),
  };
};

const wholeDecision = (decision: Decision): Decision =>
  decision instanceof LazyDecision ? decision.toJSON() : decision;

/** Replies still being written. A stored turn has none, so nothing is read to find out. */
export const openReplies = (node: Node): readonly Reply[] =>
  node instanceof LazyNode ? NONE : node.replies.filter(({ state }) => state === 'streaming');

/** The chosen reply, without its context: when all turns are read, this avoids completing the replies of stored ones. */
export const briefReplyOf = (node: Node): TextRow['replies'][number] | null => {
  const replies = node instanceof LazyNode ? node.briefReplies : node.replies;
  return replies.find(({ id }) => id === node.replyId) ?? null;
};

/** Whether two turns are known to say the same, without reading stored text to find out. */
export const surelySaySame = (a: Node, b: Node): boolean => {
  if (a instanceof LazyNode || b instanceof LazyNode) {
    return a === b || (a instanceof LazyNode && b instanceof LazyNode && a.hasWordsOf(b));
  }
  return a.message === b.message;
};

/** Whether what a turn says is read only when it is asked for. */
export const isReadOnDemand = (node: Node): boolean => node instanceof LazyNode;

/** Whether a turn has a summary, without reading it. */
export const isSummarised = (node: Node): boolean =>
  node instanceof LazyNode ? node.isSummarised : node.summary !== null;

/**
 * Whether a turn is still to be summarised, without reading it: it has no summary, or one that tells of another reply than
 * the chosen one, or of only the beginning of it. What a person wrote stays.
 */
export const lacksSummary = (node: Node): boolean => {
  if (node instanceof LazyNode) return node.lacksSummary;
  const { summary, replyId } = node;
  if (summary === null) return true;
  return summary.by !== PERSON && (summary.replyId !== replyId || summary.replyLength !== replyLength(node));
};

/** How long the chosen reply is, in UTF-16 units; 0 without one. */
export const replyLength = (node: Node): number => briefReplyOf(node)?.text.length ?? 0;

/** Whether none of a turn's replies has a context, as far as that is known without reading them. */
export const isWithoutContext = (node: Node): boolean =>
  node instanceof LazyNode ? node.isWithoutContext : node.replies.every(({ context }) => context === null);

/** The columns, and everything of which there is little, as plain JSON. */
export interface Head {
  readonly values: Values;
  readonly nodes: {
    readonly ids: readonly string[];
    readonly numbers: readonly number[];
    readonly ats: readonly number[];
    /** By index in `trees`, `branches` and `ids`; −1 for a root. */
    readonly trees: readonly number[];
    readonly branches: readonly number[];
    readonly parents: readonly number[];
    /** By index in `decisions`. */
    readonly decisions: readonly number[];
    /** Bits. */
    readonly known: readonly number[];
  };
  readonly decisions: readonly (Omit<Decision, 'trace'> & { readonly traced: boolean })[];
  /** What only a few turns have, by index. */
  readonly marks: Readonly<
    Record<number, Partial<Pick<NodeHeader, 'hidden' | 'pinned' | 'note' | 'label' | 'references'>>>
  >;
  /** Turns that are not settled, by index; these are stored whole. */
  readonly whole: Readonly<Record<number, Node>>;
  readonly trees: readonly Tree[];
  readonly branches: readonly Branch[];
  readonly pending: Forest['pending'];
  readonly overviews: readonly Omit<Overview, 'lines'>[];
  readonly future: readonly StepRow[];
}

/** The form of a forest to be stored: the columns, and the number of rows of each kind, by index. */
export interface StorableForest {
  readonly head: Head;
  readonly rows: Rows;
  /** Whether a row is unchanged from the rows stored before. */
  readonly isKept: (kind: keyof Rows, index: number, before: Rows) => boolean;
}

const ordinals = (ids: readonly string[]): ReadonlyMap<string, number> => new Map(ids.map((id, at) => [id, at]));

/** Turns checked or created per chunk. */
const PART = 256;

/** Expects a settled forest. Works in chunks, so that the caller can do something else in between. */
export function* storableForest(forest: Forest): Generator<undefined, StorableForest> {
  const { nodes: table, trees, branches, overviews, history, pending, children: _, ...values } = forest;
  const nodes = recordsOf(table);
  const [treePlaces, branchPlaces] = [ordinals(idsOf(trees)), ordinals(idsOf(branches))];
  const decisions: Head['decisions'][number][] = [];
  const decisionPlaces = new Map<string, number>();
  const decisionOf = ({ decision }: Node): number => {
    const { topic, branch, by } = decision;
    const traced = decision instanceof LazyDecision || decision.trace !== null;
    const key = `${topic} ${branch} ${by} ${traced}`;
    const known = decisionPlaces.get(key);
    if (known !== undefined) return known;
    decisionPlaces.set(key, decisions.length);
    return decisions.push({ topic, branch, by, traced }) - 1;
  };
  const places = new Map<NodeId, number>();
  for (const [at, { id }] of nodes.entries()) {
    if (at % PART === 0) yield;
    places.set(id, at);
  }
  const marks: Record<number, Head['marks'][number]> = {};
  const whole: Record<number, Node> = {};
  const columns = {
    ids: [] as string[],
    numbers: [] as number[],
    ats: [] as number[],
    trees: [] as number[],
    branches: [] as number[],
    parents: [] as number[],
    decisions: [] as number[],
    known: [] as number[],
  };
  for (const [at, node] of nodes.entries()) {
    if (at % PART === 0) yield;
    const { hidden, pinned, note, label, references, parentId } = node;
    if (openReplies(node).length > 0) whole[at] = node;
    if (hidden || pinned || note !== null || label !== null || references.length > 0) {
      marks[at] = { hidden, pinned, note, label, references };
    }
    columns.ids.push(node.id);
    columns.numbers.push(node.number);
    columns.ats.push(node.at);
    columns.trees.push(treePlaces.get(node.treeId) ?? -1);
    columns.branches.push(branchPlaces.get(node.branchId) ?? -1);
    columns.parents.push(parentId === null ? -1 : (places.get(parentId) ?? -1));
    columns.decisions.push(decisionOf(node));
    columns.known.push(
      (isSummarised(node) ? SUMMARISED : 0) |
        (isSummarised(node) && lacksSummary(node) ? OUTDATED : 0) |
        ((node.attachments?.length ?? 0) > 0 ? ATTACHED : 0) |
        (isWithoutContext(node) ? WITHOUT_CONTEXT : 0),
    );
  }
  const overviewList = recordsOf(overviews);
  const head: Head = {
    values,
    nodes: columns,
    decisions,
    marks,
    whole,
    trees: recordsOf(trees),
    branches: recordsOf(branches),
    pending: Object.fromEntries(recordsOf(pending).map((one) => [one.id, one])),
    overviews: overviewList.map(({ id, branchId }) => ({ id, branchId })),
    future: history.future.map(stepRow),
  };
  const past = sourceOf(history.past);
  const { kept: keptSteps } = (past?.source ?? {}) as Partial<KeptSteps>;
  return {
    head,
    rows: {
      texts: { length: nodes.length, at: (index) => textRow(nodes[index] as Node) },
      details: { length: nodes.length, at: (index) => detailRow(nodes[index] as Node) },
      overviews: { length: overviewList.length, at: (index) => (overviewList[index] as Overview).lines },
      steps: { length: history.past.length, at: (index) => stepRow(history.past[index] as Step) },
    },
    isKept: (kind, index, before) => {
      if (kind === 'steps') return keptSteps === before.steps && past !== undefined && index < past.length;
      const record = kind === 'overviews' ? overviewList[index] : nodes[index];
      if (record instanceof LazyOverview) return record.isRow(before, index);
      if (!(record instanceof LazyNode)) return false;
      return kind === 'details' ? record.hasDetailsIn(before, index) : record.isRow(before, index);
    },
  };
}

const textRow = ({ message, attachments = NONE, replyId, summary, replies }: Node): TextRow => ({
  message,
  ...(attachments.length > 0 && { attachments }),
  replyId,
  summary,
  replies: replies.map(({ context: _, ...reply }) => reply),
});

const detailRow = ({ decision, replies }: Node): DetailRow => ({
  trace: decision.trace,
  contexts: replies.map(({ context }) => context),
});

interface KeptSteps extends Source<Step> {
  readonly kept: Rows['steps'];
}

const stepsIn = ({ steps }: Rows): KeptSteps => ({
  kept: steps,
  length: steps.length,
  at: (index) => stepOf(steps.at(index)),
});

/** Restores the stored forest, settled; produced in chunks like `storableForest`. */
export function* restoredForest(head: Head, rows: Rows): Generator<undefined, Forest> {
  const { values, nodes: columns, trees, branches, pending, overviews, future } = head;
  const plain = head.decisions.map(({ topic, branch, by }): Decision => ({ topic, branch, by, trace: null }));
  const nodes: Node[] = [];
  for (const [row, id] of columns.ids.entries()) {
    if (row % PART === 0) yield;
    const kind = columns.decisions[row] as number;
    const decision =
      head.decisions[kind]?.traced === true ? new LazyDecision(rows, row, plain[kind] as Decision) : plain[kind];
    const parent = columns.parents[row] as number;
    const mark = head.marks[row];
    nodes.push(
      head.whole[row] ??
        new LazyNode(rows, row, columns.known[row] as number, {
          id,
          number: columns.numbers[row] as number,
          treeId: trees[columns.trees[row] as number]?.id as string,
          branchId: branches[columns.branches[row] as number]?.id as string,
          parentId: parent === -1 ? null : (columns.ids[parent] as NodeId),
          at: columns.ats[row] as number,
          hidden: mark?.hidden ?? false,
          pinned: mark?.pinned ?? false,
          note: mark?.note ?? null,
          label: mark?.label ?? null,
          references: mark?.references ?? NONE,
          decision: decision as Decision,
        }),
    );
  }
  // Children are in chronological order, whatever order the turns are listed in.
  const isInTime = nodes.every(({ number }, at) => number >= (nodes[at - 1]?.number ?? 0));
  const children: Record<NodeId, NodeId[]> = {};
  for (const { id, parentId } of isInTime ? nodes : nodes.toSorted(byNumber)) {
    if (parentId === null) continue;
    const siblings = children[parentId];
    if (siblings === undefined) children[parentId] = [id];
    else siblings.push(id);
  }
  yield;
  const forest: Forest = {
    ...values,
    nodes: listedTable(columns.ids, nodes),
    children,
    trees: tableOf(trees),
    branches: tableOf(branches),
    pending,
    overviews: tableOf(overviews.map(({ id, branchId }, row) => new LazyOverview(rows, row, id, branchId))),
    history: { past: longList(stepsIn(rows), []), future: future.map(stepOf) },
  };
  for (const table of [forest.children, forest.trees, forest.branches, forest.pending, forest.overviews])
    freezeTable(table);
  return forest;
}

const tableOf = <T extends { readonly id: string }>(records: readonly T[]): Table<T> => {
  const table: Table<T> = {};
  for (const record of records) table[record.id] = record;
  return table;
};

/** A step as JSON: fields set to undefined, which JSON would drop, are listed by name. */
interface StepRow extends Pick<Step, 'id' | 'type'> {
  readonly changes: readonly (Change & { readonly emptied?: readonly string[] })[];
}

const stepRow = ({ id, type, changes }: Step): StepRow => ({
  id,
  type,
  changes: changes.map((change) => {
    if (change.kind !== 'fields') return change;
    const emptied = Object.entries(change.fields).flatMap(([field, value]) => (value === undefined ? [field] : []));
    return emptied.length === 0 ? change : { ...change, emptied };
  }),
});

const stepOf = ({ id, type, changes }: StepRow): Step => ({
  id,
  type,
  changes: changes.map(({ emptied = [], ...change }): Change => {
    if (change.kind !== 'fields' || emptied.length === 0) return change as Change;
    const fields = { ...change.fields, ...Object.fromEntries(emptied.map((field) => [field, undefined])) };
    return { ...change, fields } as Change;
  }),
});
