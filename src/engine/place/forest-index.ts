import type { BranchId, Forest, Node, NodeId, Tree, TreeId } from '../../domain/forest.ts';
import { placeWhere } from '../../domain/long-list.ts';
import { childrenOf, nodeOf, tipOf, treesOf } from '../../domain/queries.ts';
import { changedIds } from '../../domain/table.ts';
import { turnsInOrder } from '../../domain/turns-in-order.ts';
import { highestOf } from '../vectors/vector-math.ts';
import type { VectorTable } from '../vectors/vector-table.ts';

/** How many of the last turns a topic decision is shown. */
export const RECENT = 10;

/** A topic's place in the index: its nodes are those from `start` up to `end`, in order of time. */
export interface IndexedTopic {
  readonly tree: Tree;
  /** Its place among the topics. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
  /** How many of them have no vector. */
  readonly lacking: number;
}

/** What a forest holds, in the order in which a decision reads it. Made from the forest alone, and never changed. */
export interface ForestIndex {
  /** In order of creation. */
  readonly topics: readonly IndexedTopic[];
  /** By topic its place among them. */
  readonly placeOfTopic: ReadonlyMap<TreeId, number>;
  /** Topic by topic; in each, in order of time. */
  readonly nodes: readonly Node[];
  /** Of each of those nodes the row of its vector; −1 for none. */
  readonly rows: Int32Array;
  /** Of each row the place of its node's topic; −1 for one whose node is not in the forest. */
  readonly topicOfRow: Int32Array;
  /** Of each row the place of its node among the nodes; −1 likewise. */
  readonly placeOfRow: Int32Array;
  /** Of each of the nodes the place of the one it hangs from; `NONE` for a root, `UNKNOWN` where that has no vector. */
  readonly parents: Int32Array;
  /** How many of the nodes have no vector. */
  readonly lacking: number;
  /** The last `RECENT` turns by time that have a place, oldest first. */
  readonly latest: readonly Node[];
  /** Places of the topics that were spoken of last, and of those with the most nodes. */
  readonly latestTopics: readonly number[];
  readonly largestTopics: readonly number[];
}

export const indexOf = (forest: Forest, table: VectorTable): ForestIndex => {
  const members = new Map<TreeId, Node[]>();
  const trees = treesOf(forest);
  for (const { id } of trees) members.set(id, []);
  const inOrder = turnsInOrder(forest);
  for (const node of inOrder) members.get(node.treeId)?.push(node);

  const topics: IndexedTopic[] = [];
  const nodes: Node[] = [];
  const rows = new Int32Array(inOrder.length);
  const topicOfRow = new Int32Array(table.size).fill(-1);
  const placeOfRow = new Int32Array(table.size).fill(-1);
  for (const tree of trees) {
    const start = nodes.length;
    let lacking = 0;
    for (const node of members.get(tree.id) ?? []) {
      const row = table.rowOf(node.id);
      if (row < 0) lacking += 1;
      rows[nodes.length] = row;
      if (row >= 0) {
        topicOfRow[row] = topics.length;
        placeOfRow[row] = nodes.length;
      }
      nodes.push(node);
    }
    topics.push({ tree, at: topics.length, start, end: nodes.length, lacking });
  }
  const parents = parentsOf(nodes, placeOfRow, table);
  const placeOfTopic = placesOf(topics);
  const indexed = {
    topics,
    placeOfTopic,
    nodes,
    rows: rows.subarray(0, nodes.length),
    topicOfRow,
    placeOfRow,
    parents,
  };
  return summedUp(forest, indexed);
};

const placesOf = (topics: readonly IndexedTopic[]): Map<TreeId, number> =>
  new Map(topics.map(({ tree, at }) => [tree.id, at]));

type IndexedTurns = Pick<
  ForestIndex,
  'topics' | 'placeOfTopic' | 'nodes' | 'rows' | 'topicOfRow' | 'placeOfRow' | 'parents'
>;

/** With what follows from where all turns stand. */
const summedUp = (forest: Forest, indexed: IndexedTurns): ForestIndex => {
  const { topics, nodes } = indexed;
  return {
    ...indexed,
    lacking: topics.reduce((sum, { lacking }) => sum + lacking, 0),
    latest: turnsInOrder(forest).slice(-RECENT),
    latestTopics: foremostTopics(topics, LATEST, ({ end }) => nodes[end - 1]?.number ?? 0),
    largestTopics: foremostTopics(topics, LARGEST, ({ start, end }) => end - start),
  };
};

/** Turns that may have come since an index was made; where there are more it is made anew. */
const MOST_COME = 16;
/** Vectors likewise, which are sooner taken in. */
const MOST_FOUND = 4_096;

/**
 * The index of a forest that goes on from the one indexed before: by messages that came, and by what was said of earlier ones. Null
 * where turns went, or stand elsewhere now: then it is made anew.
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
  const come: Node[] = [];
  const nodes = before.nodes.slice();
  for (const id of nodeIds) {
    const [old, node] = [was.nodes[id], forest.nodes[id]];
    if (node === undefined) return null;
    if (old === undefined) come.push(node);
    else {
      const place = placeIn(topicOf(before, node.treeId), before.nodes, node);
      if (old.parentId !== node.parentId || old.treeId !== node.treeId || place === null) return null;
      nodes[place] = node;
    }
  }
  const topics = before.topics.slice();
  for (const id of treeIds) {
    const [topic, tree] = [topicOf(before, id), forest.trees[id]];
    if (tree === undefined) return null;
    if (topic === undefined) {
      if (tree.order <= (topics.at(-1)?.tree.order ?? -1)) return null;
      topics.push({ tree, at: topics.length, start: nodes.length, end: nodes.length, lacking: 0 });
    } else if (topic.tree.order !== tree.order) return null;
    else topics[topic.at] = { ...topic, tree };
  }
  if (come.length > MOST_COME) return null;
  const indexed: IndexedTurns = {
    topics,
    placeOfTopic: topics.length === before.topics.length ? before.placeOfTopic : placesOf(topics),
    nodes,
    rows: before.rows.slice(),
    topicOfRow: grown(before.topicOfRow, table.size),
    placeOfRow: grown(before.placeOfRow, table.size),
    parents: before.parents.slice(),
  };
  const after = come
    .sort((a, b) => a.number - b.number)
    .reduce<IndexedTurns | null>((known, node) => known && withTurn(known, node, table), indexed);
  if (after === null) return null;
  const found = [...table.idsFrom(before.topicOfRow.length), ...come.map(({ id }) => id)];
  return found.length <= MOST_FOUND ? summedUp(forest, withVectors(after, forest, found, table)) : null;
};

/** A topic of a forest; undefined for one that it does not have. */
export const topicOf = (
  { topics, placeOfTopic }: Pick<ForestIndex, 'topics' | 'placeOfTopic'>,
  treeId: TreeId,
): IndexedTopic | undefined => topics[placeOfTopic.get(treeId) ?? -1];

const placeIn = (
  topic: IndexedTopic | undefined,
  nodes: readonly Node[],
  { id, number }: Pick<Node, 'id' | 'number'>,
): number | null => {
  if (topic === undefined) return null;
  const place = placeWhere(topic.start, topic.end, (at) => (nodes[at] as Node).number < number);
  return place < topic.end && nodes[place]?.id === id ? place : null;
};

const grown = (rows: Int32Array, size: number): Int32Array => {
  const larger = new Int32Array(size).fill(-1);
  larger.set(rows);
  return larger;
};

/** With a turn at the end of its topic, of which nothing is known yet but its place; null where it does not belong there. */
const withTurn = (indexed: IndexedTurns, node: Node, table: VectorTable): IndexedTurns | null => {
  const { topics, placeOfTopic, nodes, topicOfRow, placeOfRow } = indexed;
  const found = topicOf(indexed, node.treeId);
  if (found === undefined) return null;
  const place = found.end;
  if (place > found.start && (nodes[place - 1] as Node).number >= node.number) return null;
  moveUp(placeOfRow, place);
  moveUp(indexed.parents, place);
  const { parentId } = node;
  const parentPlace =
    parentId === null ? NONE : nodes[place - 1]?.id === parentId ? place - 1 : placeOfRow[table.rowOf(parentId)];
  return {
    topics: topics.map((topic) => {
      if (topic === found) return { ...topic, end: topic.end + 1, lacking: topic.lacking + 1 };
      return topic.at > found.at ? { ...topic, start: topic.start + 1, end: topic.end + 1 } : topic;
    }),
    placeOfTopic,
    nodes: nodes.toSpliced(place, 0, node),
    rows: withValue(indexed.rows, place, -1),
    topicOfRow,
    placeOfRow,
    parents: withValue(
      indexed.parents,
      place,
      parentPlace === undefined || (parentId !== null && parentPlace < 0) ? UNKNOWN : parentPlace,
    ),
  };
};

const moveUp = (places: Int32Array, from: number): void => {
  for (let i = 0; i < places.length; i++) if ((places[i] as number) >= from) places[i] = (places[i] as number) + 1;
};

const withValue = (values: Int32Array, place: number, value: number): Int32Array => {
  const longer = new Int32Array(values.length + 1);
  longer.set(values.subarray(0, place));
  longer[place] = value;
  longer.set(values.subarray(place), place + 1);
  return longer;
};

/** Takes in, in place, the vectors of turns that may have had none. */
const withVectors = (
  indexed: IndexedTurns,
  forest: Forest,
  ids: readonly NodeId[],
  table: VectorTable,
): IndexedTurns => {
  const { placeOfTopic, nodes, rows, topicOfRow, placeOfRow, parents } = indexed;
  const topics = indexed.topics.slice();
  const fresh: number[] = [];
  for (const id of ids) {
    const [node, row] = [forest.nodes[id], table.rowOf(id)];
    const topic = topicOf({ topics, placeOfTopic }, node?.treeId ?? '');
    const place = node === undefined ? null : placeIn(topic, nodes, node);
    if (topic === undefined || place === null || row < 0 || (rows[place] as number) >= 0) continue;
    rows[place] = row;
    topicOfRow[row] = topic.at;
    placeOfRow[row] = place;
    topics[topic.at] = { ...topic, lacking: topic.lacking - 1 };
    fresh.push(place);
  }
  // Of those that hang from them it could not be told whence.
  for (const place of fresh) {
    const topic = topics[topicOfRow[rows[place] as number] as number] as IndexedTopic;
    for (const id of childrenOf(forest, (nodes[place] as Node).id)) {
      const child = placeIn(topic, nodes, nodeOf(forest, id));
      if (child !== null) parents[child] = place;
    }
  }
  return { ...indexed, topics };
};

const NONE = -1;
const UNKNOWN = -2;

const parentsOf = (nodes: readonly Node[], placeOfRow: Int32Array, table: VectorTable): Int32Array => {
  const parents = new Int32Array(nodes.length);
  for (let at = 0; at < nodes.length; at++) {
    const { parentId } = nodes[at] as Node;
    // Most turns go on from the one before.
    if (parentId === null) parents[at] = NONE;
    else if (nodes[at - 1]?.id === parentId) parents[at] = at - 1;
    else {
      const place = placeOfRow[table.rowOf(parentId)] ?? -1;
      parents[at] = place < 0 ? UNKNOWN : place;
    }
  }
  return parents;
};

/**
 * Root to the node of a row; null where the index does not know it. A path may have tens of thousands of turns, and to
 * look each up by its id takes a hundred times as long.
 */
export const pathIn = ({ nodes, placeOfRow, parents }: ForestIndex, row: number): Node[] | null => {
  const path: Node[] = [];
  let place = placeOfRow[row] ?? UNKNOWN;
  for (; place >= 0; place = parents[place] as number) path.push(nodes[place] as Node);
  return place === NONE && path.length > 0 ? path.reverse() : null;
};

/** Of a topic's nodes the rows. */
export const rowsOf = ({ rows }: ForestIndex, { start, end }: IndexedTopic): Int32Array => rows.subarray(start, end);

/** Of very many topics, how many of those last spoken of and of the largest a question lists. */
const LATEST = 24;
const LARGEST = 8;

const foremostTopics = (
  topics: readonly IndexedTopic[],
  count: number,
  by: (topic: IndexedTopic) => number,
): number[] => {
  const values = new Float64Array(topics.length);
  for (let at = 0; at < values.length; at++) values[at] = by(topics[at] as IndexedTopic);
  return highestOf(values, count);
};

/**
 * The index of the forest that a conversation is at, and the sums of its large topics. An index serves as long as the
 * forest's nodes and topics are the same objects: see `Host.forest`.
 */
export class KeptIndex {
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

  /** The last node of the branch that a node is on. A branch is one run: its end is looked for from where it was last. */
  tipOf(forest: Forest, node: Node): Node {
    const last = forest.nodes[this.#tips.get(node.branchId) ?? node.id];
    const tip = tipOf(forest, last?.branchId === node.branchId ? last : node);
    this.#tips.set(node.branchId, tip.id);
    return tip;
  }

  /** The sum of the vectors of a topic's nodes. Where nodes only came to it, theirs are added to the last one. */
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
