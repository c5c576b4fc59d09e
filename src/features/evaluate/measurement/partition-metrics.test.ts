import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { agreement } from './partition-metrics.ts';

test('groups under other names agree wholly', () => {
  const { vMeasure, pairs } = agreement([0, 0, 1, 1, 1], [7, 7, 3, 3, 3]);
  expect(vMeasure).toBeCloseTo(1);
  expect(pairs).toEqual({ both: 4, found: 4, right: 4 });
});

test('all in one group is complete and not homogeneous', () => {
  expect(agreement([0, 0, 1, 1], [0, 0, 0, 0])).toEqual({ vMeasure: 0, pairs: { both: 2, found: 6, right: 2 } });
});

test('one group where there is one agrees wholly, and one split in two not at all', () => {
  expect(agreement([0, 0], [4, 4]).vMeasure).toBe(1);
  expect(agreement([0, 0, 0, 0], [0, 0, 1, 1]).vMeasure).toBe(0);
});

test('a hand-made case: one of six items in the wrong group', () => {
  // Homogeneity and completeness from the entropies in bits: H(right) 1, H(found) 0.9183, H(both) 1.4591.
  const { vMeasure, pairs } = agreement([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]);
  const shared = 1 + 0.9183 - 1.4591;
  expect(vMeasure).toBeCloseTo((2 * shared) / (1 + 0.9183), 3);
  expect(pairs).toEqual({ both: 4, found: 7, right: 6 });
});

test('agreement is between 0 and 1, and the same both ways round', () => {
  const groups = fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(groups, (items) => {
      const right = items.map(([group]) => group);
      const found = items.map(([, group]) => group);
      const { vMeasure } = agreement(right, found);
      expect(vMeasure).toBeGreaterThanOrEqual(0);
      expect(vMeasure).toBeLessThanOrEqual(1 + 1e-9);
      expect(agreement(found, right).vMeasure).toBeCloseTo(vMeasure, 9);
    }),
  );
});
