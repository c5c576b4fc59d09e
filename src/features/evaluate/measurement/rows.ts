import { type Estimate, estimate } from '../../../engine/figures/estimate.ts';
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
