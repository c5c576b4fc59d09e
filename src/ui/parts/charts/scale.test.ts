import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bins, linear, meanOfKnown, ticks, turnTicks } from './scale.ts';

test('ticks are round, begin at nothing and reach over the largest', () => {
  expect(ticks(1)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(ticks(2980)).toEqual([0, 1000, 2000, 3000]);
  expect(ticks(0)).toEqual([0, 1]);
  fc.assert(
    fc.property(fc.double({ min: 1e-3, max: 1e7, noNaN: true }), (most) => {
      const all = ticks(most);
      expect(all.at(-1)).toBeGreaterThanOrEqual(most * 0.999);
      expect(all.length).toBeLessThanOrEqual(7);
    }),
  );
});

const labelled = (numbers: readonly number[], width: number) =>
  turnTicks(numbers, width).map((index) => numbers[index]);

test('an axis names its first and last turn, and round ones between', () => {
  expect(turnTicks([1], 500)).toEqual([0]);
  expect(turnTicks([], 500)).toEqual([]);
  const numbers = Array.from({ length: 200 }, (_, i) => i + 1);
  expect(labelled(numbers, 500)).toEqual([1, 50, 100, 150, 200]);
  expect(labelled(numbers.slice(19), 500)).toEqual([20, 50, 100, 150, 200]);
});

test('where numbers are missing, an axis names turns that are there, where they are', () => {
  const numbers = [1, 2, 3, 100, 101, 102];
  expect(turnTicks(numbers, 1000)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(turnTicks(numbers, 300)).toEqual([0, 1, 3, 5]);
});

test('bins hold every value once, in order', () => {
  fc.assert(
    fc.property(fc.nat({ max: 500 }), fc.integer({ min: 1, max: 200 }), (count, most) => {
      const all = bins(count, most);
      expect(all.length).toBe(Math.min(count, most));
      const seen = all.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, i) => from + i));
      expect(seen).toEqual(Array.from({ length: count }, (_, i) => i));
    }),
  );
});

test('one value stands in the middle', () => {
  expect(linear([1, 1], [0, 100])(1)).toBe(50);
  expect(linear([0, 10], [100, 0])(5)).toBe(50);
});

test('means are of what is known', () => {
  expect(meanOfKnown([1, null, 3])).toBe(2);
  expect(meanOfKnown([null])).toBeNull();
});

test('between few turns there are no halves', () => {
  expect(labelled([1, 2, 3, 4], 1000)).toEqual([1, 2, 3, 4]);
  expect(labelled([1, 2], 1000)).toEqual([1, 2]);
});
