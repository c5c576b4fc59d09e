import { sum } from '../../domain/numbers.ts';

/*
 * Agreement beyond chance, from first principles: Cohen's and Fleiss's κ, Krippendorff's α with any distance. An
 * undefined coefficient is returned as such, with the reason.
 */

/** Why there is no figure, as the rest of the sentence "undefined, because …". */
interface UndefinedFigure {
  readonly because: string;
}

export type Figure = number | UndefinedFigure;

/** The figure as a number; NaN where it is undefined. */
export const numberOf = (figure: Figure): number => (typeof figure === 'number' ? figure : Number.NaN);

const NOTHING: UndefinedFigure = { because: 'nothing was labelled by both' };
const NO_CHOICE: UndefinedFigure = {
  because: 'everybody always gave the same label, so chance alone would give full agreement',
};

/**
 * Cohen's κ (1960): (pₒ − pₑ) / (1 − pₑ). `matrix`: how often the first person gave the row's label where the second
 * gave the column's. Computed in whole numbers, so that the check for constant labels is exact.
 */
export const cohen = (matrix: readonly (readonly number[])[]): Figure => {
  const n = sum(matrix.map(sum));
  if (n === 0) return NOTHING;
  const agreed = sum(matrix.map((row, at) => row[at] ?? 0));
  const byChance = sum(matrix.map((row, at) => sum(row) * sum(matrix.map((other) => other[at] ?? 0))));
  return n * n === byChance ? NO_CHOICE : (n * agreed - byChance) / (n * n - byChance);
};

/** Inputs of Fleiss's κ; they add up over dialogues. */
export interface FleissSums {
  readonly items: number;
  /** Labels per item; the same for all. */
  readonly raters: number;
  /** Pairs of people who agree, summed over the items, each pair counted both ways. */
  readonly agreeing: number;
  /** How often each label was given. */
  readonly labels: readonly number[];
}

/** Fleiss's κ (1971). */
export const fleissOf = ({ items, raters, agreeing, labels }: FleissSums): Figure => {
  if (items === 0) return { because: 'no turn was labelled by everybody' };
  if (raters < 2) return { because: 'there is only one person' };
  const observed = agreeing / (items * raters * (raters - 1));
  const byChance = sum(labels.map((given) => (given / (items * raters)) ** 2));
  return byChance >= 1 - 1e-12 ? NO_CHOICE : (observed - byChance) / (1 - byChance);
};

/** Fleiss's κ of a table: how often each label (column) was given to each item (row). */
export const fleiss = (table: readonly (readonly number[])[]): Figure => {
  const raters = sum(table[0] ?? []);
  if (table.some((row) => sum(row) !== raters)) return { because: 'not all items were labelled by as many people' };
  return fleissOf({
    items: table.length,
    raters,
    agreeing: sum(table.map((row) => sum(row.map((given) => given * (given - 1))))),
    labels: (table[0] ?? []).map((_, label) => sum(table.map((row) => row[label] ?? 0))),
  });
};

/** Distance between two values; 0 if they are the same. */
export type Distance<V> = (a: V, b: V) => number;

/** The values people gave one item; those who gave none are left out. */
export type Unit<V> = readonly V[];

export const nominal = <V>(a: V, b: V): number => (a === b ? 0 : 1);
export const interval = (a: number, b: number): number => (a - b) ** 2;

/** The ordinal distance of Krippendorff (2011), which depends on how often each rank was given. */
export const ordinal = (units: readonly Unit<number>[]): Distance<number> => {
  const given = new Map<number, number>();
  for (const value of pairable(units).flat()) given.set(value, (given.get(value) ?? 0) + 1);
  const ranks = [...given.keys()].sort((a, b) => a - b);
  return (a, b) => {
    const [low, high] = [Math.min(a, b), Math.max(a, b)];
    const between = sum(ranks.filter((rank) => rank >= low && rank <= high).map((rank) => given.get(rank) ?? 0));
    return (between - ((given.get(low) ?? 0) + (given.get(high) ?? 0)) / 2) ** 2;
  };
};

const shared = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): number => {
  let both = 0;
  for (const one of a) if (b.has(one)) both++;
  return both;
};

/** 1 − intersection over union of two sets. */
export const jaccard = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): number => {
  const both = shared(a, b);
  const either = a.size + b.size - both;
  return either === 0 ? 0 : 1 - both / either;
};

/** MASI (Passonneau 2006) as a distance, with the weights in common use: a subset 0.67, an overlap 0.33. */
export const masi = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): number => {
  const both = shared(a, b);
  const either = a.size + b.size - both;
  if (either === 0 || (both === a.size && both === b.size)) return 0;
  const weight = both === Math.min(a.size, b.size) ? 0.67 : both > 0 ? 0.33 : 0;
  return 1 - (weight * both) / either;
};

/** Inputs of α. */
interface Disagreement {
  /** Distances within the items, each item divided by the number of values that a value of it is compared with. */
  readonly observed: number;
  /** Sum of the distances between all pairs of values, across items. */
  readonly pairs: number;
  /** Values that could be compared with another of the same item. */
  readonly values: number;
}

/** Computes the disagreement about some items. */
export const disagreement = <V>(units: readonly Unit<V>[], distance: Distance<V>): Disagreement => {
  const items = pairable(units);
  const all = items.flat();
  const observed = sum(items.map((unit) => (2 * pairwise(unit, distance)) / (unit.length - 1)));
  return { observed, pairs: pairwiseOfEach(all, distance), values: all.length };
};

/** Krippendorff's α (2011) of any number of people, with gaps. */
export const alphaOf = ({ observed, pairs, values }: Disagreement): Figure => {
  if (values === 0) return { because: 'no turn was labelled by two people' };
  return pairs === 0 ? NO_CHOICE : 1 - (observed * Math.max(values - 1, 1)) / (2 * pairs);
};

/** An item labelled by only one person says nothing about agreement. */
const pairable = <V>(units: readonly Unit<V>[]): readonly Unit<V>[] => units.filter((unit) => unit.length > 1);

/** The sum of the distances between many values, of which most occur often: any two that differ are compared only once. */
const pairwiseOfEach = <V>(values: readonly V[], distance: Distance<V>): number => {
  const given = new Map<V, number>();
  for (const value of values) given.set(value, (given.get(value) ?? 0) + 1);
  const each = [...given];
  let all = 0;
  for (const [at, [a, times]] of each.entries())
    for (let other = at + 1; other < each.length; other++) {
      const [b, others] = each[other] as [V, number];
      all += times * others * distance(a, b);
    }
  return all;
};

const pairwise = <V>(values: readonly V[], distance: Distance<V>): number => {
  let all = 0;
  for (const [at, a] of values.entries())
    for (let other = at + 1; other < values.length; other++) all += distance(a, values[other] as V);
  return all;
};
