import { expect, test } from 'vitest';
import type { Trees } from '../adapters/models/boosted-trees.ts';
import { scoresBy } from '../adapters/models/tree-scores.ts';
import { meanOf } from './mean-of-models.ts';

/** One tree: below the threshold it scores `low`, else `high`. */
const stump = (threshold: number, low: number, high: number): Trees => ({
  features: ['x'],
  roots: Uint32Array.of(0),
  column: Int16Array.of(0, -1, -1),
  threshold: Float32Array.of(threshold, 0, 0),
  skip: Uint16Array.of(2, 0, 0),
  value: Float32Array.of(0, low, high),
});

test('scores are the mean of the models’ scores', () => {
  const mean = meanOf([{ leave: stump(0.5, -1, 1) }, { leave: stump(2, -3, 5) }]).leave as Trees;
  expect([
    ...scoresBy(
      mean,
      [0, 1, 3].map((x) => Float32Array.of(x)),
    ),
  ]).toEqual([-2, -1, 3]);
});
