import type { Row } from '../measurement/rows.ts';
import { tableText } from '../measurement/table.ts';
import { curvesOf, curveTables } from './curves.ts';

const READING =
  'Each policy at the size that it has of its own accord (the mean share of the full history’s tokens), then held to budgets in per cent of the full history’s tokens. ' +
  'A line that counts what is left out is sent even where a budget has no room for it, so that the smallest budgets of short conversations are overspent.';

/** What contexts have of what is needed, by their size, as Markdown; empty where nothing of it was measured. `picture`: where its curves are drawn. */
export const needReport = (rows: readonly Row[], picture: string | null = null): string => {
  const curves = curvesOf(rows);
  if (curves.length === 0) return '';
  return [
    READING,
    ...(picture === null ? [] : [`![What contexts have of what is needed, by their size](${picture})`]),
    ...curveTables(curves).map((table) => `### ${table.title}\n\n${tableText(table)}`),
  ].join('\n\n');
};
