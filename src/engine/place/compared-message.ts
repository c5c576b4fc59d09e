import type { Forest, Node, NodeId, TreeId } from '../../domain/forest.ts';
import { nodeOf, pathTo, tipOf } from '../../domain/queries.ts';
import type { Embedding } from '../ports.ts';
import type { TermReader } from '../text/terms.ts';
import { type ForestIndex, ForestIndexCache, indexOf, pathIn } from '../vectors/forest-index.ts';
import type { Estimates } from '../vectors/sketches.ts';
import type { VectorTable } from '../vectors/vector-table.ts';

/** Up to this many nodes, a topic's mean similarity is the mean of similarities; beyond it, a cached sum of vectors is used. */
const AVERAGED_UP_TO = 256;

/** What is compared in addition to the vectors of messages. */
interface ComparedSources {
  /** Vectors of the beginnings of replies. */
  readonly replies?: VectorTable | null;
  readonly spoken?: string | null;
  readonly terms?: TermReader | null;
}

type IndexLookups = Pick<ForestIndexCache, 'of' | 'tipOf' | 'sumOf'>;

/** A message and its similarity to the nodes of a forest. */
export class ComparedMessage {
  readonly message: string;
  /** The language the person writes in, as ISO 639-1; null if it cannot be told. */
  readonly spoken: string | null;
  /** Finds the message's words in turns; null if words are not searched. */
  readonly terms: TermReader | null;
  /** The message's embedding; null if it could not be embedded. */
  readonly embedding: Embedding | null;
  readonly #vector: Float32Array | null;
  readonly #table: VectorTable;
  readonly #index: IndexLookups | null;
  readonly #replies: VectorTable | null;
  /**
   * Similarities by row. 0 means not known yet, so one that is exactly 0 may be computed again: zeroed memory is free,
   * and few of 100,000 rows are asked about.
   */
  #known = new Float32Array(0);
  #indexed: { readonly of: Forest; readonly version: number; readonly index: ForestIndex } | null = null;
  #walked: { readonly of: Forest; readonly to: NodeId | null; readonly path: readonly Node[] } | null = null;

  /**
   * `vector`: normalised, by the embedder of that name; null if the message could not be embedded. `index`: keeps a
   * conversation's nodes in order between messages; without it they are ordered anew for every question.
   */
  constructor(
    message: string,
    vector: Float32Array | null,
    table: VectorTable,
    embedder = '',
    index: IndexLookups | null = null,
    { replies = null, spoken = null, terms = null }: ComparedSources = {},
  ) {
    this.spoken = spoken;
    this.terms = terms;
    this.message = message;
    this.embedding = vector === null ? null : { embedder, vector };
    this.#vector = vector;
    this.#table = table;
    this.#index = index;
    this.#replies = replies;
  }

  /** Returns the cosine of a node to the message; null if either has no vector. */
  to(nodeId: NodeId): number | null {
    if (this.#vector === null) return null;
    const row = this.#table.rowOf(nodeId);
    if (row < 0) return null;
    const known = this.#knownRows();
    const similarity = known[row] || this.#table.similarityOf(row, this.#vector);
    known[row] = similarity;
    return similarity;
  }

  /** Returns the cosine of the beginning of a node's reply to the message; null if either has no vector. */
  toReply(nodeId: NodeId): number | null {
    return this.#vector === null ? null : (this.#replies?.similarity(nodeId, this.#vector) ?? null);
  }

  /** Returns the mean vector of nodes, by their messages or by the beginnings of their replies; null if none has one. */
  meanOf(nodeIds: readonly NodeId[], of: 'messages' | 'replies'): Float32Array | null {
    const table = of === 'messages' ? this.#table : this.#replies;
    return table?.meanOf(nodeIds) ?? null;
  }

  /** Returns the index of the forest. `unchanged`: it has not changed since the last call. */
  indexOf(forest: Forest, unchanged = false): ForestIndex {
    if (!unchanged || this.#indexed?.of !== forest || this.#indexed.version !== this.#table.version) {
      const index = this.#index?.of(forest) ?? indexOf(forest, this.#table);
      this.#indexed = { of: forest, version: this.#table.version, index };
    }
    return this.#indexed.index;
  }

  /**
   * Returns a function that compares a text with the forest as it is now, whatever comes after: this message, or its
   * reply once known (with its vector). It holds on to the current index, since the cached one moves on with the
   * conversation.
   */
  whileItIs(forest: Forest): (text?: string, vector?: Float32Array | null) => ComparedMessage {
    const index = this.indexOf(forest, true);
    const kept = this.#index;
    const still: IndexLookups = {
      of: (other) => (other === forest ? index : indexOf(other, this.#table)),
      tipOf,
      sumOf: (treeId, rows) => (kept ?? new ForestIndexCache(this.#table)).sumOf(treeId, rows),
    };
    const reads = { replies: this.#replies, spoken: this.spoken, terms: this.terms };
    return (text = this.message, vector = this.#vector) =>
      new ComparedMessage(text, vector, this.#table, this.embedding?.embedder, still, reads);
  }

  /** Returns the path from root to node, walked once per decision. Empty for null. */
  pathTo(forest: Forest, nodeId: NodeId | null): readonly Node[] {
    if (this.#walked?.of !== forest || this.#walked.to !== nodeId) {
      const index = this.#indexed?.of === forest ? this.#indexed.index : null;
      const known = index && nodeId !== null ? pathIn(index, nodeOf(forest, nodeId)) : null;
      this.#walked = { of: forest, to: nodeId, path: known ?? pathTo(forest, nodeId) };
    }
    return this.#walked.path;
  }

  /** Returns the last node of a node's branch. */
  tipOf(forest: Forest, node: Node): Node {
    return this.#index?.tipOf(forest, node) ?? tipOf(forest, node);
  }

  /** Returns the cosines of nodes to the message by row; 0 if either has no vector. */
  toRows(rows: Int32Array): Float64Array {
    const all = new Float64Array(rows.length);
    if (this.#vector === null) return all;
    const known = this.#knownRows();
    // Plain loops, here and below: callbacks for thousands of rows took longer than the similarities.
    const missing = new Int32Array(rows.length);
    let count = 0;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      if (row >= 0 && known[row] === 0) missing[count++] = row;
    }
    if (count > 0) {
      const found = this.#table.similarities(missing.subarray(0, count), this.#vector);
      for (let i = 0; i < count; i++) known[missing[i] as number] = found[i] as number;
    }
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      if (row >= 0) all[i] = known[row] as number;
    }
    return all;
  }

  /** Returns the cosines of nodes to the message; 0 if either has no vector. */
  toNodes(nodes: readonly Node[]): Float64Array {
    const rows = new Int32Array(nodes.length);
    for (let i = 0; i < rows.length; i++) rows[i] = this.#table.rowOf((nodes[i] as Node).id);
    return this.toRows(rows);
  }

  /** Estimates the cosine of every row to the message; null if not worth estimating. See `VectorTable.estimates`. */
  estimates(): Estimates | null {
    return this.#vector === null ? null : this.#table.estimates(this.#vector);
  }

  /** Returns the cosine of the message to the mean of a topic's nodes; one without a vector counts as 0. */
  toMean(treeId: TreeId, rows: Int32Array): number {
    if (this.#vector === null) return 0;
    if (this.#index === null || rows.length <= AVERAGED_UP_TO || !this.#table.estimating) {
      const similarities = this.toRows(rows);
      let total = 0;
      for (let i = 0; i < similarities.length; i++) total += similarities[i] as number;
      return total / Math.max(1, rows.length);
    }
    const sum = this.#index.sumOf(treeId, rows);
    let product = 0;
    for (let i = 0; i < sum.length; i++) product += (sum[i] as number) * (this.#vector[i] as number);
    return product / rows.length;
  }

  #knownRows(): Float32Array {
    if (this.#known.length < this.#table.size) {
      const grown = new Float32Array(this.#table.size);
      grown.set(this.#known);
      this.#known = grown;
    }
    return this.#known;
  }
}
