import { LENGTH_METRICS } from '../measurement/context-metrics.ts';
import { DECISION_METRICS, legendFor } from '../measurement/legend.ts';
import { grouped } from '../measurement/metrics.ts';
import type { Row } from '../measurement/rows.ts';
import { sizeOf } from '../needs/sizes.ts';

const LENGTHS = new Set(LENGTH_METRICS.map(({ name }) => name));
const DECISIONS = new Set(DECISION_METRICS.map(({ name }) => name));

export interface FigureTable {
  readonly dataset: string;
  readonly mode: string;
  readonly kind: 'decisions' | 'contexts';
  readonly subjects: readonly string[];
  readonly metrics: readonly {
    readonly name: string;
    readonly definition: string;
    readonly unit: 'share' | 'tokens';
    readonly figures: readonly (Row | null)[];
  }[];
}

/** Rows as tables, but for budgets, which are drawn: by set, mode and kind, a metric a line, a subject a column. */
export const figureTables = (rows: readonly Row[]): FigureTable[] => {
  const definitions = new Map(
    legendFor(new Set(rows.map(({ metric }) => metric))).map(({ name, definition }) => [name, definition]),
  );
  return [
    ...grouped(
      rows.filter(({ metric }) => sizeOf(metric).size === null),
      (row) => `${row.dataset} ${row.mode} ${kindOf(row)}`,
    ).values(),
  ].map((own) => {
    const [{ dataset, mode }] = own as [Row, ...Row[]];
    const subjects = [...new Set(own.map(({ subject }) => subject))];
    return {
      dataset,
      mode,
      kind: kindOf(own[0] as Row),
      subjects,
      metrics: [...grouped(own, ({ metric }) => metric)].map(([name, figures]) => ({
        name,
        definition: definitions.get(name) ?? '',
        unit: LENGTHS.has(name) ? 'tokens' : 'share',
        figures: subjects.map((subject) => figures.find((figure) => figure.subject === subject) ?? null),
      })),
    };
  });
};

/** Decisions are of deciders, everything else is of policies. */
const kindOf = ({ metric }: Row): 'decisions' | 'contexts' => (DECISIONS.has(metric) ? 'decisions' : 'contexts');
