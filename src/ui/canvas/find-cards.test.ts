import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recordsOf } from '../../domain/table.ts';
import { cardAt, type Direction, moveSelection, nearestIds, titleAt, treesIn } from './find-cards.ts';
import { ROW_GAP, TITLE_HEIGHT } from './geometry.ts';
import { boxOf, cardNodeId, cardOf, layoutForest } from './layout.ts';
import { madeUpForest, smallForest } from './testing/small-forest.ts';

const wood = madeUpForest(200, 5);
const woodLayout = layoutForest(wood, null);
const boxes = recordsOf(wood.nodes).map((node) => {
  const card = cardOf(woodLayout, node);
  if (card === null) throw new Error(`turn ${node.number} has no card`);
  return { id: node.id, ...boxOf(card) };
});

describe('cardAt', () => {
  test('finds every card at its middle', () => {
    for (const { id, x, y, width, height } of boxes) {
      const found = cardAt(woodLayout, x + width / 2, y + height / 2);
      expect(found === null ? null : cardNodeId(found)).toBe(id);
    }
  });
  test('finds none between the rows, and the nearest within the slack', () => {
    const { id, x, y, width } = boxes[0] as (typeof boxes)[number];
    expect(cardAt(woodLayout, x + width / 2, y - 5)).toBeNull();
    const found = cardAt(woodLayout, x + width / 2, y - 5, ROW_GAP / 2);
    expect(found === null ? null : cardNodeId(found)).toBe(id);
  });
});

test('titleAt finds the topic whose title stands there', () => {
  const { x, y, tree, treeId } = woodLayout.trees[1] as (typeof woodLayout.trees)[number];
  expect(titleAt(woodLayout, x + (tree.xs[0] ?? 0) + 10, y - 10)?.treeId).toBe(treeId);
  expect(titleAt(woodLayout, x + (tree.xs[0] ?? 0) + 10, y + 10)).toBeNull();
});

test('treesIn finds what a look at every tree finds, also where there are many', () => {
  const layout = layoutForest(madeUpForest(2_500, 5), null);
  expect(layout.trees.length).toBeGreaterThan(100);
  const within = fc.record({
    x: fc.integer({ min: -500, max: Math.ceil(layout.width) }),
    y: fc.integer({ min: -500, max: Math.ceil(layout.height) }),
    width: fc.integer({ min: 1, max: Math.ceil(2 * layout.width) }),
    height: fc.integer({ min: 1, max: Math.ceil(2 * layout.height) }),
  });
  fc.assert(
    fc.property(within, (rect) => {
      const expected = layout.trees.filter(
        ({ x, y, tree }) =>
          x <= rect.x + rect.width &&
          x + tree.width >= rect.x &&
          y - TITLE_HEIGHT <= rect.y + rect.height &&
          y + tree.height >= rect.y,
      );
      expect(treesIn(layout, rect)).toEqual(expected);
    }),
  );
});

test('nearestIds finds what a look at every card finds', () => {
  const within = fc.record({
    x: fc.integer({ min: -500, max: Math.ceil(woodLayout.width) }),
    y: fc.integer({ min: -500, max: Math.ceil(woodLayout.height) }),
    width: fc.integer({ min: 1, max: 4000 }),
    height: fc.integer({ min: 1, max: 4000 }),
  });
  fc.assert(
    fc.property(within, (rect) => {
      const expected = boxes.filter(
        ({ x, y, width, height }) =>
          x <= rect.x + rect.width && x + width >= rect.x && y <= rect.y + rect.height && y + height >= rect.y,
      );
      const found = nearestIds(woodLayout, rect, Number.POSITIVE_INFINITY);
      expect(found.toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
      expect(nearestIds(woodLayout, rect, 5)).toEqual(found.slice(0, 5));
    }),
  );
});

//   a          p
//  b   e       q
//  c   f
//  d
const forest = smallForest({ a: null, b: 'a', c: 'b', d: 'c', e: 'a', f: 'e', p: null, q: 'p' });
const layout = layoutForest(forest, null);
const from = (id: string, direction: Direction): string | null => {
  const card = cardOf(layout, forest.nodes[id]);
  return card === null ? null : moveSelection(layout, card, direction);
};

describe('moveSelection', () => {
  test('goes along the tree', () => {
    expect(from('b', 'up')).toBe('a');
    expect(from('a', 'up')).toBeNull();
    expect(from('a', 'down')).toBe('b');
    expect(from('d', 'down')).toBeNull();
  });
  test('goes to siblings, neighbouring branches and neighbouring topics in the same row', () => {
    expect(from('b', 'right')).toBe('e');
    expect(from('e', 'left')).toBe('b');
    expect(from('c', 'right')).toBe('f');
    expect(from('e', 'right')).toBe('q');
    expect(from('q', 'left')).toBe('e');
    expect(from('a', 'left')).toBeNull();
    expect(from('q', 'right')).toBeNull();
  });
  test('where the next topic is not as deep, goes to its deepest row', () => {
    expect(from('d', 'right')).toBe('q');
  });
  test('goes to the root and to the tip', () => {
    expect(from('f', 'root')).toBe('a');
    expect(from('a', 'root')).toBeNull();
    expect(from('a', 'tip')).toBe('d');
    expect(from('d', 'tip')).toBeNull();
  });

  test('always stays in the forest, and up undoes down', () => {
    const made = madeUpForest(120, 9);
    const its = layoutForest(made, null);
    const direction = fc.constantFrom<Direction>('up', 'down', 'left', 'right', 'root', 'tip');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), direction, (number, way) => {
        const card = cardOf(its, made.nodes[`n${number}`]);
        if (card === null) throw new Error('a turn has no card');
        const next = moveSelection(its, card, way);
        if (next === null) return;
        expect(next).not.toBe(`n${number}`);
        const there = cardOf(its, made.nodes[next]);
        if (there === null) throw new Error('the selection left the forest');
        if (way === 'down') expect(moveSelection(its, there, 'up')).toBe(`n${number}`);
      }),
    );
  });
});
