import { expect, test } from 'vitest';
import { bins, dotsPath, linePath, stackPaths, stepPath } from '../../ui/parts/charts/scale.ts';
import { type DecisionRow, dotsAndMarks, means, stepSeries, tokenSeries } from './analysis.ts';

const row = (number: number, policy: string | null, tokens: number | null, plainTokens: number | null) =>
  ({ nodeId: `n${number}`, number, policy, tokens, plainTokens }) as DecisionRow;

const rows = [row(1, 'context-agent', 10, 10), row(2, 'context-agent', 20, 40), row(3, null, null, null)];

test('before policies are compared, what was sent stands beside what a plain chat would have sent', () => {
  const series = tokenSeries(rows, new Map());
  expect(series.map(({ name, values }) => [name, values])).toEqual([
    ['Sent (context-agent)', [10, 20, null]],
    ['Plain chat', [10, 40, null]],
  ]);
  expect(means(series, rows)).toEqual([
    { key: 'sent', mean: 15, against: 25 },
    { key: 'plain', mean: 25, against: null },
  ]);
});

test('contexts of imported replies are not said to have been sent', () => {
  const imported = rows.map((one) => ({ ...one, isUnsent: true }));
  expect(tokenSeries(imported, new Map())[0]?.name).toBe('Context (context-agent)');
});

test('a turn is a dot unless the person judged it, and one without a value is neither dot nor mark', () => {
  const words = [null, 'chosen', 'corrected', 'confirmed', 'corrected', 'confirmed'] as const;
  const judged = words.map((word, at) => ({ ...row(at, null, null, null), word }));
  expect(dotsAndMarks(judged, [0.1, 0.2, 0.3, 0.4, null, null])).toEqual({
    dots: [0.1, 0.2, null, null, null, null],
    corrected: [{ at: 2, value: 0.3 }],
    confirmed: [{ at: 3, value: 0.4 }],
  });
});

test('a policy that was compared is drawn once, and means are over the same turns', () => {
  const compared = new Map([['n2', { 'context-agent': 20, 'full-history': 40, truncation: 30 }]]);
  const series = tokenSeries(rows.slice(0, 2), compared);
  expect(series.map(({ key }) => key)).toEqual(['sent', 'full-history', 'truncation']);
  expect(means(series, rows.slice(0, 2))[0]).toEqual({ key: 'sent', mean: 20, against: 40 });
  const mixed = tokenSeries([...rows, row(4, 'truncation', 5, 9)], compared);
  expect(mixed.map(({ key }) => key)).toEqual(['sent', 'context-agent', 'full-history', 'truncation']);
});

test('where the full history was sent throughout, the others are compared with that', () => {
  const whole = [row(1, 'full-history', 10, 10), row(2, 'full-history', 40, 40)];
  const compared = new Map(whole.map(({ nodeId, tokens }) => [nodeId, { 'full-history': tokens ?? 0, truncation: 9 }]));
  const series = tokenSeries(whole, compared);
  expect(means(series, whole)).toEqual([
    { key: 'sent', mean: 25, against: null },
    { key: 'truncation', mean: 9, against: 25 },
  ]);
});

test('a policy sent for some turns only has a line of its own, and what was sent is counted like the others', () => {
  const compared = new Map([
    ['n2', { 'context-agent': 25, 'full-history': 50 }],
    ['n3', { 'context-agent': 30, 'full-history': 60 }],
  ]);
  const series = tokenSeries(rows, compared);
  expect(series.map(({ key, values }) => [key, values])).toEqual([
    ['sent', [10, 25, null]],
    ['context-agent', [null, 25, 30]],
    ['full-history', [null, 50, 60]],
  ]);
});

test('steps come in the order in which they happen', () => {
  const series = stepSeries([
    { topic: 2, embed: 1 },
    { branch: 3, embed: 1, other: 1 },
  ]);
  expect(series.map(({ key, values }) => [key, values])).toEqual([
    ['embed', [1, 1]],
    ['topic', [2, null]],
    ['branch', [null, 3]],
    ['other', [null, 1]],
  ]);
});

test('lines break where nothing is known, and a lone value is still seen', () => {
  const x = ({ from }: { from: number }) => from;
  const y = (value: number) => value;
  expect(linePath([1, 2, null, 4], bins(4, 9), x, y)).toBe('M0.0 1.0L1.0 2.0M3.0 4.0h0.01');
  expect(linePath([1, 3, 5, 7], bins(4, 2), x, y)).toBe('M0.0 2.0L2.0 6.0');
  expect(dotsPath([1, null], (index) => index, y)).toBe('M0.0 1.0h0.01');
  expect(stepPath([1, 1, 2], (index) => [index, index + 1], y)).toBe('M0.0 1.0H1.0H2.0M2.0 2.0H3.0');
});

test('a bar stands on the one before it', () => {
  const box = ({ from }: { from: number }) => ({ left: from * 10, width: 8 });
  const paths = stackPaths(
    [
      [1, null],
      [2, 3],
    ],
    bins(2, 2),
    box,
    (value) => 10 - value,
  );
  expect(paths).toEqual(['M0.0 9.0h8.0V10.0h-8.0z', 'M0.0 7.0h8.0V9.0h-8.0zM10.0 7.0h8.0V10.0h-8.0z']);
});

test('of what is known only the chosen policies are drawn', () => {
  const compared = new Map([['n2', { 'full-history': 40, memtree: 12, truncation: 30 }]]);
  const keys = tokenSeries(rows, compared, ['memtree', 'full-history', 'raptor']).map(({ key }) => key);
  expect(keys).toEqual(['sent', 'memtree', 'full-history']);
});
