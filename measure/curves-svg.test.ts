import { expect, test } from 'vitest';
import { curvesOf, curveTables } from '../src/features/evaluate/measurement/curves.ts';
import { needReport, paperTokens } from '../src/features/evaluate/measurement/report.ts';
import type { FigureRow } from '../src/features/evaluate/measurement/tables.ts';
import { curvesSvg, xOf, yOf } from './curves-svg.ts';

const row = (metric: string, value: number, more: Partial<FigureRow> = {}): FigureRow => ({
  dataset: 'locomo',
  mode: 'free-running',
  subject: 'flat-rag',
  metric,
  value,
  low: value,
  high: value,
  n: 1,
  ...more,
});

const ROWS = [
  row('evidence-recall', 0.9),
  row('evidence-recall-at-5', 0.5),
  row('evidence-recall-at-2', 0.25),
  row('history-tokens-share', 0.3),
  row('evidence-recall-at-5', 0.4, { subject: '<odd> & "named"' }),
];

test('a curve has its points by budget, and where the policy stands of its own accord', () => {
  const [curve] = curvesOf(ROWS);
  expect(curve?.lines[0]).toEqual({
    subject: 'flat-rag',
    points: [
      { x: 2, y: 0.25 },
      { x: 5, y: 0.5 },
    ],
    own: { x: 30, y: 0.9 },
  });
  expect(curve?.lines[1]?.own).toBeNull();
  expect(curveTables(curvesOf(ROWS))[0]?.rows[1]).toEqual([
    'flat-rag',
    '30 %',
    '0.90',
    '0.25',
    '0.50',
    '–',
    '–',
    '–',
    '–',
  ]);
  expect(needReport([])).toBe('');
});

test('a figure of another kind draws nothing', () => {
  expect(curvesOf([row('topic-macro-f1', 1)])).toEqual([]);
});

test('the picture has each policy once in its legend, and no markup of a name', () => {
  const svg = curvesSvg(curvesOf(ROWS));
  expect(svg.match(/>flat-rag</g)).toHaveLength(1);
  expect(svg).toContain('&lt;odd&gt; &amp; &quot;named&quot;');
  expect(svg).toContain(
    `d="M${xOf(2).toFixed(1)} ${yOf(0.25).toFixed(1)}L${xOf(5).toFixed(1)} ${yOf(0.5).toFixed(1)}"`,
  );
});

test('the paper’s saving stands beside ours only where both policies were measured', () => {
  const act = (subject: string, value: number) => row('act-10-turns', value, { dataset: 'ntm', mode: '', subject });
  expect(paperTokens([act('context-agent', 80)])).toBeNull();
  expect(paperTokens([act('context-agent', 80), act('full-history', 100)])).toContain('−20 % over 10 turns');
  expect(paperTokens([act('context-agent', 110), act('full-history', 100)])).toContain('+10 % over 10 turns');
});
