import { expect, test } from 'vitest';
import { ranges } from './context-text.ts';

test('runs of numbers are drawn together', () => {
  expect(ranges([4, 5, 6, 9])).toBe('4–6, 9');
  expect(ranges([1, 2, 7])).toBe('1, 2, 7');
  expect(ranges([])).toBe('');
});
