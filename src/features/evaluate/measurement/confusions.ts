import { BranchAction, TopicAction } from '../../../domain/decision.ts';
import { errorKind } from './error-kinds.ts';
import { grouped } from './metrics.ts';
import type { DecisionRecord } from './placements.ts';
import type { Table } from './table.ts';

/** How many kinds of errors are listed. */
const COMMONEST = 8;

/** What one subject took for what in one set and mode, and its commonest errors; from data, no text of any dialogue. */
export const confusionTables = (records: readonly DecisionRecord[]): Table[] => {
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

const matrix = (title: string, classes: readonly string[], pairs: readonly (readonly string[])[]): Table => {
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

const errors = (title: string, records: readonly DecisionRecord[]): Table => {
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
  return sure.length === 0 ? '–' : (sure.reduce((sum, value) => sum + value, 0) / sure.length).toFixed(2);
};
