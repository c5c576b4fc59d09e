import type { Session } from '../../app/state.ts';
import type { Forest, Node, NodeId, Tree, TreeId } from '../../domain/forest.ts';
import { childrenOf, nodeOf, subtree, treesOf } from '../../domain/queries.ts';
import { surelySaySame } from '../../domain/stored-forest.ts';
import { changedIds, recordsOf } from '../../domain/table.ts';
import { counted, firstCharacters, shortened } from '../parts/format.ts';

interface RowBase {
  /** Unique among the rows; remembers a collapsed row. */
  readonly key: NodeId | TreeId;
  /** From 1, as `aria-level`. */
  readonly level: number;
  /** Among its siblings on this level, as `aria-posinset` (from 1) and `aria-setsize`. */
  readonly position: number;
  readonly siblings: number;
  /** null if there is nothing to expand. */
  readonly expanded: boolean | null;
}

export interface TopicRow extends RowBase {
  readonly kind: 'topic';
  readonly tree: Tree;
  readonly turns: number;
}

interface TurnRow extends RowBase {
  readonly kind: 'turn';
  readonly node: Node;
  /** The topic's index in creation order, for its colour. */
  readonly topic: number;
  /** Whether a branch starts here, off another one. */
  readonly forks: boolean;
}

export type OutlineRow = TopicRow | TurnRow;

/** The rows of a forest, plus what is needed to update them for a later forest. */
export interface OutlineState {
  readonly rows: readonly OutlineRow[];
  readonly forest: Forest;
  readonly collapsed: ReadonlySet<string>;
  readonly topics: ReadonlyMap<TreeId, OutlinedTopic>;
}

interface OutlinedTopic {
  /** Its own row. */
  readonly head: TopicRow;
  /** Its index among all rows, and the rows of its turns, which follow it. */
  readonly at: number;
  readonly rows: readonly OutlineRow[];
  readonly turns: number;
}

/**
 * The outline's rows, top to bottom. A branch is a run of siblings, however long; branches that fork from a turn are
 * nested under that turn. Anything under a collapsed key is left out. Topics in which nothing visible has changed reuse
 * the rows of `before`.
 */
export const outlined = (forest: Forest, collapsed: ReadonlySet<string>, before: OutlineState | null): OutlineState => {
  const touched = before?.collapsed === collapsed ? touchedTopics(before.forest, forest) : null;
  if (before !== null && touched?.size === 0 && changedIds(before.forest.trees, forest.trees)?.every(sameTopic)) {
    return { ...before, forest };
  }
  const trees = treesOf(forest);
  const sizes = touched === null ? turnsByTopic(forest) : null;
  const topics = new Map<TreeId, OutlinedTopic>();
  const parts: (readonly OutlineRow[])[] = [];
  let at = 0;
  trees.forEach((tree, index) => {
    const expanded = !collapsed.has(tree.id);
    const known = before?.topics.get(tree.id);
    const kept = touched === null || touched.has(tree.id) ? undefined : known;
    const rows = kept?.rows ?? (expanded ? sameWhereAlike(turnRows(forest, collapsed, tree), known?.rows ?? []) : []);
    const turns = kept?.turns ?? (sizes === null ? subtree(forest, tree.rootId).length : (sizes.get(tree.id) ?? 0));
    const place = { key: tree.id, level: 1, position: index + 1, siblings: trees.length, expanded };
    const row: TopicRow = { kind: 'topic', tree, turns, ...place };
    const head = known !== undefined && isAlike(known.head, row) ? known.head : row;
    topics.set(tree.id, { head, at, rows, turns });
    parts.push([head], rows);
    at += 1 + rows.length;
  });
  // Copied as blocks: there may be very many.
  const rows = parts.flat();
  return { rows, forest, collapsed, topics };

  function sameTopic(id: TreeId): boolean {
    const [was, is] = [before?.forest.trees[id], forest.trees[id]];
    return was !== undefined && is !== undefined && was.title === is.title && was.titledBy === is.titledBy;
  }
};

/** Reuses unchanged rows, so that only different ones are drawn again: a topic that got a new turn keeps its rows up to there. */
const sameWhereAlike = (rows: readonly OutlineRow[], before: readonly OutlineRow[]): readonly OutlineRow[] =>
  rows.map((row, at) => {
    const old = before[at];
    return old !== undefined && isAlike(old, row) ? old : row;
  });

const isAlike = (a: OutlineRow, b: OutlineRow): boolean => {
  if (a.key !== b.key || a.level !== b.level || a.position !== b.position) return false;
  if (a.siblings !== b.siblings || a.expanded !== b.expanded) return false;
  if (a.kind === 'topic') return b.kind === 'topic' && a.turns === b.turns && isSameTopic(a.tree, b.tree);
  return b.kind === 'turn' && a.topic === b.topic && a.forks === b.forks && sameRow(a.node, b.node);
};

const isSameTopic = (a: Tree, b: Tree): boolean =>
  a.title === b.title && a.titledBy === b.titledBy && a.order === b.order && a.rootId === b.rootId;

/** Index of the row with a key; −1 if there is none. */
export const placeOfRow = ({ rows, topics, forest }: OutlineState, key: string): number => {
  const own = topics.get(key);
  if (own !== undefined) return own.at;
  const topic = topics.get(forest.nodes[key]?.treeId ?? '');
  if (topic === undefined) return -1;
  const last = topic.at + topic.rows.length;
  for (let at = last; at > topic.at; at--) if (rows[at]?.key === key) return at;
  return -1;
};

/** Topics with at least one changed row; null if any may have changed. */
const touchedTopics = (before: Forest, now: Forest): ReadonlySet<TreeId> | null => {
  const nodes = changedIds(before.nodes, now.nodes);
  const children = changedIds(before.children, now.children);
  const branches = changedIds(before.branches, now.branches);
  const trees = changedIds(before.trees, now.trees);
  if (nodes === null || children === null || branches === null || trees === null) return null;
  const touched = new Set<TreeId>();
  const touch = (...of: readonly (Pick<Node, 'treeId'> | undefined)[]) => {
    for (const one of of) if (one !== undefined) touched.add(one.treeId);
  };
  for (const id of nodes) if (!sameRow(before.nodes[id], now.nodes[id])) touch(before.nodes[id], now.nodes[id]);
  for (const id of children) touch(before.nodes[id], now.nodes[id]);
  for (const id of branches) touch(before.branches[id], now.branches[id]);
  for (const id of trees) if (before.trees[id]?.rootId !== now.trees[id]?.rootId) touched.add(id);
  return touched;
};

/** Whether everything an outline shows of a turn, including its place, is surely the same. */
const sameRow = (a: Node | undefined, b: Node | undefined): boolean =>
  a !== undefined && b !== undefined && SHOWN.every((field) => a[field] === b[field]) && surelySaySame(a, b);

const SHOWN = [
  'treeId',
  'branchId',
  'parentId',
  'number',
  'pinned',
  'note',
  'references',
  'hidden',
] as const satisfies readonly (keyof Node)[];

/** A list of siblings being walked, and the position in it. An explicit stack instead of recursion: forks can nest deep. */
interface Walk {
  readonly turns: readonly Node[];
  readonly level: number;
  next: number;
}

const turnRows = (forest: Forest, collapsed: ReadonlySet<string>, tree: Tree): OutlineRow[] => {
  const rows: OutlineRow[] = [];
  const stack: Walk[] = [{ turns: runFrom(forest, tree.rootId), level: 2, next: 0 }];
  for (let walk = stack.at(-1); walk !== undefined; walk = stack.at(-1)) {
    const node = walk.turns[walk.next++];
    if (node === undefined) {
      stack.pop();
      continue;
    }
    const heads = forksAt(forest, node);
    const expanded = heads.length === 0 ? null : !collapsed.has(node.id);
    rows.push({
      kind: 'turn',
      key: node.id,
      level: walk.level,
      position: walk.next,
      siblings: walk.turns.length,
      expanded,
      node,
      topic: tree.order,
      forks: node.parentId !== null && forest.branches[node.branchId]?.headId === node.id,
    });
    if (expanded) {
      const turns = heads.flatMap((head) => runFrom(forest, head));
      stack.push({ turns, level: walk.level + 1, next: 0 });
    }
  }
  return rows;
};

/** A node and those that follow it on its branch. */
const runFrom = (forest: Forest, id: NodeId): Node[] => {
  const run: Node[] = [];
  for (let next: NodeId | undefined = id; next !== undefined; ) {
    const node = nodeOf(forest, next);
    run.push(node);
    next = childrenOf(forest, next).find((child) => nodeOf(forest, child).branchId === node.branchId);
  }
  return run;
};

/** First nodes of the branches that fork from a node, oldest first. */
const forksAt = (forest: Forest, node: Node): NodeId[] =>
  childrenOf(forest, node.id).filter((child) => nodeOf(forest, child).branchId !== node.branchId);

const turnsByTopic = (forest: Forest): Map<TreeId, number> => {
  const sizes = new Map<TreeId, number>();
  for (const { treeId } of recordsOf(forest.nodes)) sizes.set(treeId, (sizes.get(treeId) ?? 0) + 1);
  return sizes;
};

/** Keys that must be expanded for a turn's row to be shown: its topic, and the turns its branches fork from. */
export const keysAbove = (forest: Forest, nodeId: NodeId): string[] => {
  const keys: string[] = [];
  let node = forest.nodes[nodeId];
  if (node !== undefined) keys.push(node.treeId);
  while (node !== undefined) {
    const head: Node | undefined = forest.nodes[forest.branches[node.branchId]?.headId ?? ''];
    if (head === undefined || head.parentId === null) break;
    keys.push(head.parentId);
    node = forest.nodes[head.parentId];
  }
  return keys;
};

/**
 * How the session changes when the outline is to show a turn: what hides its row is expanded. null for the turn that it
 * showed last, also before it made way for another pane: what has been collapsed above that one since stays so.
 */
export const expandedFor = (
  forest: Forest,
  { outlineCollapsed, outlineShown }: Pick<Session, 'outlineCollapsed' | 'outlineShown'>,
  shown: NodeId,
): Pick<Session, 'outlineCollapsed' | 'outlineShown'> | null => {
  if (shown === outlineShown) return null;
  const above = new Set(keysAbove(forest, shown));
  const isHidden = outlineCollapsed.some((key) => above.has(key));
  const collapsed = isHidden ? outlineCollapsed.filter((key) => !above.has(key)) : outlineCollapsed;
  return { outlineShown: shown, outlineCollapsed: collapsed };
};

/** Index of a row's parent; −1 for a topic. */
export const parentRow = (rows: readonly OutlineRow[], index: number): number => {
  const level = rows[index]?.level ?? 1;
  for (let above = index - 1; above >= 0; above--) {
    if ((rows[above]?.level ?? 1) < level) return above;
  }
  return -1;
};

/** Maximum excerpt of a message that a screen reader reads out; UTF-16 units. */
const EXCERPT = 120;

/** The accessible name of a row. For a turn it starts with `Turn N`. */
export const rowName = (row: OutlineRow): string => {
  if (row.kind === 'topic') return `${row.tree.title}, ${counted(row.turns, 'turn')}`;
  const { number, message } = row.node;
  return [`Turn ${number}: ${excerpt(message)}`, ...(row.forks ? ['begins a branch'] : []), ...marksOf(row.node)].join(
    ', ',
  );
};

const marksOf = ({ pinned, note, references, hidden }: Node): string[] => [
  ...(pinned ? ['pinned'] : []),
  ...(note === null ? [] : ['has a note']),
  ...(references.length === 0 ? [] : [`refers to ${counted(references.length, 'turn')}`]),
  ...(hidden ? ['hidden'] : []),
];

const excerpt = (message: string): string => shortened(firstCharacters(message, 2 * EXCERPT), EXCERPT);
