import { placeWhere } from '../../domain/long-list.ts';

/** Of normalised vectors of one length. */
export const cosine = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
};

/** Weighted alike unless told otherwise; of no vectors it has no dimensions. Of normalised vectors it is shorter than they are. */
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

/** At length 1; the zero vector stays as it is. */
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
  const sum = odds.reduce((total, one) => total + one, 0);
  return odds.map((one) => one / sum);
};

/** The items that come first in an order, in that order: without sorting the rest. */
export const foremost = <T>(items: readonly T[], count: number, order: (a: T, b: T) => number): T[] => {
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

/** Places of the highest values, highest first. */
export const highestOf = (values: Float64Array, count: number): number[] => {
  const places: number[] = [];
  // With no closure in the loop, as there may be hundreds of thousands: what one sees of it would be an object each time.
  for (let at = 0; at < values.length; at++) {
    if (places.length === count && !((values[at] as number) > (values[places[count - 1] as number] as number)))
      continue;
    putInOrder(places, at, values);
    if (places.length > count) places.pop();
  }
  return places;
};

/** Behind all that are as high. */
const putInOrder = (places: number[], at: number, values: Float64Array): void => {
  const value = values[at] as number;
  const place = placeWhere(0, places.length, (other) => (values[places[other] as number] as number) >= value);
  places.splice(place, 0, at);
};
