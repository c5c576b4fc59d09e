/** From a value to pixels. */
export type Scale = (value: number) => number;

export const linear =
  ([from, to]: readonly [number, number], [start, end]: readonly [number, number]): Scale =>
  (value) =>
    to === from ? (start + end) / 2 : start + ((value - from) / (to - from)) * (end - start);

/** Round values from 0 up to the first that is not less than `most`: about `wanted` of them. */
export const ticks = (most: number, wanted = 5): number[] => {
  if (!(most > 0)) return [0, 1];
  const rough = most / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((times) => times * power >= rough * 0.999) ?? 10);
  const count = Math.ceil(most / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)));
};

/** Turns to write under an axis: the first, the last, and round numbers between with room around each. */
export const turnTicks = (numbers: readonly number[], width: number): number[] => {
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (first === undefined || last === undefined) return [];
  if (first === last) return [first];
  // There is no turn and a half.
  const step = Math.max(1, ticks(last - first, Math.max(1, Math.floor(width / 90)))[1] ?? 1);
  const round = Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step).filter(
    (turn) => turn - first > step * 0.4 && last - turn > step * 0.4,
  );
  return [first, ...round, last];
};

/** So many of the values are at most this; 0 of none. */
export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? 0;

export const mean = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((all, value) => all + value, 0) / known.length;
};

/** Neighbours drawn as one, where there are more values than there is room for. */
export interface Bin {
  /** The first and the last value of it, by their places in the whole. */
  readonly from: number;
  readonly to: number;
}

export const bins = (count: number, most: number): Bin[] => {
  const many = Math.max(1, Math.min(count, Math.floor(most)));
  return Array.from({ length: count === 0 ? 0 : many }, (_, i) => ({
    from: Math.floor((i * count) / many),
    to: Math.floor(((i + 1) * count) / many) - 1,
  }));
};
