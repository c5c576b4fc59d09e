import type { Kernel } from '../../app/kernel.ts';
import type { Embedder } from '../../engine/ports.ts';
import { Sketches } from '../../engine/vectors/sketches.ts';
import { cosine, foremost } from '../../engine/vectors/vector-math.ts';
import type { Breath } from './breath.ts';
import type { Part } from './texts.ts';

/** Vectors asked of the storage at once. */
const BATCH = 256;
/**
 * What is near to a query, as a share of the embedder's θ: a few sought words are never as near to a message as
 * another message on the same thing is.
 */
const NEAR = 0.9;
/** Turns near in meaning that are found. */
const NEAR_LIMIT = 40;
/** By how much a cosine may be estimated too low, of which about one in two thousand are by more: see `Sketches`. */
const DOUBT = 0.11;
/** Turns of the highest estimates that are compared exactly. */
const COMPARED = 256;

export interface NearTurn<T> {
  readonly of: T;
  readonly turn: number;
  readonly similarity: number;
}

/** Turns of a part of a conversation; those that have the words are not sought. */
interface Searched {
  readonly part: Part;
  /** Of the open conversation, whose vectors may be on their way. */
  readonly open: boolean;
  readonly found: ReadonlySet<number>;
}

/**
 * Finds turns that are near to a query in meaning, by the chosen embedder's vectors that are in the cache: of each 64 bytes are kept
 * here to estimate by, and the few that come into question are compared themselves.
 */
export class Meaning {
  readonly #kernel: Kernel;
  #model = '';
  #sketches = new Sketches(0);
  #rows = new Map<string, number>();
  #free: number[] = [];
  /** Parts whose vectors were looked for: what was not there then is not asked for with every search. */
  #looked = new WeakSet<Part>();
  #asked: { readonly model: string; readonly query: string; readonly vector: Float32Array } | null = null;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** The nearest first, and how many turns have no vector. Newest parts first. Rejects with a ModelFailure if the query cannot be embedded. */
  async near<T extends Searched>(
    query: string,
    all: readonly T[],
    breath: Breath,
    signal: AbortSignal,
  ): Promise<{ near: NearTurn<T>[]; lacking: number }> {
    const { embed } = this.#kernel.ports.models();
    const sought = await this.#embedded(embed, query.replace(/["“”]/g, ' ').trim(), signal);
    if (this.#model !== embed.name) {
      this.#model = embed.name;
      this.#sketches = new Sketches(sought.length);
      this.#rows = new Map();
      this.#free = [];
      this.#looked = new WeakSet();
    }
    await this.#fetch(all, sought.length, breath, signal);
    const least = NEAR * embed.theta;
    const estimates = this.#sketches.estimates(sought).all;
    const used = new Uint8Array(estimates.length);
    const likely: { of: T; turn: number; hash: string; estimate: number }[] = [];
    let lacking = 0;
    for (const of of all) {
      for (const [turn, hash] of of.part.turns.hashes.entries()) {
        const row = this.#rows.get(hash);
        if (row === undefined) {
          lacking += 1;
          continue;
        }
        used[row] = 1;
        const estimate = estimates[row] as number;
        if (estimate >= least - DOUBT && !of.found.has(turn)) likely.push({ of, turn, hash, estimate });
      }
      if (breath.due()) await breath.take();
      signal.throwIfAborted();
    }
    this.#forget(used, sought.length);
    const compared = foremost(likely, COMPARED, (a, b) => b.estimate - a.estimate);
    const vectors = await this.#kernel.storage.readVectors(
      embed.name,
      compared.map(({ hash }) => hash),
    );
    signal.throwIfAborted();
    const near = compared.flatMap(({ of, turn }, at): NearTurn<T>[] => {
      const vector = vectors[at];
      const similarity = vector?.length === sought.length ? cosine(sought, vector) : -1;
      return similarity >= least ? [{ of, turn, similarity }] : [];
    });
    return { near: foremost(near, NEAR_LIMIT, (a, b) => b.similarity - a.similarity), lacking };
  }

  /** The query's vector; the same query is embedded once. */
  async #embedded(embed: Embedder, query: string, signal: AbortSignal): Promise<Float32Array> {
    if (this.#asked?.query === query && this.#asked.model === embed.name) return this.#asked.vector;
    const [vector] = await embed.embed([query], signal);
    if (vector === undefined) throw new Error(`${embed.name} gave no vector`);
    this.#asked = { model: embed.name, query, vector };
    return vector;
  }

  async #fetch(all: readonly Searched[], dimensions: number, breath: Breath, signal: AbortSignal): Promise<void> {
    let wanted = new Set<string>();
    let parts: Part[] = [];
    const take = async (): Promise<number> => {
      const hashes = [...wanted];
      const of = parts;
      [wanted, parts] = [new Set(), []];
      let had = 0;
      for (let i = 0; i < hashes.length; i += BATCH) {
        const some = hashes.slice(i, i + BATCH);
        const vectors = await this.#kernel.storage.readVectors(this.#model, some);
        signal.throwIfAborted();
        for (const [at, hash] of some.entries()) {
          const vector = vectors[at];
          if (vector?.length !== dimensions) continue;
          this.#keep(hash, vector);
          had += 1;
        }
        if (breath.due()) await breath.take();
      }
      for (const part of of) this.#looked.add(part);
      return had;
    };
    let moreCame = true;
    for (const { part, open } of all) {
      const again = this.#looked.has(part);
      if (again && !(open && moreCame)) continue;
      for (const hash of part.turns.hashes) if (!this.#rows.has(hash)) wanted.add(hash);
      parts.push(part);
      if (again && wanted.size > 0) moreCame = (await take()) > 0;
      else if (wanted.size >= BATCH) await take();
    }
    await take();
  }

  #keep(hash: string, vector: Float32Array): void {
    const row = this.#free.pop() ?? this.#rows.size;
    this.#rows.set(hash, row);
    this.#sketches.set(row, vector);
  }

  /** Nothing is kept of turns that are no longer there: their words may have been purged. */
  #forget(used: Uint8Array, dimensions: number): void {
    const nothing = new Float32Array(dimensions);
    for (const [hash, row] of this.#rows) {
      if (used[row] !== 0) continue;
      this.#rows.delete(hash);
      this.#sketches.set(row, nothing);
      this.#free.push(row);
    }
  }
}
