import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

test('a change right after another is hasty', () => {
  const paceOf = createPace();
  expect([0, 100, 200, 1000, 1020].map((now) => paceOf(7, false, now))).toEqual([
    'calm',
    'hasty',
    'hasty',
    'calm',
    'hasty',
  ]);
});

test('a leap through time is one however long the last took, a step is not', () => {
  const paceOf = createPace();
  paceOf(20, true, 0);
  expect(paceOf(19, true, 1000)).toBe('calm');
  expect(paceOf(60, true, 2000)).toBe('leap');
  expect(paceOf(10, true, 2010)).toBe('leap');
});

test('what an edit takes away or brings back, many turns or few, may be followed', () => {
  const paceOf = createPace();
  paceOf(20, false, 0);
  expect(paceOf(5, false, 1000)).toBe('calm');
  expect(paceOf(20, false, 2000)).toBe('calm');
});
