import type { NodeId } from '../domain/forest.ts';

/** Vectors of the nodes of one forest in one block of memory, for scans that touch nothing else. */
export class VectorTable {
  readonly dimensions: number;
  readonly #rows = new Map<NodeId, number>();
  #block: Float32Array;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#block = new Float32Array(dimensions * 64);
  }

  has(id: NodeId): boolean {
    return this.#rows.has(id);
  }

  set(id: NodeId, vector: Float32Array): void {
    const row = this.#rows.get(id) ?? this.#rows.size;
    this.#rows.set(id, row);
    const end = (row + 1) * this.dimensions;
    if (end > this.#block.length) {
      const grown = new Float32Array(this.#block.length * 2);
      grown.set(this.#block);
      this.#block = grown;
    }
    this.#block.set(vector, row * this.dimensions);
  }

  /** Cosine of a node's vector to a normalised one, −1…1; null where the node has no vector. */
  similarity(id: NodeId, to: Float32Array): number | null {
    const row = this.#rows.get(id);
    if (row === undefined) return null;
    const block = this.#block;
    let sum = 0;
    for (let i = 0, at = row * this.dimensions; i < this.dimensions; i++, at++) {
      sum += (block[at] as number) * (to[i] as number);
    }
    return sum;
  }
}
