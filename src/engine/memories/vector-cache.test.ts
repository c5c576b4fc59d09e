import { expect, test } from 'vitest';
import { VectorCache } from './memory-access.ts';

const one = { vector: Float32Array.of(1), ms: 1 };

test('what was looked at last stays, and the rest goes one by one', () => {
  const cache = new VectorCache('any', 2);
  cache.set('a', one);
  cache.set('b', one);
  expect(cache.get('a')).toBe(one);
  cache.set('c', one);
  expect(['a', 'b', 'c'].map((text) => cache.get(text) !== undefined)).toEqual([true, false, true]);
});
