import { sentencesOf } from '../text/sentences.ts';
import { cosine, meanVector, normalised } from '../vectors/vector-math.ts';
import type { MemoryTools } from './memory.ts';

/** Returns a text's vector, normalised. */
export const vectorOf = async ({ embed }: MemoryTools, text: string): Promise<Float32Array> =>
  (await embed([text]))[0] as Float32Array;

interface VectorItem {
  readonly vector: Float32Array;
}

/** An item and its rating. */
interface RatedItem<T> {
  readonly item: T;
  readonly score: number;
}

/** Returns the `most` most similar items, best first; ties go to the earlier one. */
export const mostSimilar = <T extends VectorItem>(
  items: Iterable<T>,
  vector: Float32Array,
  most = Number.POSITIVE_INFINITY,
): RatedItem<T>[] => highest(items, (item) => cosine(vector, item.vector), most);

/** Returns the `most` highest-rated items, best first; ties go to the earlier one. Avoids sorting thousands for the sake of ten. */
export const highest = <T>(items: Iterable<T>, rate: (item: T) => number, most: number): RatedItem<T>[] => {
  if (most === Number.POSITIVE_INFINITY) {
    return Array.from(items, (item) => ({ item, score: rate(item) })).sort((a, b) => b.score - a.score);
  }
  const best: RatedItem<T>[] = [];
  for (const item of items) {
    const score = rate(item);
    const last = best.at(-1);
    if (best.length === most && last !== undefined && score <= last.score) continue;
    const place = best.findIndex((other) => score > other.score);
    best.splice(place === -1 ? best.length : place, 0, { item, score });
    if (best.length > most) best.pop();
  }
  return best;
};

/**
 * Returns the most similar item and its index; ties go to the first one unless `rather` prefers another. null if
 * there are no items.
 */
export const nearest = <T extends VectorItem>(
  items: Iterable<T>,
  vector: Float32Array,
  rather: (item: T, than: T) => boolean = () => false,
): { readonly item: T; readonly at: number; readonly score: number } | null => {
  let best: { item: T; at: number; score: number } | null = null;
  let at = 0;
  for (const item of items) {
    const score = cosine(vector, item.vector);
    const nearer = best === null || score > best.score || (score === best.score && rather(item, best.item));
    if (nearer) best = { item, at, score };
    at++;
  }
  return best;
};

/** Similarity to a kept sentence from which another one counts as a repetition. */
const SAME = 0.92;

/**
 * Condenses several texts without a language model: keeps the sentences nearest to the mean of all (centroid-based
 * extractive summarisation, Radev et al. 2004), without repetitions and in their original order.
 */
export const condenseByCentroid = async (
  texts: readonly string[],
  most: number,
  embed: (texts: readonly string[]) => Promise<readonly Float32Array[]>,
): Promise<string> => {
  const sentences = texts.flatMap(plainSentences);
  if (sentences.length <= most) return sentences.join(' ');
  const vectors = await embed(sentences);
  const centre = normalised(meanVector(vectors));
  const ranked = sentences
    .map((_, at) => ({ at, score: cosine(centre, vectors[at] as Float32Array) }))
    .sort((a, b) => b.score - a.score || a.at - b.at);
  const kept: number[] = [];
  for (const { at } of ranked) {
    if (kept.length === most) break;
    const vector = vectors[at] as Float32Array;
    if (kept.every((other) => cosine(vector, vectors[other] as Float32Array) < SAME)) kept.push(at);
  }
  return kept
    .sort((a, b) => a - b)
    .map((at) => sentences[at])
    .join(' ');
};

/** Splits a text into sentences, without speaker labels. */
export const plainSentences = (text: string): string[] =>
  text
    .split('\n')
    .flatMap(sentencesOf)
    .map((sentence) => sentence.replace(/^\s*(?:User|Assistant):\s*/, '').trim())
    .filter((sentence) => /\p{L}|\p{N}/u.test(sentence));
