import { contentHash } from '../../../engine/content-hash.ts';
import type { Embedder, Storage } from '../../../engine/ports.ts';
import type { VectorOf } from '../measurement/embedded-texts.ts';

/** Texts looked up, embedded and kept at a time. */
const BATCH = 64;

export interface VectorParts {
  readonly embed: Embedder;
  /** The page's cache of vectors. */
  readonly cache: Pick<Storage, 'readVectors' | 'saveVectors'>;
}

interface Going {
  progress(done: number, of: number, what: string): void;
  readonly signal: AbortSignal;
}

/**
 * The vectors of texts: from the cache where it has them, else computed and kept. Rejects if the embedder fails
 * or the signal fires. A cache that takes nothing costs time at the next run, no figure: `unkept` says why.
 */
export const embedTexts = async (
  texts: Iterable<string>,
  { embed, cache }: VectorParts,
  { progress, signal }: Going,
): Promise<{ readonly vectorOf: VectorOf; readonly unkept: string | null }> => {
  const all = [...new Set(texts)].filter((text) => text !== '');
  const known = new Map<string, Float32Array>([['', new Float32Array(embed.dimensions)]]);
  let unkept: string | null = null;
  const whyNot = (error: unknown) => {
    unkept = error instanceof Error ? error.message : String(error);
  };
  for (let at = 0; at < all.length; at += BATCH) {
    progress(at, all.length, 'embedding the messages');
    const batch = all.slice(at, at + BATCH).map((text) => ({ text, hash: contentHash(text) }));
    const hashes = batch.map(({ hash }) => hash);
    const cached = unkept === null ? await cache.readVectors(embed.name, hashes).catch(whyNot) : undefined;
    signal.throwIfAborted();
    const missing = batch.filter((_, index) => cached?.[index] === undefined);
    const vectors = await embed.embed(
      missing.map(({ text }) => text),
      signal,
    );
    const made = new Map(missing.map(({ hash }, index) => [hash, vectors[index] as Float32Array]));
    for (const [index, { text, hash }] of batch.entries()) {
      known.set(text, cached?.[index] ?? (made.get(hash) as Float32Array));
    }
    if (made.size > 0 && unkept === null) await cache.saveVectors(embed.name, made).catch(whyNot);
    signal.throwIfAborted();
  }
  const vectorOf: VectorOf = (text) => {
    const vector = known.get(text);
    if (vector === undefined) throw new Error('a text was not embedded');
    return vector;
  };
  return { vectorOf, unkept };
};
