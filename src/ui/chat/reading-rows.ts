import type { Reading } from '../../app/state.ts';
import type { Forest, Node, NodeId, Tree, TreeId } from '../../domain/forest.ts';
import { placeWhere } from '../../domain/long-list.ts';
import { plural } from '../../domain/numbers.ts';
import { nodeOf, pathTo, pendingTurn, subtree, tipOf, treesOf } from '../../domain/queries.ts';
import { changedIds } from '../../domain/table.ts';
import { placeOf, turnsInOrder } from '../../domain/turns-in-order.ts';
import { counted, shortened } from '../parts/format.ts';

/** Turns that the reading skips where they were sent, in order of time. They expand in place. */
export interface Gap {
  readonly kind: 'gap';
  /** The end of the path that they are off; null for turns on other branches of the topic being read. */
  readonly tip: Node | null;
  readonly nodes: readonly Node[];
}

/** Consecutive turns of the reading that are hidden: they are not sent to any model. */
export interface HiddenRun {
  readonly kind: 'hidden';
  readonly nodes: readonly Node[];
}

/** Where, in order of time, the conversation comes to a topic. */
export interface TopicVisit {
  readonly kind: 'section';
  readonly treeId: TreeId;
  /** The first of the topic's turns here. */
  readonly first: Node;
  /** Whether the topic came up before. */
  readonly continued: boolean;
}

/** An item of the conversation as read from top to bottom. */
export type LinearItem = Gap | HiddenRun | TopicVisit | { readonly kind: 'turn'; readonly node: Node };

/** The path as a linear conversation: its turns, and between them what happened elsewhere. */
export const rowsAlongPath = (forest: Forest, path: readonly Node[]): LinearItem[] => {
  const tip = path.at(-1);
  if (tip === undefined) return [];
  const turns = turnsInOrder(forest);
  const kept = keptGaps(forest, tip);
  const gaps = new Map<NodeId, Gap>();
  const items: LinearItem[] = [];
  // Only a turn that was moved can stand under a later one; otherwise no turn of the path is in a gap.
  const isInOrder = path.every(({ number }, at) => number > (path[at - 1]?.number ?? 0));
  const onPath = isInOrder ? null : new Set(path.map(({ id }) => id));
  let next = 0;
  const gapUpTo = (end: number) => {
    // A turn that was moved under a later one stands below it, and what was sent between them above both.
    if (end < next) return;
    const moved = onPath === null ? null : turns.slice(next, end).filter(({ id }) => !onPath.has(id));
    const length = moved?.length ?? end - next;
    const [first, last] = moved === null ? [turns[next], turns[end - 1]] : [moved[0], moved.at(-1)];
    if (length > 0 && first !== undefined && last !== undefined) {
      const found = kept(first, last, length) ?? { kind: 'gap', tip, nodes: moved ?? turns.slice(next, end) };
      gaps.set(first.id, found);
      items.push(found);
    }
    next = end + 1;
  };
  for (const node of path) {
    gapUpTo(placeOf(turns, node.number));
    addTurn(items, node);
  }
  gapUpTo(turns.length);
  read = { forest, tip, gaps };
  return items;
};

/** The path read last, with its gaps keyed by their first turn. */
let read: { readonly forest: Forest; readonly tip: Node; readonly gaps: ReadonlyMap<NodeId, Gap> } | null = null;

/** Finds a gap of that length in the previous reading, if nothing it describes has changed. */
const keptGaps = (forest: Forest, tip: Node) => {
  const before = read;
  const ids = before === null ? null : changedIds(before.forest.nodes, forest.nodes);
  const both = before === null ? [] : [before.forest, forest];
  const changed = ids?.flatMap((id) => both.flatMap(({ nodes }) => nodes[id]?.number ?? [])).sort((a, b) => a - b);
  return (first: Node, last: Node, length: number): Gap | null => {
    const known = before?.gaps.get(first.id);
    if (before === null || changed === undefined || known === undefined) return null;
    // Turns after the end of the path are described differently, depending on whether they continue from there.
    if (last.number > Math.min(tip.number, before.tip.number) || tip.treeId !== before.tip.treeId) return null;
    if (known.nodes.length !== length || known.nodes.at(-1) !== last) return null;
    return (firstFrom(changed, first.number) ?? last.number + 1) > last.number ? known : null;
  };
};

/** The first of a sorted list of numbers that is at least `from`. */
const firstFrom = (numbers: readonly number[], from: number): number | undefined =>
  numbers[placeWhere(0, numbers.length, (at) => (numbers[at] as number) < from)];

/**
 * Everything in order of time: a section wherever the topic changes, and in it the turns that lead to the topic's
 * current turn; runs of turns on its other branches become gaps.
 */
export const rowsInTimeOrder = (forest: Forest): LinearItem[] => {
  const shown = new Set<NodeId>();
  for (const { id, activeId } of treesOf(forest)) {
    const at = forest.active?.treeId === id ? forest.active.nodeId : activeId;
    for (const node of pathTo(forest, tipOf(forest, nodeOf(forest, at)).id)) shown.add(node.id);
  }
  const items: LinearItem[] = [];
  const met = new Set<TreeId>();
  let treeId: TreeId | null = null;
  let folded: Node[] = [];
  const close = () => {
    if (folded.length > 0) items.push({ kind: 'gap', tip: null, nodes: folded });
    folded = [];
  };
  for (const node of turnsInOrder(forest)) {
    if (node.treeId !== treeId) {
      close();
      treeId = node.treeId;
      items.push({ kind: 'section', treeId, first: node, continued: met.has(treeId) });
      met.add(treeId);
    }
    if (!shown.has(node.id)) folded.push(node);
    else {
      close();
      addTurn(items, node);
    }
  }
  close();
  return items;
};

const addTurn = (items: LinearItem[], node: Node): void => {
  const before = items.at(-1);
  if (!node.hidden) items.push({ kind: 'turn', node });
  else if (before?.kind === 'hidden') items[items.length - 1] = { kind: 'hidden', nodes: [...before.nodes, node] };
  else items.push({ kind: 'hidden', nodes: [node] });
};

/** A row of the reading: an item, or a turn of an expanded gap or run, shown below it. */
export type ReadingRow =
  | { readonly kind: 'turn'; readonly key: string; readonly node: Node; readonly aside: boolean }
  | { readonly kind: 'fold'; readonly key: string; readonly fold: Gap | HiddenRun; readonly open: boolean }
  | { readonly kind: 'section'; readonly key: string; readonly section: TopicVisit };

/** A gap or run that grows at its end keeps its key. */
const foldKey = ({ kind, nodes }: Gap | HiddenRun): string => `${kind} ${nodes[0]?.id}`;

export const readingRows = (items: readonly LinearItem[], open: ReadonlySet<string>): ReadingRow[] =>
  items.flatMap((item): ReadingRow[] => {
    if (item.kind === 'turn') return [{ kind: 'turn', key: item.node.id, node: item.node, aside: false }];
    if (item.kind === 'section') return [{ kind: 'section', key: `section ${item.first.id}`, section: item }];
    const key = foldKey(item);
    if (!open.has(key)) return [{ kind: 'fold', key, fold: item, open: false }];
    const turns = item.nodes.map((node) => ({ kind: 'turn', key: node.id, node, aside: true }) as const);
    return [{ kind: 'fold', key, fold: item, open: true }, ...turns];
  });

/**
 * Index of the row that shows a turn, or of the fold that it is in; −1 if there is none. A gap counts only if it
 * `opens`; a hidden run is a place in the text either way.
 */
export const rowOfTurn = (rows: readonly ReadingRow[], id: NodeId, opens: boolean): number => {
  const own = rows.findIndex((row) => row.kind === 'turn' && row.node.id === id);
  if (own !== -1) return own;
  return rows.findIndex(
    (row) =>
      row.kind === 'fold' && (opens || row.fold.kind === 'hidden') && row.fold.nodes.some((node) => node.id === id),
  );
};

/** Which text of a conversation is read; another `number` is another text, which is read from its end. */
export interface ReadText {
  readonly reading: Reading;
  readonly activeId: NodeId | null;
  readonly pendingId: NodeId | null;
  readonly number: number;
}

/**
 * Sending a message leads to its text, and, along a path, so does moving in the forest. Changing the reading does not, nor
 * does what was sent being placed where it was shown: the place in the text is kept.
 */
export const textRead = (before: ReadText, reading: Reading, forest: Forest): ReadText => {
  const activeId = forest.active?.nodeId ?? null;
  const pendingId = pendingTurn(forest)?.id ?? null;
  const isSent = pendingId !== null && pendingId !== before.pendingId;
  const isPlaced =
    activeId !== null && activeId === before.pendingId && nodeOf(forest, activeId).parentId === before.activeId;
  const isMoved = reading === 'path' && before.reading === 'path' && activeId !== before.activeId && !isPlaced;
  return { reading, activeId, pendingId, number: before.number + (isSent || isMoved ? 1 : 0) };
};

/** Maximum title length, in characters, that leaves room for the words around it. */
const TITLE = 24;

/** The topic that colours a gap, if all its turns are on one other topic. Like the words, computed only for visible gaps. */
export const gapTopic = ({ nodes, tip }: Gap): TreeId | null => {
  const only = nodes[0]?.treeId;
  if (tip === null || only === undefined || only === tip.treeId) return null;
  return nodes.every(({ treeId }) => treeId === only) ? only : null;
};

/** A gap's description of its turns. */
export const gapWords = (forest: Forest, gap: Gap): string => {
  const { nodes, tip } = gap;
  if (tip === null) return branchWords(forest, nodes);
  const last = nodes.at(-1) as Node;
  const later = last.number > tip.number;
  const turns = counted(nodes.length, later ? 'later turn' : 'turn');
  const one = gapTopic(gap);
  if (one !== null) return `${turns} in another topic: ${shortened(forest.trees[one]?.title ?? '', TITLE)}`;
  const topics = new Set(nodes.map((node) => node.treeId));
  const withOwn = topics.delete(tip.treeId);
  if (!withOwn) return `${turns} in ${topics.size} other topics`;
  if (topics.size > 0) return `${turns} on other branches and topics`;
  return later && areAllBelow(forest, tip, nodes)
    ? `${turns} ${plural(nodes.length, 'continues', 'continue')} from here`
    : `${turns} on another branch`;
};

/** Whether all these turns descend from that one. There may be thousands, one below the other. */
const areAllBelow = (forest: Forest, { id }: Node, nodes: readonly Node[]): boolean => {
  const family = new Set(subtree(forest, id).map((node) => node.id));
  return nodes.every((node) => family.has(node.id));
};

/** The same for turns on other branches of the topic being read. */
const branchWords = (forest: Forest, nodes: readonly Node[]): string => {
  const branches = new Set(nodes.map(({ branchId }) => branchId));
  const [only] = branches;
  const title = branches.size === 1 ? forest.branches[only ?? '']?.title : null;
  const where =
    branches.size > 1
      ? `on ${branches.size} other branches`
      : title == null
        ? 'on another branch'
        : `on the branch ${shortened(title, TITLE)}`;
  return `${counted(nodes.length, 'turn')} ${where}`;
};

interface Crumbs {
  readonly topic: Tree;
  /** First turns of the branches that the path takes after its first branch, in order. */
  readonly forks: readonly Node[];
  /** Number of forks left out between the topic and the ones shown. */
  readonly hidden: number;
}

/** Forks shown; older ones are left out. */
const SHOWN = 2;

/** The breadcrumbs to the end of a path: its topic, and where it forked. Null for an empty path. */
export const crumbsOf = (forest: Forest, path: readonly Node[]): Crumbs | null => {
  const topic = forest.trees[path[0]?.treeId ?? ''];
  if (topic === undefined) return null;
  const forks = path.filter((node, index) => index > 0 && path[index - 1]?.branchId !== node.branchId);
  return { topic, forks: forks.slice(-SHOWN), hidden: Math.max(0, forks.length - SHOWN) };
};
