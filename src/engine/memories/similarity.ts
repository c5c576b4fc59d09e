import { kmeans } from 'ml-kmeans';
import { cosine, meanVector, normalised } from '../vectors/vector-math.ts';
import type { MemoryTools } from './memory.ts';

/** A text's vector, normalised. */
export const vectorOf = async ({ embed }: MemoryTools, text: string): Promise<Float32Array> =>
  (await embed([text]))[0] as Float32Array;

interface VectorItem {
  readonly vector: Float32Array;
}

/** An item, and how it was rated. */
interface RatedItem<T> {
  readonly item: T;
  readonly score: number;
}

/** The most similar first, `most` of them; of equally similar ones the earlier. */
export const byNearness = <T extends VectorItem>(
  items: Iterable<T>,
  vector: Float32Array,
  most = Number.POSITIVE_INFINITY,
): RatedItem<T>[] => highest(items, (item) => cosine(vector, item.vector), most);

/** The highest rated first, `most` of them; of equal ones the earlier. To sort thousands for the sake of ten is left out. */
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
 * The most similar one, and its place; of equally similar ones the first, or one that is rather taken. null where there is
 * none.
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

/** A sentence as it stands: up to its closing mark, or a line. */
const SENTENCE = /[^.!?\n]+(?:[.!?]+(?=\s|$)|\n|$)|[.!?]+/g;
/** Nearer to a sentence that is kept already, and it only says the same. */
const SAME = 0.92;

/**
 * Several texts as one, where no language model writes: the sentences nearest to the mean of all (the centroid of
 * extractive summarising, Radev et al. 2004), none twice, in the order in which they stand.
 */
export const condenseByCentroid = async (
  texts: readonly string[],
  most: number,
  embed: (texts: readonly string[]) => Promise<readonly Float32Array[]>,
): Promise<string> => {
  const sentences = texts.flatMap(sentencesOf);
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

/** Without who said them. */
export const sentencesOf = (text: string): string[] =>
  (text.match(SENTENCE) ?? [])
    .map((sentence) => sentence.replace(/^\s*(?:User|Assistant):\s*/, '').trim())
    .filter((sentence) => /\p{L}|\p{N}/u.test(sentence));

/** The same points always make the same clusters. */
const SEED = 7;

/**
 * Groups of at most `most` vectors, as indices in order: two means, again and again, until every group is small enough
 * (bisecting k-means). RAPTOR and TaciTree use a Gaussian mixture over UMAP's few dimensions; a conversation has a hundred
 * points, not ten thousand, and a point stands in one group here, so that a group that did not change keeps its summary.
 */
export const clustersOf = (vectors: readonly Float32Array[], most: number): number[][] => {
  const split = (members: readonly number[]): number[][] => {
    if (members.length <= most) return [[...members]];
    const [left, right] = twoOf(vectors, members);
    return [...split(left), ...split(right)];
  };
  return vectors.length === 0 ? [] : split(vectors.map((_, at) => at)).sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
};

/** Two groups, neither empty. */
export const twoOf = (vectors: readonly Float32Array[], members: readonly number[]): [number[], number[]] => {
  const points = members.map((at) => Array.from(vectors[at] as Float32Array));
  const { clusters } = kmeans(points, 2, { seed: SEED, maxIterations: 20 });
  const left = members.filter((_, i) => clusters[i] === clusters[0]);
  const right = members.filter((_, i) => clusters[i] !== clusters[0]);
  if (right.length > 0) return [left, right];
  // All in one place: by order of time, then.
  const half = Math.ceil(members.length / 2);
  return [members.slice(0, half), members.slice(half)];
};
