import { placeWhere } from '../../domain/long-list.ts';
import { sum } from '../../domain/numbers.ts';

/** For normalised vectors of the same length. */
export const cosine = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
};

/**
 * Mean of vectors, weighted equally by default; that of no vectors has no dimensions. That of normalised vectors is
 * shorter than they are.
 */
export const meanVector = (
  vectors: readonly Float32Array[],
  weights: readonly number[] = vectors.map(() => 1),
): Float32Array<ArrayBuffer> => {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  let total = 0;
  for (const [at, vector] of vectors.entries()) {
    const weight = weights[at] as number;
    total += weight;
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + weight * (vector[i] as number);
  }
  return Float32Array.from(sum, (value) => value / (total || 1));
};

/** Scales a vector to length 1; the zero vector is unchanged. */
export const normalised = (vector: Float32Array): Float32Array<ArrayBuffer> => {
  let squares = 0;
  // `Math.hypot(...vector)` takes sixty times as long.
  for (let i = 0; i < vector.length; i++) squares += (vector[i] as number) ** 2;
  const length = Math.sqrt(squares) || 1;
  return Float32Array.from(vector, (value) => value / length);
};

/** Probabilities by conditional logit (McFadden 1974), from log-odds that are known up to a constant. */
export const softmax = (scores: readonly number[]): number[] => {
  const top = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - top));
  const all = sum(odds);
  return odds.map((one) => one / all);
};

/** Returns the first `count` items in sorted order, without sorting the rest. */
export const firstSorted = <T>(items: readonly T[], count: number, order: (a: T, b: T) => number): T[] => {
  if (items.length <= count) return items.toSorted(order);
  const first: T[] = [];
  for (const item of items) {
    const last = first[count - 1];
    if (last !== undefined && order(item, last) >= 0) continue;
    const place = placeWhere(0, first.length, (at) => order(item, first[at] as T) >= 0);
    first.splice(place, 0, item);
    if (first.length > count) first.pop();
  }
  return first;
};

/** Returns the positions of the highest values, highest first. */
export const highestOf = (values: Float64Array, count: number): number[] => {
  const places: number[] = [];
  // No closure in the loop, which may have hundreds of thousands of steps: its captured variables would be allocated each time.
  for (let at = 0; at < values.length; at++) {
    if (places.length === count && !((values[at] as number) > (values[places[count - 1] as number] as number)))
      continue;
    putInOrder(places, at, values);
    if (places.length > count) places.pop();
  }
  return places;
};

/** Inserts a position after all those whose value is as high. */
const putInOrder = (places: number[], at: number, values: Float64Array): void => {
  const value = values[at] as number;
  const place = placeWhere(0, places.length, (other) => (values[places[other] as number] as number) >= value);
  places.splice(place, 0, at);
};
