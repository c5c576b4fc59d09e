import { sizeOf } from '../needs/sizes.ts';
import { DECISION_METRICS } from './legend.ts';
import { grouped } from './metrics.ts';
import type { Row } from './rows.ts';
import type { Table } from './table.ts';

/** The rows of one set as tables: a metric a line, a subject a column, every figure with its interval and count. Budgets have tables of their own. */
export const resultTables = (rows: readonly Row[]): Table[] =>
  [
    ...grouped(
      rows.filter(({ metric }) => sizeOf(metric).size === null),
      (row) => `${row.dataset} ${row.mode} ${kindOf(row)}`,
    ).values(),
  ].map((own) => {
    const subjects = [...new Set(own.map(({ subject }) => subject))];
    const metrics = [...grouped(own, nameOf)];
    const [first] = own as [Row, ...Row[]];
    return {
      title: [first.dataset, kindOf(first), first.mode].filter((part) => part !== '').join(', '),
      rows: [
        ['metric', 'n', ...subjects],
        ...metrics.map(([metric, figures]) => {
          const counts = new Set(figures.map(({ n }) => n));
          const common = counts.size === 1 ? `${figures[0]?.n ?? 0}` : '';
          const cell = (subject: string) => {
            const row = figures.find((figure) => figure.subject === subject);
            return row === undefined ? '–' : `${figure(row)}${common === '' ? `, n ${row.n}` : ''}`;
          };
          return [metric, common, ...subjects.map(cell)];
        }),
      ],
    };
  });

/** A figure that rests on a judge’s word names the judge. */
const nameOf = ({ metric, judge }: Row): string => (judge === undefined ? metric : `${metric}, by ${judge}`);

/** Contexts and what they are good for are of policies, everything else is of deciders. */
const kindOf = ({ metric, judge }: Row): string =>
  judge !== undefined ? 'task completion' : DECISIONS.has(metric) ? 'decisions' : 'contexts';
const DECISIONS = new Set(DECISION_METRICS.map(({ name }) => name));

const figure = ({ metric, value, low, high }: Row): string => {
  const text = (number: number) => (/^act-/.test(metric) ? `${Math.round(number)}` : number.toFixed(2));
  return `${text(value)} (${text(low)}–${text(high)})`;
};
