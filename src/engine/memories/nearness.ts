import { cosine } from '../vectors/cosine.ts';
import type { MemoryTools } from './memory.ts';

/** A text's vector, normalised. */
export const vectorOf = async ({ embed }: MemoryTools, text: string): Promise<Float32Array> =>
  (await embed([text]))[0] as Float32Array;

interface Placed {
  readonly vector: Float32Array;
}

/** An item, and how it was rated. */
export interface Rated<T> {
  readonly item: T;
  readonly score: number;
}

/** The most similar first, `most` of them; of equally similar ones the earlier. */
export const byNearness = <T extends Placed>(
  items: Iterable<T>,
  vector: Float32Array,
  most = Number.POSITIVE_INFINITY,
): Rated<T>[] => highest(items, (item) => cosine(vector, item.vector), most);

/** The highest rated first, `most` of them; of equal ones the earlier. To sort thousands for the sake of ten is left out. */
export const highest = <T>(items: Iterable<T>, rate: (item: T) => number, most: number): Rated<T>[] => {
  if (most === Number.POSITIVE_INFINITY) {
    return Array.from(items, (item) => ({ item, score: rate(item) })).sort((a, b) => b.score - a.score);
  }
  const best: Rated<T>[] = [];
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
export const nearest = <T extends Placed>(
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

/** Normalised; of none it has no dimensions. */
export const meanVector = (vectors: readonly Float32Array[]): Float32Array => {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) add(sum, vector);
  return normalised(sum);
};

/** Adds a vector to a sum, in place. */
export const add = (sum: Float32Array, vector: Float32Array): void => {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (vector[i] as number);
};

/** At length 1; the zero vector stays as it is. */
export const normalised = (vector: Float32Array): Float32Array => {
  let squares = 0;
  // `Math.hypot(...vector)` takes sixty times as long.
  for (let i = 0; i < vector.length; i++) squares += (vector[i] as number) ** 2;
  const length = Math.sqrt(squares) || 1;
  return vector.map((value) => value / length);
};
