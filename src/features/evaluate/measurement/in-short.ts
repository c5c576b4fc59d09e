import { alwaysContinue, calibratedDecider, thresholdDecider } from '../../../models/embedded/what-if-deciders.ts';
import { datasetOf } from './datasets.ts';
import type { Row } from './rows.ts';
import type { Table } from './table.ts';

/** The decider that ships. */
const OWN = 'learned';
const BASELINES = [calibratedDecider(), thresholdDecider(), alwaysContinue].map(({ name }) => name);
const MODES = ['teacher-forced', 'free-running'] as const;

/** What is told of every set that has it; more is the better in each. */
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
/** What everyday talk comes down to is told of it alone. */
const OF_EVERYDAY = new Set(['create-recall', 'continue-recall']);

/**
 * Every set in a few lines, in the order in which they are measured, everyday talk first: what the decider that ships reaches, and beside it what the
 * best of the baselines does without it. null where that decider was not measured.
 */
export const inShort = (rows: readonly Row[]): Table | null => {
  const known = rows.filter(({ metric }) => HEADLINES.includes(metric));
  const datasets = [...new Set(known.map(({ dataset }) => dataset))].filter((name) => !name.endsWith('-undisputed'));
  const lines = datasets.flatMap((dataset) =>
    HEADLINES.filter((metric) => datasetOf(dataset) === 'everyday' || !OF_EVERYDAY.has(metric)).flatMap((metric) => {
      const of = known.filter((row) => row.dataset === dataset && row.metric === metric);
      const cells = MODES.flatMap((mode) => cellsOf(of.filter((row) => row.mode === mode)));
      return of.some(({ subject }) => subject === OWN) ? [[`${dataset}, ${metric}`, ...cells]] : [];
    }),
  );
  if (lines.length === 0) return null;
  const head = ['set, metric', ...MODES.flatMap((mode) => [mode, 'best baseline'])];
  return { title: 'In short', rows: [head, ...lines] };
};

/** What is reached, with its interval, and the best baseline, with its name. */
const cellsOf = (rows: readonly Row[]): [string, string] => {
  const own = rows.find(({ subject }) => subject === OWN);
  const baselines = rows.filter(({ subject }) => BASELINES.includes(subject));
  const best = baselines.toSorted((a, b) => b.value - a.value)[0];
  return [
    own === undefined ? '–' : `${own.value.toFixed(2)} (${own.low.toFixed(2)}–${own.high.toFixed(2)})`,
    best === undefined ? '–' : `${best.value.toFixed(2)} ${best.subject}`,
  ];
};
