import type { BranchId, Forest, Node, NodeId, Tree, TreeId } from '../../domain/forest.ts';
import { tipOf, treesOf } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { foremost } from '../vectors/vector-math.ts';
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
  /** Some node has no vector. */
  readonly lacking: boolean;
}

/** What a forest holds, in the order in which a decision reads it. Made from the forest alone, and never changed. */
export interface ForestIndex {
  /** In order of creation. */
  readonly topics: readonly IndexedTopic[];
  readonly topicOf: ReadonlyMap<TreeId, IndexedTopic>;
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
  /** Some node has no vector. */
  readonly lacking: boolean;
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
  const inOrder = inOrderOfTime(recordsOf(forest.nodes));
  for (const node of inOrder) members.get(node.treeId)?.push(node);

  const topics: IndexedTopic[] = [];
  const nodes: Node[] = [];
  const rows = new Int32Array(inOrder.length);
  const topicOfRow = new Int32Array(table.size).fill(-1);
  const placeOfRow = new Int32Array(table.size).fill(-1);
  for (const tree of trees) {
    const start = nodes.length;
    let lacking = false;
    for (const node of members.get(tree.id) ?? []) {
      const row = table.rowOf(node.id);
      lacking ||= row < 0;
      rows[nodes.length] = row;
      if (row >= 0) {
        topicOfRow[row] = topics.length;
        placeOfRow[row] = nodes.length;
      }
      nodes.push(node);
    }
    topics.push({ tree, at: topics.length, start, end: nodes.length, lacking });
  }
  return {
    topics,
    topicOf: new Map(topics.map((topic) => [topic.tree.id, topic])),
    nodes,
    rows: rows.subarray(0, nodes.length),
    topicOfRow,
    placeOfRow,
    parents: parentsOf(nodes, placeOfRow, table),
    lacking: topics.some(({ lacking }) => lacking),
    latest: inOrder.slice(-RECENT),
    latestTopics: foremostTopics(topics, LATEST, ({ end }) => nodes[end - 1]?.number ?? 0),
    largestTopics: foremostTopics(topics, LARGEST, ({ start, end }) => end - start),
  };
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
  const values = topics.map(by);
  return foremost(Array.from(values.keys()), count, (a, b) => (values[b] as number) - (values[a] as number));
};

/** Turns come in order of time but for those that a redo brought back. */
const inOrderOfTime = (nodes: readonly Node[]): readonly Node[] => {
  const sorted = nodes.every(({ number }, i) => i === 0 || (nodes[i - 1] as Node).number <= number);
  return sorted ? nodes : nodes.toSorted((a, b) => a.number - b.number);
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
    const index = indexOf(forest, this.#table);
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
