import { type Estimate, estimate } from './bootstrap.ts';
import { countContexts } from './context-metrics.ts';
import type { ContextRecord } from './contexts.ts';
import type { Counts, Metric } from './metric.ts';
import type { Mode } from './placements.ts';

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

type Of = Pick<Row, 'dataset' | 'mode' | 'subject' | 'judge'>;

/** A row a metric; none for a metric that had nothing to measure. */
export const rowsOf = (of: Of, dialogues: readonly Counts[], metrics: readonly Metric[]): Row[] =>
  estimate(dialogues, metrics).flatMap((figures, at) =>
    figures.n === 0 || Number.isNaN(figures.value) ? [] : [{ ...of, metric: metrics[at]?.name ?? '', ...figures }],
  );

/** Rows of each policy, from the contexts of each dialogue. */
export const contextRows = (
  of: Omit<Of, 'subject'>,
  dialogues: readonly (readonly ContextRecord[])[],
  metrics: readonly Metric[],
): Row[] => {
  const subjects = [...new Set(dialogues.flatMap((records) => records.map(({ subject }) => subject)))];
  return subjects.flatMap((subject) => {
    const own = dialogues.map((records) => countContexts(records.filter((record) => record.subject === subject)));
    return rowsOf({ ...of, subject }, own, metrics);
  });
};

/** The rows as a file. Six digits are more than any interval leaves. */
export const rowsFile = (rows: readonly Row[]): string => {
  const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(6)) : value);
  return `${JSON.stringify(rows, rounded, 1)}\n`;
};
