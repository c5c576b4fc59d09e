import { expect, test } from 'vitest';
import { type FigureRow, inShort, rowsFile, tableText } from './tables.ts';

const row = (dataset: string, mode: FigureRow['mode'], subject: string, metric: string, value: number): FigureRow => ({
  dataset,
  mode,
  subject,
  metric,
  value,
  low: value - 0.1,
  high: value + 0.1,
  n: 10,
});

test('every set has a line for what it is about, and the best baseline stands beside each figure', () => {
  const table = inShort([
    row('everyday', 'free-running', 'learned', 'create-recall', 0.5),
    row('everyday', 'free-running', 'calibrated', 'create-recall', 0.75),
    row('everyday', 'free-running', 'learned', 'pairwise-f1', 0.8),
    row('everyday', 'free-running', 'threshold', 'pairwise-f1', 0.4),
    row('everyday', 'free-running', 'always-continue', 'pairwise-f1', 0.83),
    // The learned decider again, but under another policy: not a baseline.
    row('everyday', 'free-running', 'context-agent-code', 'pairwise-f1', 0.9),
    row('ntm', 'teacher-forced', 'learned', 'topic-macro-f1', 0.9),
    row('ntm', 'teacher-forced', 'learned', 'create-recall', 0.9),
    row('ntm', 'teacher-forced', 'learned', 'create-precision', 0.9),
    row('ntm-undisputed', 'teacher-forced', 'learned', 'topic-macro-f1', 0.95),
    row('tiage', 'teacher-forced', 'calibrated', 'shift-f1', 0.4),
  ]);
  expect(
    table &&
      tableText(table)
        .split('\n')
        .slice(2)
        .map((line) => line.replaceAll(/ +/g, ' ')),
  ).toEqual([
    '| everyday, create-recall | – | – | 0.50 (0.40–0.60) | 0.75 calibrated |',
    '| everyday, pairwise-f1 | – | – | 0.80 (0.70–0.90) | 0.83 always-continue |',
    '| ntm, topic-macro-f1 | 0.90 (0.80–1.00) | – | – | – |',
  ]);
});

test('there is none where the decider that ships was not measured', () => {
  expect(inShort([row('ntm', 'teacher-forced', 'calibrated', 'topic-macro-f1', 0.6)])).toBeNull();
});

test('in a file of rows, a figure has six digits and the number of its cases all of them', () => {
  const many = { ...row('ntm', 'free-running', 'learned', 'pairwise-f1', 0.123456789), n: 1_234_567 };
  expect(JSON.parse(rowsFile([many]))).toMatchObject([{ value: 0.123457, n: 1_234_567 }]);
});
