import type { Kernel } from '../../app/kernel.ts';
import type { Embedder } from '../../engine/ports.ts';
import { cosine } from '../../engine/vectors/cosine.ts';
import type { Breath } from './breath.ts';
import type { TurnText } from './search-texts.ts';

/** Vectors asked of the storage at once. */
const BATCH = 256;
/**
 * What is near to a query, as a share of the embedder's θ: a few sought words are never as near to a message as
 * another message on the same thing is.
 */
const NEAR = 0.9;

interface Similarities {
  readonly similarities: ReadonlyMap<TurnText, number>;
  /** Turns without a vector. */
  readonly lacking: number;
  /** From which similarity on a turn is near. */
  readonly least: number;
}

/** How near turns are to a query in meaning, by the chosen embedder's vectors that are in the cache. */
export class Meaning {
  readonly #kernel: Kernel;
  #vectors: { model: string; byHash: Map<string, Float32Array> } = { model: '', byHash: new Map() };
  #asked: { model: string; query: string; vector: Float32Array } | null = null;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** Rejects with a ModelFailure if the query cannot be embedded. */
  async similarities(
    query: string,
    turns: readonly TurnText[],
    breath: Breath,
    signal: AbortSignal,
  ): Promise<Similarities> {
    const { embed } = this.#kernel.ports.models();
    const sought = await this.#embedded(embed, query.replace(/["“”]/g, ' ').trim(), signal);
    await this.#fetch(embed.name, turns, breath, signal);
    const similarities = new Map<TurnText, number>();
    for (const turn of turns) {
      const vector = this.#vectors.byHash.get(turn.hash);
      if (vector?.length === sought.length) similarities.set(turn, cosine(sought, vector));
      if (breath.due()) await breath.take();
    }
    return { similarities, lacking: turns.length - similarities.size, least: NEAR * embed.theta };
  }

  /** The query's vector; the same query is embedded once. */
  async #embedded(embed: Embedder, query: string, signal: AbortSignal): Promise<Float32Array> {
    if (this.#asked?.query === query && this.#asked.model === embed.name) return this.#asked.vector;
    const [vector] = await embed.embed([query], signal);
    if (vector === undefined) throw new Error(`${embed.name} gave no vector`);
    this.#asked = { model: embed.name, query, vector };
    return vector;
  }

  /** Keeps the vectors of these turns and of no others: those of purged words go. */
  async #fetch(model: string, turns: readonly TurnText[], breath: Breath, signal: AbortSignal): Promise<void> {
    const before = this.#vectors.model === model ? this.#vectors.byHash : new Map<string, Float32Array>();
    const byHash = new Map<string, Float32Array>();
    const missing: string[] = [];
    for (const { hash } of turns) {
      const known = before.get(hash);
      if (known === undefined) missing.push(hash);
      else byHash.set(hash, known);
    }
    for (let i = 0; i < missing.length; i += BATCH) {
      const hashes = missing.slice(i, i + BATCH);
      const vectors = await this.#kernel.storage.readVectors(model, hashes);
      signal.throwIfAborted();
      for (const [at, hash] of hashes.entries()) {
        const vector = vectors[at];
        if (vector !== undefined) byHash.set(hash, vector);
      }
      if (breath.due()) await breath.take();
    }
    this.#vectors = { model, byHash };
  }
}
