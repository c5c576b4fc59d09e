import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scaleFor } from './decision-steps.tsx';

test('a bar begins at its left end, or at zero where a value is negative', () => {
  expect(scaleFor([0.2, 0.7]).zero).toBe(0);
  expect(scaleFor([0.2, 0.7]).at(0.7)).toBeCloseTo(70);
  const scale = scaleFor([0.5, -0.25]);
  expect(scale.zero).toBeCloseTo(20);
  expect(scale.at(-0.25)).toBe(0);
  expect(scale.at(1)).toBe(100);
});

test('every place is on the bar, rounding errors included', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -1.1, max: 1.1, noNaN: true })), (values) => {
      const scale = scaleFor(values);
      for (const value of values) {
        expect(scale.at(value)).toBeGreaterThanOrEqual(0);
        expect(scale.at(value)).toBeLessThanOrEqual(100);
      }
    }),
  );
});
