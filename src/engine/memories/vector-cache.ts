/** A text's vector, and the milliseconds that it took. */
export interface Embedded {
  readonly vector: Float32Array;
  readonly ms: number;
}

/** Of 512 floats each, ten megabytes. */
const MOST = 5000;

/** Vectors of texts by one embedder: those looked at last stay. */
export class VectorCache {
  readonly by: string;
  readonly #known = new Map<string, Embedded>();
  readonly #most: number;

  constructor(by: string, most = MOST) {
    this.by = by;
    this.#most = most;
  }

  get(text: string): Embedded | undefined {
    const found = this.#known.get(text);
    if (found !== undefined) this.set(text, found);
    return found;
  }

  set(text: string, embedded: Embedded): void {
    // A map is in the order in which keys came.
    this.#known.delete(text);
    this.#known.set(text, embedded);
    if (this.#known.size > this.#most) this.#known.delete(this.#known.keys().next().value as string);
  }
}
