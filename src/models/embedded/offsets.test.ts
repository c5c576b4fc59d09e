import { expect, test } from 'vitest';
import { type Offsets, withLessons } from './offsets.ts';

const choices = [
  { action: 'continue-topic', target: 't1' },
  { action: 'create-topic', target: null },
] as const;
const offsets = (...values: number[]): Offsets => ({
  values,
  reasons: (chosen, against) => [{ text: `${chosen} over ${against}`, weight: 1 }],
});

test('lessons multiply the odds, and a changed answer says what it would have been', () => {
  const { all, trace } = withLessons(choices, [0.8, 0.2], offsets(0, Math.log(16)));
  expect(all[0]).toBeCloseTo(0.2);
  expect(all[1]).toBeCloseTo(0.8);
  expect(trace.personal).toEqual({
    without: { action: 'continue-topic', target: 't1', confidence: 0.8 },
    reasons: [{ text: '1 over 0', weight: 1 }],
  });
});

test('an answer that stays says how sure it would have been, and nothing where next to nothing changed', () => {
  expect(withLessons(choices, [0.8, 0.2], offsets(1, 0)).trace.personal?.without).toMatchObject({ confidence: 0.8 });
  expect(withLessons(choices, [0.8, 0.2], offsets(0.01, 0)).trace).toEqual({});
});

test('of a branch, the turn is named that the answer would have been about', () => {
  const places = [
    { action: 'continue-branch', point: null },
    { action: 'create-branch', point: 'n3' },
    { action: 'create-branch', point: 'n5' },
  ] as const;
  const { personal } = withLessons(places, [0.2, 0.5, 0.3], offsets(0, 0, 2)).trace;
  expect(personal?.without).toEqual({ action: 'create-branch', target: 'n3', confidence: 0.5 });
});

test('without lessons everything is as it was', () => {
  const before = [0.8, 0.2];
  for (const none of [null, undefined]) expect(withLessons(choices, before, none)).toEqual({ all: before, trace: {} });
});
