import { clamp, sum } from '../../../domain/numbers.ts';
import { count } from '../format.ts';
import type { SeriesStyle } from '../policies.tsx';

/** Maps a value to pixels. */
export type Scale = (value: number) => number;

export const linear =
  ([from, to]: readonly [number, number], [start, end]: readonly [number, number]): Scale =>
  (value) =>
    to === from ? (start + end) / 2 : start + ((value - from) / (to - from)) * (end - start);

/** Round values from 0 up to the first that is at least `most`: about `wanted` of them. */
export const ticks = (most: number, wanted = 5): number[] => {
  if (!(most > 0)) return [0, 1];
  const rough = most / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((times) => times * power >= rough * 0.999) ?? 10);
  const count = Math.ceil(most / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)));
};

/**
 * Indices of the turns to label on an axis: the first, the last, and some between them with enough space around each,
 * with round numbers as long as no numbers are missing.
 */
export const turnTicks = (numbers: readonly number[], width: number): number[] => {
  const last = numbers.length - 1;
  if (last <= 0) return [...numbers.keys()];
  // Turns are whole numbers.
  const step = Math.max(1, ticks(last, Math.max(1, Math.floor(width / 90)))[1] ?? 1);
  const before = (numbers[0] ?? 0) % step;
  const between = Array.from({ length: Math.floor((last + before) / step) + 1 }, (_, i) => i * step - before).filter(
    (index) => index > step * 0.4 && last - index > step * 0.4,
  );
  return [0, ...between, last];
};

export const meanOfKnown = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : sum(known) / known.length;
};

/** Neighbouring values drawn as one, if there are more values than fit. */
export interface Bin {
  /** The indices of its first and last value. */
  readonly from: number;
  readonly to: number;
}

export const bins = (count: number, most: number): Bin[] => {
  const many = clamp(Math.floor(most), 1, count);
  return Array.from({ length: count === 0 ? 0 : many }, (_, i) => ({
    from: Math.floor((i * count) / many),
    to: Math.floor(((i + 1) * count) / many) - 1,
  }));
};

/* Each drawing is a single path: a thousand elements would be slow. */

const at = (value: number): string => value.toFixed(1);

/** A line through points. */
export const lineThrough = (points: readonly { readonly x: number; readonly y: number }[]): string =>
  points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');

/** A line through the means of the bins, broken where values are unknown; a lone value is a short stroke. */
export const linePath = (
  values: readonly (number | null)[],
  bins: readonly Bin[],
  x: (bin: Bin) => number,
  y: Scale,
): string => {
  let path = '';
  let open = false;
  for (const [index, bin] of bins.entries()) {
    const value = meanIn(values, bin);
    if (value === null) {
      open = false;
      continue;
    }
    const next = bins[index + 1];
    const lone = !open && (next === undefined || meanIn(values, next) === null);
    path += `${open ? 'L' : 'M'}${at(x(bin))} ${at(y(value))}${lone ? 'h0.01' : ''}`;
    open = true;
  }
  return path;
};

/** A step line with a level per value, for what stays constant until it changes. */
export const stepPath = (
  values: readonly (number | null)[],
  edges: (index: number) => readonly [number, number],
  y: Scale,
): string => {
  let path = '';
  let last: number | null = null;
  for (const [index, value] of values.entries()) {
    const [start, end] = edges(index);
    if (value !== null) path += `${value === last ? '' : `M${at(start)} ${at(y(value))}`}H${at(end)}`;
    last = value;
  }
  return path;
};

/** A dot per value; draw it with round caps. */
export const dotsPath = (values: readonly (number | null)[], x: (index: number) => number, y: Scale): string =>
  values.map((value, index) => (value === null ? '' : `M${at(x(index))} ${at(y(value))}h0.01`)).join('');

/** Stacked bars of the means of the bins. */
export const stackPaths = (
  series: readonly (readonly (number | null)[])[],
  bins: readonly Bin[],
  box: (bin: Bin) => { readonly left: number; readonly width: number },
  y: Scale,
): string[] => {
  const base = bins.map(() => 0);
  return series.map((values) =>
    bins
      .map((bin, index) => {
        // A turn without this step spends no time on it.
        const value = meanIn(values, bin, 0) ?? 0;
        if (value <= 0) return '';
        const from = base[index] ?? 0;
        base[index] = from + value;
        const { left, width } = box(bin);
        const [top, bottom] = [y(from + value), y(from)];
        return bottom - top < 0.05 ? '' : `M${at(left)} ${at(top)}h${at(width)}V${at(bottom)}h${at(-width)}z`;
      })
      .join(''),
  );
};

export const meanIn = (values: readonly (number | null)[], { from, to }: Bin, none: 0 | null = null): number | null =>
  from === to ? (values[from] ?? none) : meanOfKnown(values.slice(from, to + 1).map((value) => value ?? none));

/** Values per turn, in order; null where there is none. */
export interface Series extends SeriesStyle {
  readonly key: string;
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly strong?: boolean;
}

/** Round levels up to the maximum tokens of all series. */
export const tokenLevels = (series: readonly Series[]): readonly number[] =>
  ticks(series.reduce((high, { values }) => values.reduce<number>((top, one) => Math.max(top, one ?? 0), high), 0));

/** Positions and labels of the levels. */
export const drawnLevels = (
  levels: readonly number[],
  { top, bottom }: { readonly top: number; readonly bottom: number },
): { readonly y: number; readonly words: string }[] => {
  const y = linear([0, levels.at(-1) ?? 1], [bottom, top]);
  return levels.map((value) => ({ y: y(value), words: axisWords(value) }));
};

/** `150 k`: there is little room next to the axis. */
const axisWords = (tokens: number): string => (tokens < 10_000 ? count(tokens) : `${count(tokens / 1000)} k`);
