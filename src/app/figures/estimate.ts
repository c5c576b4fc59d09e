import { randomFrom } from '../../domain/numbers.ts';

/** What was counted in one dialogue, by name; a missing count is 0. Sums over dialogues are counts again. */
export type Counts = Readonly<Record<string, number>>;

/** Looks up a count by name. */
export type CountLookup = (name: string) => number;

/** Increments a count. */
export const add = (counts: Record<string, number>, name: string, by = 1): void => {
  counts[name] = (counts[name] ?? 0) + by;
};

/** A figure computed from counts. */
interface Statistic {
  /** NaN where there is nothing to measure. */
  readonly value: (of: CountLookup) => number;
  /** Number of things the figure is taken over. */
  readonly n: (of: CountLookup) => number;
}

const ROUNDS = 1000;
/** The same for every subject, so that the resampled dialogues are the same and figures of one set are comparable. */
const SEED = 20261122;
/** Share of rounds cut off at either end, leaving the 95 % interval. */
const TAIL = 0.025;

/** A figure with its 95 % interval; NaN where there is nothing to measure, or no interval to be drawn from one dialogue. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly n: number;
}

/**
 * Computes each statistic over all dialogues, with a bootstrap percentile interval: dialogues are drawn with
 * replacement, as many as there are. A round only sums the counts of dialogues again, so it costs next to nothing.
 */
export const estimate = (
  dialogues: readonly Counts[],
  statistics: readonly Statistic[],
  rounds = ROUNDS,
): Estimate[] => {
  const names = [...new Set(dialogues.flatMap((counts) => Object.keys(counts)))];
  const column = new Map(names.map((name, at) => [name, at]));
  const table = dialogues.map((counts) => Float64Array.from(names, (name) => counts[name] ?? 0));
  const sum = new Float64Array(names.length);
  const of = (name: string): number => {
    const at = column.get(name);
    return at === undefined ? 0 : (sum[at] as number);
  };
  const include = (counts: Float64Array | undefined) => {
    if (counts === undefined) return;
    for (let at = 0; at < counts.length; at++) (sum[at] as number) += counts[at] as number;
  };

  const contributing = statistics.map(() => 0);
  for (const counts of table) {
    sum.fill(0);
    include(counts);
    for (const [at, { n }] of statistics.entries()) if (n(of) > 0) (contributing[at] as number) += 1;
  }
  sum.fill(0);
  for (const counts of table) include(counts);
  const whole = statistics.map((statistic) => ({ value: statistic.value(of), n: statistic.n(of) }));

  const random = randomFrom(SEED);
  const drawn = statistics.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    sum.fill(0);
    for (let draw = 0; draw < table.length; draw++) include(table[Math.floor(random() * table.length)]);
    for (const [at, statistic] of statistics.entries()) {
      const value = statistic.value(of);
      if (!Number.isNaN(value)) drawn[at]?.push(value);
    }
  }
  return whole.map(({ value, n }, at) => {
    if ((contributing[at] ?? 0) < 2) return { value, n, low: Number.NaN, high: Number.NaN };
    const sorted = (drawn[at] ?? []).sort((a, b) => a - b);
    const quantile = (q: number) => sorted[Math.round(q * (sorted.length - 1))] ?? Number.NaN;
    return { value, n, low: quantile(TAIL), high: quantile(1 - TAIL) };
  });
};
