import { expect, test } from 'vitest';
import { MemoryStateCache, VectorCache } from './memory-access.ts';

const one = { vector: Float32Array.of(1), ms: 1 };

test('what was looked at last stays, and the rest goes one by one', () => {
  const cache = new VectorCache('any', 2);
  cache.set('a', one);
  cache.set('b', one);
  expect(cache.get('a')).toBe(one);
  cache.set('c', one);
  expect(['a', 'b', 'c'].map((text) => cache.get(text) !== undefined)).toEqual([true, false, true]);
});

test('the vectors of the last two embedders stay', () => {
  const states = new MemoryStateCache();
  const first = states.vectorsBy('a');
  const second = states.vectorsBy('b');
  expect(states.vectorsBy('a')).toBe(first);
  states.vectorsBy('c');
  expect(states.vectorsBy('a')).toBe(first);
  expect(states.vectorsBy('b')).not.toBe(second);
});
