import { expect, test } from 'vitest';
import { sampled } from './sampling.ts';

const logits = Float32Array.of(1, 3, 2, -5);
const any = { temperature: 1, topP: 1, topK: 0 };
/** Every token that comes up as the random number goes from 0 to 1. */
const all = (sampling: typeof any, allowed: number[] | null = null): number[] => [
  ...new Set(Array.from({ length: 1000 }, (_, i) => sampled(logits, sampling, allowed, () => i / 1000))),
];

test('at temperature 0 it is the likeliest, whatever chance says', () => {
  expect(all({ ...any, temperature: 0 })).toEqual([1]);
});

test('the likelier come up more often, all may', () => {
  expect(all({ ...any, temperature: 5 })).toEqual([1, 2, 0, 3]);
  const drawn = Array.from({ length: 1000 }, (_, i) => sampled(logits, any, null, () => i / 1000));
  expect(drawn.filter((id) => id === 1).length).toBeGreaterThan(600);
});

test('top-p and top-k leave out the unlikely', () => {
  // Of 1, 3 and 2, the most likely has 0.66 and the second 0.24.
  expect(all({ ...any, topP: 0.5 })).toEqual([1]);
  expect(all({ ...any, topP: 0.8 })).toEqual([1, 2]);
  expect(all({ ...any, topK: 2 })).toEqual([1, 2]);
  expect(all({ ...any, topP: 0 })).toEqual([1]);
});

test('only what is allowed comes up', () => {
  expect(all({ ...any, temperature: 0 }, [0, 3])).toEqual([0]);
  expect(all({ ...any, temperature: 5 }, [0, 3])).toEqual([0, 3]);
});

test('what is no number is not believed', () => {
  expect(() => sampled(Float32Array.of(1, Number.NaN), any, null, () => 0)).toThrow('no numbers');
  expect(() => sampled(logits, any, [], () => 0)).toThrow('no numbers');
});
