import { BUDGETS, splitSize, suffixOf } from './need-metrics.ts';
import type { FigureRow, TextTable } from './tables.ts';

/** How a figure grows with the amount that a policy may send. */
export interface Curve {
  readonly dataset: string;
  readonly metric: string;
  readonly title: string;
  readonly lines: readonly CurveLine[];
  /** The cost of an oracle that sends all of it, in percent of the full history; null if no path is labelled. */
  readonly oracle: number | null;
}

interface CurveLine {
  readonly subject: string;
  /** By budget, in percent of the full history's tokens. */
  readonly points: readonly Point[];
  /** At the policy's own default size. */
  readonly own: Point | null;
}

interface Point {
  /** Percent of the full history's tokens. */
  readonly x: number;
  readonly y: number;
}

/** The curves to draw, in this order. */
const DRAWN = [
  { dataset: 'locomo', metric: 'evidence-recall', title: 'LoCoMo: evidence sent' },
  { dataset: 'rewrites', metric: 'rewrite-recall-of-full', title: 'Rewrites: recall in the full history’s' },
  {
    dataset: 'rewrites-interleaved',
    metric: 'rewrite-recall-of-full',
    title: 'Rewrites interleaved: recall in full’s',
  },
  { dataset: 'everyday', metric: 'needed-text-recall', title: 'Everyday: needed texts sent' },
  { dataset: 'everyday', metric: 'off-topic-share', title: 'Everyday: off-topic share (less is better)' },
  { dataset: 'everyday', metric: 'gold-path-recall', title: 'Everyday: labelled path sent' },
] as const;

/** The curves of a measurement; unmeasured ones are omitted. */
export const curvesOf = (rows: readonly FigureRow[]): Curve[] =>
  DRAWN.flatMap(({ dataset, metric, title }): Curve[] => {
    const own = rows.filter((row) => row.dataset === dataset && row.mode === 'free-running');
    const value = (subject: string, name: string): number | null =>
      own.find((row) => row.subject === subject && row.metric === name)?.value ?? null;
    const subjects = [...new Set(own.filter((row) => splitSize(row.metric).name === metric).map((row) => row.subject))];
    const lines = subjects.map((subject): CurveLine => {
      const points = BUDGETS.flatMap((x): Point[] => {
        const y = value(subject, metric + suffixOf(x));
        return y === null ? [] : [{ x, y }];
      });
      const [share, y] = [value(subject, 'history-tokens-share'), value(subject, metric)];
      return { subject, points, own: share === null || y === null ? null : { x: 100 * share, y } };
    });
    const oracle = own.find((row) => row.metric === 'gold-path-oracle-history-share')?.value;
    const price = metric === 'gold-path-recall' && oracle !== undefined ? 100 * oracle : null;
    return lines.length === 0 ? [] : [{ dataset, metric, title, lines, oracle: price }];
  });

/** Curves as tables: one policy per row, one budget per column, the policy's own size first. */
export const curveTables = (curves: readonly Curve[]): TextTable[] =>
  curves.map(({ dataset, metric, lines, oracle }) => ({
    title: `${dataset}, ${metric}${oracle === null ? '' : `; an oracle that sends exactly the path: ${oracle.toFixed(0)} % of the tokens`}`,
    rows: [
      ['policy', 'own size', 'at it', ...BUDGETS.map((budget) => `${budget} %`)],
      ...lines.map(({ subject, points, own }) => [
        subject,
        own === null ? '–' : `${own.x.toFixed(0)} %`,
        own === null ? '–' : own.y.toFixed(2),
        ...BUDGETS.map((budget) => points.find(({ x }) => x === budget)?.y.toFixed(2) ?? '–'),
      ]),
    ],
  }));
