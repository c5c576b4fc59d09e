import { expect, test } from 'vitest';
import {
  completeIn,
  isUntimed,
  measuresOf,
  missingWords,
  resultWords,
  type TurnComparison,
  workWords,
} from './turn-comparisons.ts';

const row = (number: number, tokens: Readonly<Record<string, number>>, calls = 2): TurnComparison => ({
  nodeId: `n${number}`,
  number,
  message: '',
  sent: null,
  unit: 'words',
  settings: { version: 0, parameters: {} },
  fallbacks: {},
  by: Object.fromEntries(
    Object.entries(tokens).map(([name, of]) => [
      name,
      { tokens: of, calls: name === 'memtree' ? calls : 0, read: 0, ms: 0, logged: 0 },
    ]),
  ),
});

const NAMES = ['context-agent', 'full-history', 'memtree'];

test('who sent how much of the whole history, the least first', () => {
  const rows = [
    row(1, { 'context-agent': 10, 'full-history': 10, memtree: 10 }),
    row(2, { 'context-agent': 19, 'full-history': 40, memtree: 10 }),
  ];
  expect(resultWords(rows, NAMES, 0)).toBe(
    'Over 2 turns, memtree sent 40 % of what full-history sends; context-agent 58 %.',
  );
  // The whole history is the baseline, chosen or not.
  expect(resultWords(rows, ['context-agent', 'memtree'], 0)).toContain('of what full-history sends');
  expect(workWords(rows, NAMES)).toBe(
    'To find what to send, memtree asked a model 4 times, context-agent and full-history never.',
  );
});

test('a turn is complete once it is known for all policies and the baseline', () => {
  const rows = [row(1, { 'full-history': 10, memtree: 10 }), row(2, { 'full-history': 9 }), row(3, { memtree: 9 })];
  expect(completeIn(rows, ['memtree'])).toEqual(rows.slice(0, 1));
  expect(completeIn(rows, ['memtree', 'truncation'])).toEqual([]);
});

test('of turns that not all of them have, those that all have are told', () => {
  const rows = [
    row(1, { 'context-agent': 10, 'full-history': 10, memtree: 10 }),
    row(2, { 'context-agent': 20, 'full-history': 40, memtree: 10 }),
    row(3, { 'context-agent': 900, 'full-history': 900 }),
  ];
  expect(resultWords(rows, NAMES, 0)).toContain('Over 2 turns, memtree sent 40 %');
  // A policy without any result does not silence the others.
  const without = [
    row(1, { 'context-agent': 5, 'full-history': 10 }),
    row(2, { 'context-agent': 5, 'full-history': 10 }),
  ];
  expect(resultWords(without, NAMES, 0)).toBe('Over 2 turns, context-agent sent 50 % of what full-history sends.');
  // Nor does it have those that are behind compared over other turns than the rest.
  const behind = [
    row(1, { 'context-agent': 10, 'full-history': 10, truncation: 10 }),
    row(2, { 'context-agent': 10, 'full-history': 40 }),
  ];
  expect(resultWords(behind, [...NAMES, 'truncation'], 1)).toBe(
    'Over 1 turn, context-agent sent 100 % of what full-history sends; truncation 100 %.',
  );
});

test('calls are counted over the turns that all have', () => {
  const rows = [
    row(1, { 'context-agent': 10, 'full-history': 10, memtree: 10 }),
    row(2, { 'context-agent': 20, 'full-history': 40, memtree: 10 }),
    row(3, { 'full-history': 900, memtree: 900 }, 70),
  ];
  expect(workWords(rows, NAMES)).toContain('memtree asked a model 4 times');
});

test('what is missing is told of one turn as of several', () => {
  expect([missingWords(1, true), missingWords(3, true)]).toEqual([
    'Stopped: 1 turn is missing.',
    'Stopped: 3 turns are missing.',
  ]);
  expect([missingWords(1, false), missingWords(3, false)]).toEqual([
    '1 turn has yet to be compared.',
    '3 turns have yet to be compared.',
  ]);
});

test('one turn says nothing yet, and none says none', () => {
  const rows = [row(1, { 'context-agent': 10, 'full-history': 10, memtree: 10 })];
  expect(resultWords(rows, NAMES, 0)).toMatch(/^With only one turn so far/);
  // Where more turns are there, it is one of them.
  const ofMore = 'Over 1 turn, context-agent sent 100 % of what full-history sends; memtree 100 %.';
  expect(resultWords(rows, NAMES, 399)).toBe(ofMore);
  expect(resultWords([...rows, row(2, { 'full-history': 20 })], NAMES, 0)).toBe(ofMore);
  expect(workWords(rows, NAMES)).toBeNull();
  expect(resultWords([], NAMES, 0)).toBeNull();
});

test('times of the log and times measured now are told apart, and none is told where none was taken', () => {
  const spent = { tokens: 10, calls: 2, read: 5, ms: 0, logged: 40 };
  const titles = (sums: (typeof spent)[]) => measuresOf(sums).map(({ title }) => title);
  expect(titles([spent])).toEqual(['Tokens sent', 'Model calls', 'Tokens read', 'Time, then']);
  expect(titles([spent, { ...spent, ms: 3 }])).toContain('Time, now');
  expect(titles([{ ...spent, logged: 0 }])).toEqual(['Tokens sent', 'Model calls', 'Tokens read']);
  expect(isUntimed('ms', spent)).toBe(true);
  expect(isUntimed('logged', spent)).toBe(false);
  expect(isUntimed('ms', { ...spent, calls: 0 })).toBe(false);
});
