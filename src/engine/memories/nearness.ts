import { cosine } from '../cosine.ts';
import type { MemoryTools } from './memory.ts';

/** A text's vector, normalised. */
export const vectorOf = async ({ embed }: MemoryTools, text: string): Promise<Float32Array> =>
  (await embed([text]))[0] as Float32Array;

interface Placed {
  readonly vector: Float32Array;
}

/** The most similar first; of equally similar ones the earlier. */
export const byNearness = <T extends Placed>(
  items: readonly T[],
  vector: Float32Array,
): { readonly item: T; readonly score: number }[] =>
  items.map((item) => ({ item, score: cosine(vector, item.vector) })).sort((a, b) => b.score - a.score);

/** The most similar one, and its place; of equally similar ones the first. null where there is none. */
export const nearest = <T extends Placed>(
  items: readonly T[],
  vector: Float32Array,
): { readonly item: T; readonly at: number; readonly score: number } | null => {
  let best: { item: T; at: number; score: number } | null = null;
  for (const [at, item] of items.entries()) {
    const score = cosine(vector, item.vector);
    if (best === null || score > best.score) best = { item, at, score };
  }
  return best;
};

/** Normalised; of none it has no dimensions. */
export const meanVector = (vectors: readonly Float32Array[]): Float32Array => {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (vector[i] as number);
  }
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => value / length);
};
