import {
  type BranchId,
  byNumber,
  type Forest,
  type Node,
  type NodeId,
  type Tree,
  type TreeId,
} from '../../domain/forest.ts';
import { placeWhere } from '../../domain/long-list.ts';
import { tipOf, treesOf } from '../../domain/queries.ts';
import { changedIds } from '../../domain/table.ts';
import { turnsInOrder } from '../../domain/turns-in-order.ts';
import { highestOf } from './vector-math.ts';
import type { VectorTable } from './vector-table.ts';

/** How many of the last turns a topic decision is shown. */
export const RECENT = 10;

/** A topic with its turns in order of time. */
export interface IndexedTopic {
  readonly tree: Tree;
  /** Its position among the topics. */
  readonly at: number;
  readonly nodes: readonly Node[];
  /** The vector row of each node; −1 for none. */
  readonly rows: Int32Array;
  /** The position of each node's parent; `ROOT` for a root, `ELSEWHERE` if the parent is not in the topic. */
  readonly parents: Int32Array;
  /** How many nodes have no vector and need one: hidden ones do not. */
  readonly lacking: number;
}

/** The contents of a forest in the order a decision reads them. Derived from the forest alone, and immutable. */
export interface ForestIndex {
  /** In order of creation. */
  readonly topics: readonly IndexedTopic[];
  /** Position of each topic in `topics`. */
  readonly placeOfTopic: ReadonlyMap<TreeId, number>;
  /** Position of the topic of each row's node; −1 if the node is not in the forest. */
  readonly topicOfRow: Int32Array;
  /** Position of each row's node within that topic; −1 likewise. */
  readonly placeOfRow: Int32Array;
  /** How many nodes there are, and how many of them lack a vector that they need. */
  readonly size: number;
  readonly lacking: number;
  /** The last `RECENT` placed turns by time, oldest first. */
  readonly latest: readonly Node[];
  /** Positions of the most recently discussed topics, and of those with the most nodes. */
  readonly latestTopics: readonly number[];
  readonly largestTopics: readonly number[];
}

/** How many of the most recently discussed and of the largest topics a question lists if there are very many. */
const LATEST = 24;
const LARGEST = 8;

export const indexOf = (forest: Forest, table: VectorTable): ForestIndex => {
  const trees = treesOf(forest);
  const members = new Map<TreeId, Node[]>();
  for (const { id } of trees) members.set(id, []);
  const inOrder = turnsInOrder(forest);
  for (const node of inOrder) members.get(node.treeId)?.push(node);

  const topicOfRow = new Int32Array(table.size).fill(-1);
  const placeOfRow = new Int32Array(table.size).fill(-1);
  const topics = trees.map((tree, at): IndexedTopic => {
    const nodes = members.get(tree.id) ?? [];
    const rows = new Int32Array(nodes.length);
    const parents = new Int32Array(nodes.length);
    let lacking = 0;
    for (let place = 0; place < nodes.length; place++) {
      const { id, hidden } = nodes[place] as Node;
      const row = table.rowOf(id);
      rows[place] = row;
      parents[place] = parentIn(forest, nodes, place);
      if (row >= 0) {
        topicOfRow[row] = at;
        placeOfRow[row] = place;
      } else if (!hidden) lacking += 1;
    }
    return { tree, at, nodes, rows, parents, lacking };
  });
  return {
    topics,
    placeOfTopic: placesOf(topics),
    topicOfRow,
    placeOfRow,
    size: topics.reduce((sum, { nodes }) => sum + nodes.length, 0),
    lacking: topics.reduce((sum, { lacking }) => sum + lacking, 0),
    latest: inOrder.slice(-RECENT),
    latestTopics: latestOf(topics, topics.keys()),
    largestTopics: largestOf(topics, topics.keys()),
  };
};

const placesOf = (topics: readonly IndexedTopic[]): Map<TreeId, number> =>
  new Map(topics.map(({ tree, at }) => [tree.id, at]));

const ROOT = -1;
const ELSEWHERE = -2;

/** Most turns continue from the one before, so that is tried first. */
const parentIn = (forest: Forest, nodes: readonly Node[], place: number): number => {
  const { parentId } = nodes[place] as Node;
  if (parentId === null) return ROOT;
  if (nodes[place - 1]?.id === parentId) return place - 1;
  const parent = forest.nodes[parentId];
  return (parent && placeIn(nodes, parent)) ?? ELSEWHERE;
};

const placeIn = (nodes: readonly Node[], { id, number }: Pick<Node, 'id' | 'number'>): number | null => {
  const place = placeWhere(0, nodes.length, (at) => (nodes[at] as Node).number < number);
  return nodes[place]?.id === id ? place : null;
};

/** `among`: positions of the candidate topics. */
const latestOf = (topics: readonly IndexedTopic[], among: Iterable<number>): number[] =>
  foremostTopics(topics, among, LATEST, ({ nodes }) => nodes.at(-1)?.number ?? 0);

const largestOf = (topics: readonly IndexedTopic[], among: Iterable<number>): number[] =>
  foremostTopics(topics, among, LARGEST, ({ nodes }) => nodes.length);

const foremostTopics = (
  topics: readonly IndexedTopic[],
  among: Iterable<number>,
  count: number,
  by: (topic: IndexedTopic) => number,
): number[] => {
  const places = Int32Array.from(among).sort();
  const values = Float64Array.from(places, (at) => by(topics[at] as IndexedTopic));
  return highestOf(values, count).map((i) => places[i] as number);
};

/** Most new turns that an index is updated with; beyond that it is rebuilt. */
const MOST_COME = 16;
/** The same for vectors, which are quicker to take in. */
const MOST_FOUND = 4_096;

/**
 * Updates the index to a forest that continues the indexed one, by new messages and by changes to earlier ones. Null if
 * turns were removed, moved or hidden: then it is rebuilt. Topics in which nothing happened stay the same objects.
 */
export const indexAfter = (
  before: ForestIndex,
  was: Forest,
  forest: Forest,
  table: VectorTable,
): ForestIndex | null => {
  const nodeIds = changedIds(was.nodes, forest.nodes);
  const treeIds = changedIds(was.trees, forest.trees);
  if (nodeIds === null || treeIds === null) return null;
  const topics = before.topics.slice();
  for (const id of treeIds) {
    const [topic, tree] = [topicOf(before, id), forest.trees[id]];
    if (tree === undefined) return null;
    if (topic === undefined) {
      if (tree.order <= (topics.at(-1)?.tree.order ?? -1)) return null;
      topics.push({ tree, at: topics.length, nodes: [], rows: NO_PLACES, parents: NO_PLACES, lacking: 0 });
    } else if (topic.tree.order !== tree.order) return null;
    else topics[topic.at] = { ...topic, tree };
  }
  const placeOfTopic = topics.length === before.topics.length ? before.placeOfTopic : placesOf(topics);
  const come: Node[] = [];
  for (const id of nodeIds) {
    const [old, node] = [was.nodes[id], forest.nodes[id]];
    if (node === undefined) return null;
    if (old === undefined) {
      come.push(node);
      continue;
    }
    const topic = topicOf({ topics, placeOfTopic }, node.treeId);
    const place = topic && placeIn(topic.nodes, node);
    if (topic === undefined || place == null) return null;
    if (old.parentId !== node.parentId || old.treeId !== node.treeId || old.hidden !== node.hidden) return null;
    topics[topic.at] = { ...topic, nodes: topic.nodes.with(place, node) };
  }
  if (come.length > MOST_COME) return null;
  for (const node of come.sort(byNumber)) {
    const topic = topicOf({ topics, placeOfTopic }, node.treeId);
    if (topic === undefined || (topic.nodes.at(-1)?.number ?? -1) >= node.number) return null;
    topics[topic.at] = withTurn(topic, node);
  }
  // Only after all are added, since one may hang from a later one.
  for (const node of come) {
    const { nodes, parents } = topicOf({ topics, placeOfTopic }, node.treeId) as IndexedTopic;
    const place = placeIn(nodes, node) as number;
    parents[place] = parentIn(forest, nodes, place);
  }
  const found = [...table.idsFrom(before.topicOfRow.length), ...come.map(({ id }) => id)];
  if (found.length > MOST_FOUND) return null;
  const topicOfRow = grown(before.topicOfRow, table.size);
  const placeOfRow = grown(before.placeOfRow, table.size);
  /** Copied rows of the topics being modified. */
  const written = new Map<number, Int32Array>();
  let taken = 0;
  for (const id of found) {
    const [node, row] = [forest.nodes[id], table.rowOf(id)];
    const topic = topicOf({ topics, placeOfTopic }, node?.treeId ?? '');
    const place = node && topic && placeIn(topic.nodes, node);
    if (node === undefined || topic === undefined || place == null || row < 0 || (topic.rows[place] as number) >= 0)
      continue;
    const rows = written.get(topic.at) ?? topic.rows.slice();
    written.set(topic.at, rows);
    rows[place] = row;
    const needed = lackingOf(node);
    topics[topic.at] = { ...topic, rows, lacking: topic.lacking - needed };
    topicOfRow[row] = topic.at;
    placeOfRow[row] = place;
    taken += needed;
  }
  // Only topics that are new or grew can move up in the rankings.
  const grew = come.map(({ treeId }) => placeOfTopic.get(treeId) as number);
  for (let at = before.topics.length; at < topics.length; at++) grew.push(at);
  return {
    topics,
    placeOfTopic,
    topicOfRow,
    placeOfRow,
    size: before.size + come.length,
    lacking: come.reduce((sum, node) => sum + lackingOf(node), before.lacking - taken),
    latest: [...before.latest.map(({ id }) => forest.nodes[id] as Node), ...come].sort(byNumber).slice(-RECENT),
    latestTopics: latestOf(topics, new Set([...before.latestTopics, ...grew])),
    largestTopics: largestOf(topics, new Set([...before.largestTopics, ...grew])),
  };
};

/** Returns a topic by id; undefined if the forest does not have it. */
export const topicOf = (
  { topics, placeOfTopic }: Pick<ForestIndex, 'topics' | 'placeOfTopic'>,
  treeId: TreeId,
): IndexedTopic | undefined => topics[placeOfTopic.get(treeId) ?? -1];

const NO_PLACES = new Int32Array(0);

const grown = (rows: Int32Array, size: number): Int32Array => {
  const larger = new Int32Array(size).fill(-1);
  larger.set(rows);
  return larger;
};

/** Appends a turn whose vector and parent are not known yet. */
const withTurn = (topic: IndexedTopic, node: Node): IndexedTopic => {
  const nodes = [...topic.nodes, node];
  const rows = grown(topic.rows, nodes.length);
  const parents = grown(topic.parents, nodes.length);
  return { ...topic, nodes, rows, parents, lacking: topic.lacking + lackingOf(node) };
};

const lackingOf = ({ hidden }: Node): number => (hidden ? 0 : 1);

/**
 * Returns the path from root to node; null if the index cannot tell. A path may have tens of thousands of turns, and
 * looking each one up by id takes a hundred times as long.
 */
export const pathIn = (index: ForestIndex, node: Node): Node[] | null => {
  const topic = topicOf(index, node.treeId);
  if (topic === undefined) return null;
  const path: Node[] = [];
  let place = placeIn(topic.nodes, node) ?? ELSEWHERE;
  for (; place >= 0; place = topic.parents[place] as number) path.push(topic.nodes[place] as Node);
  return place === ROOT ? path.reverse() : null;
};

/**
 * Caches the index of the conversation's current forest, and the vector sums of its large topics. An index is reused as
 * long as the forest's nodes and topics are the same objects: see `Host.forest`.
 */
export class ForestIndexCache {
  readonly #table: VectorTable;
  readonly #sums = new Map<TreeId, VectorSum>();
  readonly #tips = new Map<BranchId, NodeId>();
  #kept: { readonly of: Forest; readonly version: number; readonly index: ForestIndex } | null = null;

  constructor(table: VectorTable) {
    this.#table = table;
  }

  of(forest: Forest): ForestIndex {
    const kept = this.#kept;
    const { version } = this.#table;
    if (kept !== null && sameNodes(kept.of, forest) && kept.version === version) return kept.index;
    const index = (kept && indexAfter(kept.index, kept.of, forest, this.#table)) ?? indexOf(forest, this.#table);
    this.#kept = { of: forest, version, index };
    return index;
  }

  /** Returns the last node of a node's branch. A branch is one run, so the search starts from its last known end. */
  tipOf(forest: Forest, node: Node): Node {
    const last = forest.nodes[this.#tips.get(node.branchId) ?? node.id];
    const tip = tipOf(forest, last?.branchId === node.branchId ? last : node);
    this.#tips.set(node.branchId, tip.id);
    return tip;
  }

  /** Returns the sum of the vectors of a topic's nodes. If nodes were only appended, theirs are added to the previous sum. */
  sumOf(treeId: TreeId, rows: Int32Array): Float64Array {
    const table = this.#table;
    let known = this.#sums.get(treeId);
    if (known === undefined || known.rewrites !== table.rewrites || !startsWith(rows, known.rows)) {
      known = { sum: new Float64Array(table.dimensions), rows: rows.subarray(0, 0), rewrites: table.rewrites };
    }
    for (const row of rows.subarray(known.rows.length)) if (row >= 0) table.addTo(known.sum, row);
    this.#sums.set(treeId, { ...known, rows });
    return known.sum;
  }
}

interface VectorSum {
  readonly sum: Float64Array;
  readonly rows: Int32Array;
  readonly rewrites: number;
}

const sameNodes = (a: Forest, b: Forest): boolean => a.nodes === b.nodes && a.trees === b.trees;

const startsWith = (rows: Int32Array, start: Int32Array): boolean => {
  if (rows.length < start.length) return false;
  for (let i = 0; i < start.length; i++) if (rows[i] !== start[i]) return false;
  return true;
};
