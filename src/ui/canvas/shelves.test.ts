import { describe, expect, test } from 'vitest';
import { packShelves } from './shelves.ts';

const boxes = (count: number, width = 200, height = 400) => Array.from({ length: count }, () => ({ width, height }));

describe('packShelves', () => {
  test('puts a few boxes in one row, in order', () => {
    expect(packShelves(boxes(3), 40, 80)).toEqual({
      places: [
        { x: 0, y: 0 },
        { x: 240, y: 0 },
        { x: 480, y: 0 },
      ],
      width: 680,
      height: 400,
    });
  });
  test('starts new rows where there are many, under the tallest of the row before', () => {
    const { places, height } = packShelves([{ width: 200, height: 900 }, ...boxes(99)], 40, 80);
    const second = places.find(({ y }) => y > 0);
    expect(second).toEqual({ x: 0, y: 980 });
    expect(height).toBeGreaterThan(980);
  });
  test('adding one box to many moves no other, nearly always', () => {
    let moved = 0;
    for (let count = 20; count < 200; count++) {
      const before = packShelves(boxes(count), 40, 80).places;
      const after = packShelves(boxes(count + 1), 40, 80).places;
      if (before.some(({ x, y }, at) => after[at]?.x !== x || after[at]?.y !== y)) moved++;
    }
    expect(moved).toBeLessThan(8);
  });
  test('nothing takes no room', () => {
    expect(packShelves([], 40, 80)).toMatchObject({ places: [], width: 0, height: 0 });
  });
});
