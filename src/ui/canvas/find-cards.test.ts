import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cardAt, nearestIds, titleAt } from './find-cards.ts';
import { boxOf, cardOf, idOf, layoutForest } from './forest-layout.ts';
import { ROW_GAP } from './measures.ts';
import { madeUpForest } from './testing/small-forest.ts';

const forest = madeUpForest(200, 5);
const layout = layoutForest(forest, null);
const boxes = Object.values(forest.nodes).map((node) => {
  const card = cardOf(layout, node);
  if (card === null) throw new Error(`turn ${node.number} has no card`);
  return { id: node.id, ...boxOf(card) };
});

describe('cardAt', () => {
  test('finds every card at its middle', () => {
    for (const { id, x, y, width, height } of boxes) {
      const found = cardAt(layout, x + width / 2, y + height / 2);
      expect(found === null ? null : idOf(found)).toBe(id);
    }
  });
  test('finds none between the rows, and the nearest within the slack', () => {
    const { id, x, y, width } = boxes[0] as (typeof boxes)[number];
    expect(cardAt(layout, x + width / 2, y - 5)).toBeNull();
    const found = cardAt(layout, x + width / 2, y - 5, ROW_GAP / 2);
    expect(found === null ? null : idOf(found)).toBe(id);
  });
});

test('titleAt finds the topic whose title stands there', () => {
  const { x, y, tree, treeId } = layout.trees[1] as (typeof layout.trees)[number];
  expect(titleAt(layout, x + (tree.xs[0] ?? 0) + 10, y - 10)?.treeId).toBe(treeId);
  expect(titleAt(layout, x + (tree.xs[0] ?? 0) + 10, y + 10)).toBeNull();
});

test('nearestIds finds what a look at every card finds', () => {
  const within = fc.record({
    x: fc.integer({ min: -500, max: Math.ceil(layout.width) }),
    y: fc.integer({ min: -500, max: Math.ceil(layout.height) }),
    width: fc.integer({ min: 1, max: 4000 }),
    height: fc.integer({ min: 1, max: 4000 }),
  });
  fc.assert(
    fc.property(within, (rect) => {
      const expected = boxes.filter(
        ({ x, y, width, height }) =>
          x <= rect.x + rect.width && x + width >= rect.x && y <= rect.y + rect.height && y + height >= rect.y,
      );
      const found = nearestIds(layout, rect, Number.POSITIVE_INFINITY);
      expect(found.toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
      expect(nearestIds(layout, rect, 5)).toEqual(found.slice(0, 5));
    }),
  );
});
