import { expect, test } from 'vitest';
import { threadsFor } from './runtime.ts';

test('threads leave one processor to the page, and are one without isolation', () => {
  expect([1, 2, 4, 8, 16, 32].map((processors) => threadsFor(processors, true))).toEqual([1, 1, 2, 4, 8, 8]);
  expect(threadsFor(16, false)).toBe(1);
});
