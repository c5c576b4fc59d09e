import { expect, test } from 'vitest';
import { vectorProblem } from './transformers-runtime.ts';

const unit = (...values: number[]): Float32Array => {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
};
const good = [unit(1, 0.1, 0), unit(1, 0.2, 0), unit(0, 0.1, 1), unit(0, 1, 0.2)];

test('vectors that are as they should be are believed', () => {
  expect(vectorProblem(good, null)).toBeNull();
  expect(vectorProblem(good, good)).toBeNull();
  expect(
    vectorProblem(
      good,
      good.map((vector) => vector.slice(0, 2)),
    ),
  ).toBeNull();
});

test.each([
  ['no numbers', good.with(2, Float32Array.of(Number.NaN, 0, 1))],
  ['no length', good.with(1, new Float32Array(3))],
  ['less alike', good.with(1, unit(0, 0, 1))],
  ['too few', good.slice(1)],
])('vectors of which it is true that they are %s are not', (words, vectors) => {
  expect(vectorProblem(vectors, null)).toContain(words);
});

test('other vectors than the reference’s are not', () => {
  const turned = good.map(([x = 0, y = 0, z = 0]) => unit(-y, x, z));
  expect(vectorProblem(turned, good)).toContain('cosine');
});
