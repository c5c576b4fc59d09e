import { countContexts } from './context-metrics.ts';
import type { ContextRecord } from './contexts.ts';
import type { Counts, Metric } from './metric.ts';
import type { Mode } from './placements.ts';
import { randomFrom } from './random.ts';

/** One figure, with its 95 % interval. */
export interface Row extends Estimate {
  readonly dataset: string;
  /** Empty where no labels are asked. */
  readonly mode: Mode | '';
  /** A decider or a policy. */
  readonly subject: string;
  readonly metric: string;
  /** The language model whose word the figure rests on; of the agreement of two, both. Left out where there is none. */
  readonly judge?: string;
}

type RowSubject = Pick<Row, 'dataset' | 'mode' | 'subject' | 'judge'>;

/** A row a metric; none for a metric that had nothing to measure. */
export const rowsOf = (of: RowSubject, dialogues: readonly Counts[], metrics: readonly Metric[]): Row[] =>
  estimate(dialogues, metrics).flatMap((figures, at) =>
    figures.n === 0 || Number.isNaN(figures.value) ? [] : [{ ...of, metric: metrics[at]?.name ?? '', ...figures }],
  );

/** Rows of each policy, from the contexts of each dialogue. */
export const contextRows = (
  of: Omit<RowSubject, 'subject'>,
  dialogues: readonly (readonly ContextRecord[])[],
  metrics: readonly Metric[],
): Row[] => {
  const subjects = [...new Set(dialogues.flatMap((records) => records.map(({ subject }) => subject)))];
  return subjects.flatMap((subject) => {
    const own = dialogues.map((records) => countContexts(records.filter((record) => record.subject === subject)));
    return rowsOf({ ...of, subject }, own, metrics);
  });
};

const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(6)) : value);

/** The rows as a file. Six digits are more than any interval leaves. */
export const rowsFile = (rows: readonly Row[]): string => `${JSON.stringify(rows, rounded, 1)}\n`;

/** The same under a head that says what they were measured with, and on what. */
export const headedRowsFile = (head: object, rows: readonly Row[]): string =>
  `${JSON.stringify({ coppice: 'evaluation', ...head, rows: JSON.parse(rowsFile(rows)) }, null, 1)}\n`;

const ROUNDS = 1000;
/** The same for every subject: the resampled dialogues are then the same, and figures of one set compare. */
const SEED = 20261122;
/** Of the rounds left out at either end: what is between is the 95 % interval. */
const TAIL = 0.025;

interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly n: number;
}

/**
 * Each metric over all dialogues, with a bootstrap percentile interval: dialogues are drawn with replacement,
 * as many as there are. Only the counts of each dialogue are summed again, so a round costs next to nothing.
 */
export const estimate = (dialogues: readonly Counts[], metrics: readonly Metric[], rounds = ROUNDS): Estimate[] => {
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

  for (const counts of table) include(counts);
  const whole = metrics.map((metric) => ({ value: metric.value(of), n: metric.n(of) }));

  const random = randomFrom(SEED);
  const drawn = metrics.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    sum.fill(0);
    for (let draw = 0; draw < table.length; draw++) include(table[Math.floor(random() * table.length)]);
    for (const [at, metric] of metrics.entries()) {
      const value = metric.value(of);
      if (!Number.isNaN(value)) drawn[at]?.push(value);
    }
  }
  return whole.map(({ value, n }, at) => {
    const sorted = (drawn[at] ?? []).sort((a, b) => a - b);
    const quantile = (q: number) => sorted[Math.round(q * (sorted.length - 1))] ?? Number.NaN;
    return { value, n, low: quantile(TAIL), high: quantile(1 - TAIL) };
  });
};
