import { type Bin, mean, type Scale } from './scale.ts';

/* Drawings as one path each: a thousand elements would take their time. */

const at = (value: number): string => value.toFixed(1);

/** A line through the means of the bins, broken where nothing is known; a lone value is a short stroke. */
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

/** A level line for each value, from turn to turn: for what holds until it changes. */
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

/** A dot for each value; draw it with round caps. */
export const dotsPath = (values: readonly (number | null)[], x: (index: number) => number, y: Scale): string =>
  values.map((value, index) => (value === null ? '' : `M${at(x(index))} ${at(y(value))}h0.01`)).join('');

/** Bars of the means of the bins, each standing on those before it. */
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
        // Of a turn without this step it takes no time.
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
  from === to ? (values[from] ?? none) : mean(values.slice(from, to + 1).map((value) => value ?? none));
