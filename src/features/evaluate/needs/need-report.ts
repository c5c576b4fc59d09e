import { grouped } from '../measurement/metrics.ts';
import type { Row } from '../measurement/rows.ts';
import { type Table, tableText } from '../measurement/table.ts';
import { curvesOf, curveTables } from './curves.ts';

const READING =
  'Each policy at the size that it has of its own accord (the mean share of the full history’s tokens), then held to budgets in per cent of the full history’s tokens. ' +
  'A line that counts what is left out is sent even where a budget has no room for it, so that the smallest budgets of short conversations are overspent.';

/** What a policy's own size costs, whatever it finds. */
const COSTS = [
  'context-tokens-ratio',
  'history-tokens-share',
  'over-full',
  'tokens-read-ratio',
  'tokens-read-ratio-8',
  'prefix-kept',
] as const;

/** What contexts have of what is needed, by their size, as Markdown; empty where nothing of it was measured. `picture`: where its curves are drawn. */
export const needReport = (rows: readonly Row[], picture: string | null = null): string => {
  const curves = curvesOf(rows);
  if (curves.length === 0) return '';
  return [
    READING,
    ...(picture === null ? [] : [`![What contexts have of what is needed, by their size](${picture})`]),
    ...[...curveTables(curves), costTable(rows)].map((table) => `### ${table.title}\n\n${tableText(table)}`),
  ].join('\n\n');
};

/** A policy on a set a line, a cost a column. */
const costTable = (rows: readonly Row[]): Table => {
  const read = rows.filter(({ metric, mode }) => metric === 'tokens-read-ratio' && mode === 'free-running');
  const own = rows.filter(({ mode }) => mode === 'free-running');
  const byMetric = grouped(own, ({ dataset, subject, metric }) => `${dataset} ${subject} ${metric}`);
  return {
    title: 'What it costs, at the policy’s own size',
    rows: [
      ['set, policy', ...COSTS],
      ...read.map(({ dataset, subject }) => [
        `${dataset}, ${subject}`,
        ...COSTS.map((metric) => byMetric.get(`${dataset} ${subject} ${metric}`)?.[0]?.value.toFixed(2) ?? '–'),
      ]),
    ],
  };
};
