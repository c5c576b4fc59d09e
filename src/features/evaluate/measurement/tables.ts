import { type Counts, type Estimate, estimate } from '../../../app/figures/estimate.ts';
import { BranchAction, TopicAction } from '../../../domain/decision.ts';
import { mean } from '../../../domain/numbers.ts';
import { alwaysContinue, calibratedDecider, thresholdDecider } from '../../../models/embedded/what-if-deciders.ts';
import { grouped } from '../datasets/dialogues.ts';
import { countContexts } from './context-metrics.ts';
import type { ContextRecord } from './contexts.ts';
import { datasetOf } from './datasets.ts';
import { errorKind, isDecisionMetric } from './decision-metrics.ts';
import type { Metric } from './metric.ts';
import { splitSize } from './need-metrics.ts';
import { type DecisionRecord, EVALUATION_MODES, type EvaluationMode } from './placements.ts';

/** A table whose cells are already text. The first row is the header. */
export interface TextTable {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
}

/** A Markdown table with aligned columns, readable as plain text too. */
export const tableText = ({ rows }: TextTable): string => {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.slice(1).map(line)].join('\n');
};

/**
 * The rows of one set as tables: one metric per row, one subject per column, every figure with its interval and count.
 * Budgets have their own tables.
 */
export const resultTables = (rows: readonly FigureRow[]): TextTable[] =>
  [
    ...grouped(
      rows.filter(({ metric }) => splitSize(metric).size === null),
      (row) => `${row.dataset} ${row.mode} ${kindOf(row)}`,
    ).values(),
  ].map((own) => {
    const subjects = [...new Set(own.map(({ subject }) => subject))];
    const metrics = [...grouped(own, nameOf)];
    const [first] = own as [FigureRow, ...FigureRow[]];
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

/** A figure based on a judge’s verdict names the judge. */
const nameOf = ({ metric, judge }: FigureRow): string => (judge === undefined ? metric : `${metric}, by ${judge}`);

/** Context metrics and task completion belong to policies, everything else to deciders. */
const kindOf = ({ metric, judge }: FigureRow): string =>
  judge !== undefined ? 'task completion' : isDecisionMetric(metric) ? 'decisions' : 'contexts';

const figure = ({ metric, value, low, high }: FigureRow): string => {
  const text = (number: number) => (/^act-/.test(metric) ? `${Math.round(number)}` : number.toFixed(2));
  return withInterval(value, low, high, text);
};

/** Over a single dialogue there is no interval. */
const withInterval = (value: number, low: number, high: number, text: (number: number) => string): string =>
  Number.isNaN(low) ? text(value) : `${text(value)} (${text(low)}–${text(high)})`;

/** The shipped decider. */
const OWN = 'learned';
const BASELINES = [calibratedDecider(), thresholdDecider(), alwaysContinue].map(({ name }) => name);

/** Metrics summarised for every set that has them; for all of them, higher is better. */
const HEADLINES = [
  'topic-macro-f1',
  'shift-f1',
  'edge-macro-f1',
  'create-recall',
  'switch-target-accuracy',
  'continue-recall',
  'parent-accuracy',
  'pairwise-f1',
];
/** The main metrics of everyday talk, reported for it alone. */
const OF_EVERYDAY = new Set(['create-recall', 'continue-recall']);

/**
 * Summarises every set in a few lines, in the order of measurement with everyday talk first: what the shipped decider
 * achieves, next to the best baseline. null if that decider was not measured.
 */
export const inShort = (rows: readonly FigureRow[]): TextTable | null => {
  const known = rows.filter(({ metric }) => HEADLINES.includes(metric));
  const datasets = [...new Set(known.map(({ dataset }) => dataset))].filter((name) => !name.endsWith('-undisputed'));
  const lines = datasets.flatMap((dataset) =>
    HEADLINES.filter((metric) => datasetOf(dataset) === 'everyday' || !OF_EVERYDAY.has(metric)).flatMap((metric) => {
      const of = known.filter((row) => row.dataset === dataset && row.metric === metric);
      const cells = EVALUATION_MODES.flatMap((mode) => cellsOf(of.filter((row) => row.mode === mode)));
      return of.some(({ subject }) => subject === OWN) ? [[`${dataset}, ${metric}`, ...cells]] : [];
    }),
  );
  if (lines.length === 0) return null;
  const head = ['set, metric', ...EVALUATION_MODES.flatMap((mode) => [mode, 'best baseline'])];
  return { title: 'In short', rows: [head, ...lines] };
};

/** The achieved value with its interval, and the best baseline with its name. */
const cellsOf = (rows: readonly FigureRow[]): [string, string] => {
  const own = rows.find(({ subject }) => subject === OWN);
  const baselines = rows.filter(({ subject }) => BASELINES.includes(subject));
  const best = baselines.toSorted((a, b) => b.value - a.value)[0];
  return [
    own === undefined ? '–' : withInterval(own.value, own.low, own.high, (number) => number.toFixed(2)),
    best === undefined ? '–' : `${best.value.toFixed(2)} ${best.subject}`,
  ];
};

/** Number of error kinds listed. */
const COMMONEST = 8;

/** The confusions of one subject in one set and mode, and its most common errors; contains no text of any dialogue. */
export const confusionTables = (records: readonly DecisionRecord[]): TextTable[] => {
  const [first] = records;
  if (first === undefined) return [];
  const { dataset, mode, subject, labels } = first;
  const of = `${dataset}, ${mode}, ${subject}`;
  const topics = matrix(
    `Topic actions: ${of}`,
    TopicAction.options,
    records.map(({ gold, predicted }) => [gold.topic, predicted.topic]),
  );
  const branches = matrix(
    `Branch actions: ${of}`,
    BranchAction.options,
    records.flatMap(({ gold, predicted }) =>
      gold.branch === null ? [] : [[gold.branch, predicted.branch ?? 'new topic']],
    ),
  );
  return [topics, ...(labels === 'parents' ? [branches] : []), errors(`Commonest errors: ${of}`, records)];
};

const matrix = (title: string, classes: readonly string[], pairs: readonly (readonly string[])[]): TextTable => {
  const right = classes.filter((name) => pairs.some(([gold]) => gold === name));
  const given = [...new Set([...classes, ...pairs.map(([, predicted]) => predicted ?? '')])].filter((name) =>
    pairs.some((pair) => pair[1] === name),
  );
  const count = (gold: string, predicted: string) => pairs.filter((pair) => pair[0] === gold && pair[1] === predicted);
  return {
    title,
    rows: [
      ['labelled ↓ decided →', ...given],
      ...right.map((gold) => [gold, ...given.map((predicted) => `${count(gold, predicted).length}`)]),
    ],
  };
};

const errors = (title: string, records: readonly DecisionRecord[]): TextTable => {
  const wrong = records.filter((record) => errorKind(record) !== null);
  const kinds = [...grouped(wrong, (record) => errorKind(record) ?? '')].sort((a, b) => b[1].length - a[1].length);
  return {
    title: `${title} (${wrong.length} of ${records.length} decisions)`,
    rows: [
      ['error', 'turns', 'share of the errors', 'mean confidence'],
      ...kinds
        .slice(0, COMMONEST)
        .map(([kind, own]) => [
          kind,
          `${own.length}`,
          `${Math.round((100 * own.length) / wrong.length)} %`,
          meanConfidence(own),
        ]),
    ],
  };
};

const meanConfidence = (records: readonly DecisionRecord[]): string => {
  const sure = records.flatMap(({ confidence }) => (confidence === null ? [] : [confidence]));
  return sure.length === 0 ? '–' : mean(sure).toFixed(2);
};

/** One figure, with its 95 % interval. */
export interface FigureRow extends Estimate {
  readonly dataset: string;
  /** Empty if no labels are involved. */
  readonly mode: EvaluationMode | '';
  /** A decider or a policy. */
  readonly subject: string;
  readonly metric: string;
  /** The language model that judged; both models for the agreement of two. Omitted if there is none. */
  readonly judge?: string;
}

type RowSubject = Pick<FigureRow, 'dataset' | 'mode' | 'subject' | 'judge'>;

/** One row per metric; metrics with nothing to measure are omitted. */
export const figureRows = (of: RowSubject, dialogues: readonly Counts[], metrics: readonly Metric[]): FigureRow[] =>
  estimate(dialogues, metrics).flatMap((figures, at) =>
    figures.n === 0 || Number.isNaN(figures.value) ? [] : [{ ...of, metric: metrics[at]?.name ?? '', ...figures }],
  );

/** Rows for each policy, from the contexts of each dialogue. */
export const contextRows = (
  of: Omit<RowSubject, 'subject'>,
  dialogues: readonly (readonly ContextRecord[])[],
  metrics: readonly Metric[],
): FigureRow[] => {
  const subjects = [...new Set(dialogues.flatMap((records) => records.map(({ subject }) => subject)))];
  return subjects.flatMap((subject) => {
    const own = dialogues.map((records) => countContexts(records.filter((record) => record.subject === subject)));
    return figureRows({ ...of, subject }, own, metrics);
  });
};

const rounded = (_: string, value: unknown) =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;

/** The rows as a file, whole numbers in full. Six digits of others are more precise than any interval. */
export const rowsFile = (rows: readonly FigureRow[]): string => `${JSON.stringify(rows, rounded, 1)}\n`;

/** The same with a header that says how and on what they were measured. */
export const headedRowsFile = (head: object, rows: readonly FigureRow[]): string =>
  `${JSON.stringify({ coppice: 'evaluation', ...head, rows: JSON.parse(rowsFile(rows)) }, null, 1)}\n`;
