import type { NodeId } from '../../domain/forest.ts';
import { type Estimates, Sketches } from './sketches.ts';
import { meanVector } from './vector-math.ts';

/** Up to this many vectors, every similarity to a message is computed; beyond it, estimates say which ones matter. */
export const EXACT_UP_TO = 2_000;
/** Most cached means, about 2 kB each. */
const MOST_MEANS = 4_000;
/** Vectors per block of memory: 2 MB at 512 dimensions. A power of two. */
const ROWS = 1_024;
const FIRST_ROWS = 64;

/**
 * Node vectors of one forest in blocks of memory, for scans that touch nothing else. More vectors add blocks, and a
 * full one is never copied.
 */
export class VectorTable {
  readonly dimensions: number;
  readonly #rows = new Map<NodeId, number>();
  /** By row. */
  readonly #ids: NodeId[] = [];
  /** All but the last are full. */
  readonly #blocks: Float32Array[];
  readonly #estimated: boolean;
  #sketches: Sketches | null = null;
  #version = 0;
  #rewrites = 0;
  readonly #means = new Map<string, Float32Array>();
  #meansAt = 0;

  /** `estimated`: whether estimates will be requested, which adds a cost to every vector of a large table. */
  constructor(dimensions: number, estimated = true) {
    this.dimensions = dimensions;
    this.#blocks = [new Float32Array(dimensions * FIRST_ROWS)];
    this.#estimated = estimated;
  }

  /** Number of rows, including dropped ones. */
  get size(): number {
    return this.#ids.length;
  }

  /** Changes whenever a vector is added, replaced or dropped. */
  get version(): number {
    return this.#version;
  }

  /** Changes whenever a vector is replaced or dropped. */
  get rewrites(): number {
    return this.#rewrites;
  }

  /** Whether the table is so large that similarities are estimated first. */
  get estimating(): boolean {
    return this.#sketches !== null;
  }

  has(id: NodeId): boolean {
    return this.#rows.has(id);
  }

  /** Returns the row of a node, which never changes; −1 if it has no vector. */
  rowOf(id: NodeId): number {
    return this.#rows.get(id) ?? -1;
  }

  /** Returns a node's vector, which must not be changed; undefined if it has none. */
  vectorOf(id: NodeId): Float32Array | undefined {
    const row = this.#rows.get(id);
    return row === undefined ? undefined : this.#vectorAt(row);
  }

  /** Returns the nodes of this row and later ones. */
  idsFrom(row: number): readonly NodeId[] {
    return this.#ids.slice(row);
  }

  set(id: NodeId, vector: Float32Array): void {
    const known = this.#rows.get(id);
    if (known !== undefined) this.#rewrites += 1;
    this.#version += 1;
    const row = known ?? this.size;
    if (known === undefined) this.#ids.push(id);
    this.#rows.set(id, row);
    this.#makeRoom(row);
    this.#vectorAt(row).set(vector);
    this.#sketches?.set(row, vector);
    if (this.#estimated && this.size > EXACT_UP_TO) this.#sketches ??= this.#beginSketches();
  }

  /** Forgets a node's vector. Its row stays unused: another vector gets a new one. */
  drop(id: NodeId): void {
    if (!this.#rows.delete(id)) return;
    this.#rewrites += 1;
    this.#version += 1;
  }

  /** Returns the cosine of a node's vector to a normalised one, −1…1; null if the node has no vector. */
  similarity(id: NodeId, to: Float32Array): number | null {
    const row = this.#rows.get(id);
    return row === undefined ? null : this.similarityOf(row, to);
  }

  /** The same for a row. */
  similarityOf(row: number, to: Float32Array): number {
    return Math.fround(this.#dot(row, to));
  }

  /** Cosines of rows to a normalised vector. */
  similarities(rows: Int32Array, to: Float32Array): Float32Array {
    const found = new Float32Array(rows.length);
    for (let i = 0; i < rows.length; i++) found[i] = this.#dot(rows[i] as number, to);
    return found;
  }

  /**
   * Estimates the cosine of every row to a normalised vector; null if computing similarities is faster. Valid until the
   * table changes or is queried with another vector.
   */
  estimates(to: Float32Array): Estimates | null {
    return this.#sketches?.estimates(to) ?? null;
  }

  /**
   * Returns the mean of nodes' vectors; null if none has one. Cached, since topics without new turns are asked about
   * with every message.
   */
  meanOf(ids: readonly NodeId[]): Float32Array | null {
    if (this.#meansAt !== this.#rewrites || this.#means.size > MOST_MEANS) this.#means.clear();
    this.#meansAt = this.#rewrites;
    const rows: number[] = [];
    for (const id of ids) if (this.has(id)) rows.push(this.rowOf(id));
    if (rows.length === 0) return null;
    const key = rows.join();
    let mean = this.#means.get(key);
    if (mean === undefined) {
      mean = meanVector(rows.map((row) => this.#vectorAt(row)));
      this.#means.set(key, mean);
    }
    return mean;
  }

  addTo(sum: Float64Array, row: number): void {
    const block = this.#blocks[Math.floor(row / ROWS)] as Float32Array;
    for (let i = 0, at = (row % ROWS) * this.dimensions; i < sum.length; i++, at++) {
      sum[i] = (sum[i] as number) + (block[at] as number);
    }
  }

  #vectorAt(row: number): Float32Array {
    const at = (row % ROWS) * this.dimensions;
    return (this.#blocks[Math.floor(row / ROWS)] as Float32Array).subarray(at, at + this.dimensions);
  }

  /** Uses four sums, since a single one would stall on itself at every step; indexing from the start of the row is three times as fast. */
  #dot(row: number, to: Float32Array): number {
    const block = this.#blocks[Math.floor(row / ROWS)] as Float32Array;
    const length = this.dimensions;
    const start = (row % ROWS) * length;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let i = 0;
    for (; i + 4 <= length; i += 4) {
      const at = start + i;
      a += (block[at] as number) * (to[i] as number);
      b += (block[at + 1] as number) * (to[i + 1] as number);
      c += (block[at + 2] as number) * (to[i + 2] as number);
      d += (block[at + 3] as number) * (to[i + 3] as number);
    }
    for (; i < length; i++) a += (block[start + i] as number) * (to[i] as number);
    return a + b + c + d;
  }

  /** The first block grows with the first vectors; later ones are allocated in full. */
  #makeRoom(row: number): void {
    const at = Math.floor(row / ROWS);
    const block = this.#blocks[at];
    const floats = ((row % ROWS) + 1) * this.dimensions;
    if (block !== undefined && floats <= block.length) return;
    const larger = new Float32Array((at > 0 ? ROWS : Math.min(ROWS, 2 * (row + 1))) * this.dimensions);
    if (block !== undefined) larger.set(block);
    this.#blocks[at] = larger;
  }

  #beginSketches(): Sketches {
    const sketches = new Sketches(this.dimensions);
    for (let row = 0; row < this.size; row++) sketches.set(row, this.#vectorAt(row));
    return sketches;
  }
}
