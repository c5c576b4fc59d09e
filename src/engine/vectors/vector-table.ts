import type { NodeId } from '../../domain/forest.ts';
import { type Estimates, Sketches } from './sketches.ts';
import { type DotKernel, dotKernel, LANES, TOGETHER } from './vector-kernels.ts';
import { reserve } from './wasm-code.ts';

/** Vectors up to which every similarity to a message is computed; beyond it, estimates say which ones matter. */
export const EXACT_UP_TO = 2_000;
/** Vectors from which a table is worth a WebAssembly memory; there are thousands of small tables in a measurement. */
const IN_MEMORY_FROM = 256;
/** Rows that the kernel is given at once. */
const BATCH = 1_024;
/** Means that are kept, about 2 kB each. */
const MOST_MEANS = 4_000;

/** Vectors of the nodes of one forest in one block of memory, for scans that touch nothing else. */
export class VectorTable {
  readonly dimensions: number;
  readonly #width: number;
  readonly #rows = new Map<NodeId, number>();
  #block: Float32Array;
  #kernel: DotKernel | null = null;
  #sketches: Sketches | null = null;
  #version = 0;
  #rewrites = 0;
  readonly #means = new Map<string, Float32Array>();
  #meansAt = 0;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#width = Math.ceil(dimensions / LANES) * LANES;
    this.#block = new Float32Array(this.#width * 64);
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Changes whenever a vector comes or changes. */
  get version(): number {
    return this.#version;
  }

  /** Changes whenever a vector takes another one's place. */
  get rewrites(): number {
    return this.#rewrites;
  }

  /** So many vectors are in it that similarities are estimated first. */
  get estimating(): boolean {
    return this.#sketches !== null;
  }

  has(id: NodeId): boolean {
    return this.#rows.has(id);
  }

  /** A node keeps its row, whatever becomes of it; −1 where it has no vector. */
  rowOf(id: NodeId): number {
    return this.#rows.get(id) ?? -1;
  }

  set(id: NodeId, vector: Float32Array): void {
    const known = this.#rows.get(id);
    if (known !== undefined) this.#rewrites += 1;
    this.#version += 1;
    const row = known ?? this.#rows.size;
    this.#rows.set(id, row);
    this.#makeRoom(row + 1);
    this.#block.set(vector, row * this.#width);
    this.#sketches?.set(row, vector);
    if (this.#sketches === null && this.size === EXACT_UP_TO + 1) this.#beginSketches();
  }

  /** Cosine of a node's vector to a normalised one, −1…1; null where the node has no vector. */
  similarity(id: NodeId, to: Float32Array): number | null {
    const row = this.#rows.get(id);
    return row === undefined ? null : this.similarityOf(row, to);
  }

  /** The same of a row. */
  similarityOf(row: number, to: Float32Array): number {
    return this.similarities(Int32Array.of(row), to)[0] as number;
  }

  /** Cosines of rows to a normalised vector. */
  similarities(rows: Int32Array, to: Float32Array): Float32Array {
    const kernel = this.#kernel;
    const found = new Float32Array(rows.length);
    if (kernel === null) {
      for (let i = 0; i < rows.length; i++) found[i] = this.#dot(rows[i] as number, to);
      return found;
    }
    const { buffer } = kernel.memory;
    const { query, batch, out, vectors } = this.#places;
    new Float32Array(buffer, query, this.#width).set(to);
    for (let from = 0; from < rows.length; from += BATCH) {
      const part = rows.subarray(from, from + BATCH);
      const given = new Int32Array(buffer, batch, BATCH);
      given.set(part);
      // The last one is given again, up to as many as are read side by side.
      const count = Math.ceil(part.length / TOGETHER) * TOGETHER;
      given.fill(part[part.length - 1] as number, part.length, count);
      kernel.dots(batch, batch + count * 4, this.#width * 4, query, vectors, out);
      found.set(new Float32Array(buffer, out, part.length), from);
    }
    return found;
  }

  /**
   * Of every row, an estimate of its cosine to a normalised vector; null where similarities are quicker had themselves.
   * Good until the table changes or is asked about another vector.
   */
  estimates(to: Float32Array): Estimates | null {
    return this.#sketches?.estimates(to) ?? null;
  }

  /**
   * The mean of nodes' vectors; null where none has one. Kept, for topics that nothing was said in since are asked about with every
   * message.
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
      const sum = new Float64Array(this.dimensions);
      for (const row of rows) this.addTo(sum, row);
      mean = new Float32Array(this.dimensions);
      for (let i = 0; i < mean.length; i++) mean[i] = (sum[i] as number) / rows.length;
      this.#means.set(key, mean);
    }
    return mean;
  }

  addTo(sum: Float64Array, row: number): void {
    for (let i = 0, at = row * this.#width; i < sum.length; i++, at++) {
      sum[i] = (sum[i] as number) + (this.#block[at] as number);
    }
  }

  /** Where there is no kernel: in four sums, for one would wait for itself at every step. */
  #dot(row: number, to: Float32Array): number {
    const block = this.#block;
    const length = this.dimensions;
    let [a, b, c, d] = [0, 0, 0, 0];
    let at = row * this.#width;
    let i = 0;
    for (; i + 4 <= length; i += 4, at += 4) {
      a += (block[at] as number) * (to[i] as number);
      b += (block[at + 1] as number) * (to[i + 1] as number);
      c += (block[at + 2] as number) * (to[i + 2] as number);
      d += (block[at + 3] as number) * (to[i + 3] as number);
    }
    for (; i < length; i++, at++) a += (block[at] as number) * (to[i] as number);
    return a + b + c + d;
  }

  /** Where things lie in the kernel's memory: the vectors come last, for they grow. */
  get #places() {
    const batch = this.#width * 4;
    const out = batch + BATCH * 4;
    return { query: 0, batch, out, vectors: out + BATCH * 4 };
  }

  #makeRoom(rows: number): void {
    const floats = rows * this.#width;
    if (floats <= this.#block.length) return;
    const old = this.#block;
    if (this.#kernel === null && rows > IN_MEMORY_FROM) this.#kernel = dotKernel();
    if (this.#kernel === null) {
      this.#block = new Float32Array(old.length * 2);
      this.#block.set(old);
      return;
    }
    const { memory } = this.#kernel;
    const { vectors } = this.#places;
    const moved = old.buffer !== memory.buffer;
    reserve(memory, vectors + floats * 4);
    this.#block = new Float32Array(memory.buffer, vectors, Math.floor((memory.buffer.byteLength - vectors) / 4));
    // What is in the memory already stays in its place when it grows, and the old view is void.
    if (moved) this.#block.set(old);
  }

  #beginSketches(): void {
    this.#sketches = this.#kernel === null ? null : Sketches.for(this.dimensions);
    for (let row = 0; row < this.size; row++) {
      const start = row * this.#width;
      this.#sketches?.set(row, this.#block.subarray(start, start + this.dimensions));
    }
  }
}
