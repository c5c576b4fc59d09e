import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  alphaOf,
  cohen,
  type Distance,
  disagreement,
  type Figure,
  fleiss,
  interval,
  jaccard,
  masi,
  nominal,
  numberOf,
  ordinal,
  type Unit,
} from './agreement.ts';

/** Each person's answers, item by item; `.` is a gap. */
const unitsOf = (...people: readonly string[]): number[][] => {
  const said = people.map((person) => person.split(' '));
  return (said[0] ?? []).map((_, item) => said.flatMap((own) => (own[item] === '.' ? [] : [Number(own[item])])));
};
const krippendorff = <V>(units: readonly Unit<V>[], distance: Distance<V>) => alphaOf(disagreement(units, distance));
const whyNot = (figure: Figure): string => (typeof figure === 'number' ? '' : figure.because);

describe('Cohen’s κ', () => {
  test('worked by hand and published', () => {
    expect(
      cohen([
        [20, 20],
        [10, 50],
      ]),
    ).toBeCloseTo(0.348, 3);
    // 50 items, agreement on 20 + 15: 0.7. The first person says yes to 25, the second to 30: chance 0.5·0.6 + 0.5·0.4 = 0.5.
    expect(
      cohen([
        [20, 5],
        [10, 15],
      ]),
    ).toBeCloseTo((0.7 - 0.5) / 0.5, 12);
  });

  test('is 1 where they always agree, 0 by chance, −1 where they never do', () => {
    expect(cohen([[3, 0], [0, 4]])).toBe(1); // biome-ignore format: a matrix
    expect(cohen([[4, 4], [4, 4]])).toBe(0); // biome-ignore format: a matrix
    expect(cohen([[0, 5], [5, 0]])).toBe(-1); // biome-ignore format: a matrix
  });

  test('is 0 where one always says the same, and undefined where both do', () => {
    expect(cohen([[6, 4], [0, 0]])).toBe(0); // biome-ignore format: a matrix
    expect(whyNot(cohen([[9, 0], [0, 0]]))).toContain('same label'); // biome-ignore format: a matrix
    expect(whyNot(cohen([[0, 0], [0, 0]]))).toContain('nothing'); // biome-ignore format: a matrix
  });
});

test('Fleiss’s κ: fourteen people and ten items, and a small case', () => {
  const table = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
  ];
  expect(fleiss(table)).toBeCloseTo(0.21, 3);
  expect(
    fleiss([
      [7, 1],
      [3, 5],
    ]),
  ).toBeCloseTo(0.1619, 4);
  expect(
    whyNot(
      fleiss([
        [2, 0],
        [1, 2],
      ]),
    ),
  ).toContain('as many people');
  expect(whyNot(fleiss([[0, 3]]))).toContain('same label');
  expect(whyNot(fleiss([]))).toContain('everybody');
});

describe('Krippendorff’s α', () => {
  const three = unitsOf(
    '. . . . . 3 4 1 2 1 1 3 3 . 3',
    '1 . 2 1 3 3 4 3 . . . . . . .',
    '. . 2 1 3 4 4 . 2 1 1 3 3 . 4',
  );
  const four = unitsOf(
    '1 2 3 3 2 1 4 1 2 . . .',
    '1 2 3 3 2 2 4 1 2 5 . 3',
    '. 3 3 3 2 3 4 2 2 5 1 .',
    '1 2 3 3 2 4 4 1 2 5 1 .',
  );

  test('published examples with gaps', () => {
    expect(krippendorff(three, nominal)).toBeCloseTo(0.6914, 4);
    expect(krippendorff(three, interval)).toBeCloseTo(0.8108, 4);
    expect(krippendorff(four, nominal)).toBeCloseTo(0.7434, 4);
    expect(krippendorff(four, ordinal(four))).toBeCloseTo(0.815, 3);
    expect(krippendorff(unitsOf('1 2 3', '1 2 4'), (a, b) => Math.abs(a - b))).toBeCloseTo(0.7619, 4);
  });

  test('is undefined where nothing can be compared, and where there was no choice', () => {
    expect(whyNot(krippendorff(unitsOf('1 .', '. 1'), nominal))).toContain('two people');
    expect(whyNot(krippendorff(unitsOf('1 1', '1 1'), nominal))).toContain('same label');
  });

  test('does not depend on who is who, and is 1 where all agree on more than one value', () => {
    const ratings = fc.array(fc.array(fc.nat(3), { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(ratings, (units) => {
        const turned = units.map((unit) => unit.toReversed());
        for (const distance of [nominal, interval, ordinal(units)]) {
          const figure = krippendorff(units, distance);
          if (typeof figure === 'number') expect(krippendorff(turned, distance)).toBeCloseTo(figure, 9);
          else expect(krippendorff(turned, distance)).toEqual(figure);
        }
        const agreed = units.map((unit) => unit.map(() => unit[0] as number));
        const figure = krippendorff(agreed, nominal);
        if (new Set(agreed.flat()).size > 1) expect(figure).toBe(1);
        else expect(whyNot(figure)).not.toBe('');
      }),
    );
  });
});

test('Cohen’s κ is the same both ways round', () => {
  const square = fc.array(fc.array(fc.nat(9), { minLength: 3, maxLength: 3 }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(square, (matrix) => {
      const turned = matrix.map((_, column) => matrix.map((row) => row[column] ?? 0));
      const [one, other] = [cohen(matrix), cohen(turned)];
      if (typeof one === 'number') expect(numberOf(other)).toBeCloseTo(one, 9);
      else expect(other).toEqual(one);
    }),
  );
});

test('sets: Jaccard and MASI as distances', () => {
  const [two, four] = [new Set([1, 2]), new Set([1, 2, 3, 4])];
  expect(masi(two, four)).toBeCloseTo(0.665, 12);
  expect(jaccard(two, four)).toBe(0.5);
  expect(masi(two, new Set([2, 3]))).toBeCloseTo(1 - 0.33 / 3, 12);
  expect(masi(two, new Set([3]))).toBe(1);
  for (const distance of [masi, jaccard]) {
    expect(distance(two, new Set([2, 1]))).toBe(0);
    expect(distance(new Set(), new Set())).toBe(0);
  }
});

test('however often two values were given, they are compared once across the items', () => {
  const [a, b, c] = [new Set([1, 2]), new Set([2, 3]), new Set([4])];
  const units = Array.from({ length: 50 }, () => [a, b, c]);
  let compared = 0;
  const counting: typeof jaccard = (one, other) => {
    compared += 1;
    return jaccard(one, other);
  };
  const { pairs } = disagreement(units, counting);
  const every = units.flat();
  const each = every.flatMap((one, at) => every.slice(at + 1).map((other) => jaccard(one, other)));
  expect(pairs).toBeCloseTo(
    each.reduce((all, one) => all + one, 0),
    6,
  );
  // Three within each item, and three across all of them.
  expect(compared).toBe(3 * 50 + 3);
});
