import { expect, test } from 'vitest';
import { createHaste } from './haste.ts';

test('a change right after another is hasty', () => {
  const inHaste = createHaste();
  expect([0, 100, 200, 1000, 1020].map((now) => inHaste(7, false, now))).toEqual([false, true, true, false, true]);
});

test('a leap through time is hasty however long the last one took, a step is not', () => {
  const inHaste = createHaste();
  inHaste(20, true, 0);
  expect(inHaste(19, true, 1000)).toBe(false);
  expect(inHaste(60, true, 2000)).toBe(true);
  expect(inHaste(10, true, 3000)).toBe(true);
});

test('what an edit takes away or brings back, many turns or few, may be followed', () => {
  const inHaste = createHaste();
  inHaste(20, false, 0);
  expect(inHaste(5, false, 1000)).toBe(false);
  expect(inHaste(20, false, 2000)).toBe(false);
});
