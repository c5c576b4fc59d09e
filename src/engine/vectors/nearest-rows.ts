/** Classes that estimates from −1 to 1 are counted in, to find the highest without sorting. */
const CLASSES = 1_024;

/**
 * About how many rows of the highest estimates are compared exactly. The nearest of 100,000 random vectors, which are
 * all about equally far, should be among so many in 99 of 100 cases; texts differ more.
 */
const COMPARED = 2_048;

const count = (counts: Int32Array, value: number): void => {
  const at = Math.floor(((value + 1) / 2) * CLASSES);
  const found = at < 0 ? 0 : at >= CLASSES ? CLASSES - 1 : at;
  counts[found] = (counts[found] as number) + 1;
};

/** From which value on there are about so many of the values counted; below all if there are no more of them. */
const leastOfHighest = (counts: Int32Array, wanted: number): number => {
  let reached = 0;
  for (let at = CLASSES - 1; at > 0; at--) {
    reached += counts[at] as number;
    if (reached >= wanted) return (2 * at) / CLASSES - 1;
  }
  return Number.NEGATIVE_INFINITY;
};

/** Of very many rows one of so many is counted, which tells well enough where about so many are above. */
const COUNTED = 7;
const COUNTED_FROM = 20_000;

/** The estimate from which a row may be one of the nearest of some. Rows below 0 are none. */
export const worthComparing = (rows: Int32Array, estimates: Float32Array): number => {
  const every = rows.length < COUNTED_FROM ? 1 : COUNTED;
  return leastOfHighest(countsOf(rows, every, estimates), COMPARED / every);
};

/** The same of all rows, of which so many are in the forest: without looking up which. */
export const worthComparingOfAll = (count: number, estimates: Float32Array): number => {
  const every = estimates.length < COUNTED_FROM ? 1 : COUNTED;
  const wanted = (COMPARED * estimates.length) / Math.max(1, count);
  return leastOfHighest(countsOfAll(every, estimates), wanted / every);
};

/** Loops alone, here and below: with more after them, they were compiled and thrown away at every message. */
const countsOf = (rows: Int32Array, every: number, estimates: Float32Array): Int32Array => {
  const counts = new Int32Array(CLASSES);
  for (let i = 0; i < rows.length; i += every) {
    const row = rows[i] as number;
    if (row >= 0) count(counts, estimates[row] ?? 1);
  }
  return counts;
};

const countsOfAll = (every: number, estimates: Float32Array): Int32Array => {
  const counts = new Int32Array(CLASSES);
  for (let i = 0; i < estimates.length; i += every) count(counts, estimates[i] as number);
  return counts;
};

/** The items that come first in an order, in that order: without sorting the rest. */
export const foremost = <T>(items: readonly T[], count: number, order: (a: T, b: T) => number): T[] => {
  if (items.length <= count) return items.toSorted(order);
  const first: T[] = [];
  for (const item of items) {
    const last = first[count - 1];
    if (last !== undefined && order(item, last) >= 0) continue;
    let at = Math.min(first.length, count - 1);
    for (; at > 0 && order(item, first[at - 1] as T) < 0; at--) first[at] = first[at - 1] as T;
    first[at] = item;
  }
  return first;
};

/** Places of the highest values, highest first. */
export const highestOf = (values: Float64Array, count: number): number[] => {
  const first: number[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    if (value <= least) continue;
    let to = Math.min(first.length, count - 1);
    for (; to > 0 && value > (values[first[to - 1] as number] as number); to--) first[to] = first[to - 1] as number;
    first[to] = at;
    if (first.length === count) least = values[first[count - 1] as number] as number;
  }
  return first;
};
