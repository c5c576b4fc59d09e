import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adjustedRand, exactGroups, groupAgreement, keptOneToOne, localPairs, oneMinusVi } from './partitions.ts';

test('groups under other names agree wholly', () => {
  const { vMeasure, pairs } = groupAgreement([0, 0, 1, 1, 1], [7, 7, 3, 3, 3]);
  expect(vMeasure).toBeCloseTo(1);
  expect(pairs).toEqual({ both: 4, found: 4, right: 4 });
});

test('all in one group is complete and not homogeneous', () => {
  expect(groupAgreement([0, 0, 1, 1], [0, 0, 0, 0])).toEqual({ vMeasure: 0, pairs: { both: 2, found: 6, right: 2 } });
});

test('one group where there is one agrees wholly, and one split in two not at all', () => {
  expect(groupAgreement([0, 0], [4, 4]).vMeasure).toBe(1);
  expect(groupAgreement([0, 0, 0, 0], [0, 0, 1, 1]).vMeasure).toBe(0);
});

test('a hand-made case: one of six items in the wrong group', () => {
  // Homogeneity and completeness from the entropies in bits: H(right) 1, H(found) 0.9183, H(both) 1.4591.
  const { vMeasure, pairs } = groupAgreement([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]);
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
      const { vMeasure } = groupAgreement(right, found);
      expect(vMeasure).toBeGreaterThanOrEqual(0);
      expect(vMeasure).toBeLessThanOrEqual(1 + 1e-9);
      expect(groupAgreement(found, right).vMeasure).toBeCloseTo(vMeasure, 9);
    }),
  );
});

describe('threads of eight turns that two people saw, of which one split what the other kept together', () => {
  const [one, other] = [
    ['a', 'a', 'a', 'b', 'b', 'a', 'b', 'a'],
    ['x', 'x', 'x', 'y', 'y', 'z', 'y', 'z'],
  ];
  test('published measures', () => {
    expect(keptOneToOne(one, other) / 8).toBe(0.75);
    expect(oneMinusVi(one, other)).toBeCloseTo(0.7977, 4);
    expect(adjustedRand(one, other)).toBeCloseTo(0.5556, 4);
    const { agreed, all } = localPairs(one, other);
    expect(agreed / all).toBeCloseTo(0.9444, 4);
    expect(exactGroups(one, other)).toEqual({ both: 1, one: 2, other: 3 });
  });
});

test('the adjusted Rand index is undefined where there is nothing to tell apart', () => {
  expect(adjustedRand([0, 0, 0], [1, 1, 1])).toBeNaN();
  expect(adjustedRand([0, 1, 2], [0, 1, 2])).toBeNaN();
  expect(adjustedRand([0, 0, 1], [0, 1, 2])).toBe(0);
});

const partitions = fc
  .array(fc.tuple(fc.nat(4), fc.nat(4)), { minLength: 1, maxLength: 14 })
  .map((items) => [items.map(([group]) => group), items.map(([, group]) => group)] as const);

test('all measures are the same both ways round, and 1 of the same partition under other names', () => {
  fc.assert(
    fc.property(partitions, ([one, other]) => {
      expect(keptOneToOne(one, other)).toBe(keptOneToOne(other, one));
      expect(oneMinusVi(one, other)).toBeCloseTo(oneMinusVi(other, one), 9);
      expect(localPairs(one, other)).toEqual(localPairs(other, one));
      const [there, back] = [adjustedRand(one, other), adjustedRand(other, one)];
      if (Number.isNaN(there)) expect(back).toBeNaN();
      else expect(back).toBeCloseTo(there, 9);
      const renamed = one.map((group) => `group ${9 - group}`);
      expect(keptOneToOne(one, renamed)).toBe(one.length);
      expect(oneMinusVi(one, renamed)).toBeCloseTo(1, 9);
      const { agreed, all } = localPairs(one, renamed);
      expect(agreed).toBe(all);
      const groups = exactGroups(one, renamed);
      expect(groups.both).toBe(groups.one);
    }),
  );
});

test('no other pairing of groups keeps more items', () => {
  const permutations = (items: readonly number[]): number[][] =>
    items.length === 0
      ? [[]]
      : items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
  const pairings = permutations([0, 1, 2, 3, 4]);
  fc.assert(
    fc.property(partitions, ([one, other]) => {
      const kept = pairings.map((pairing) => one.filter((group, at) => pairing[group] === other[at]).length);
      expect(keptOneToOne(one, other)).toBe(Math.max(...kept));
    }),
  );
});
