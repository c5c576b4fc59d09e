import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boxOf, cardOf, layoutForest } from './forest-layout.ts';
import { TITLE_HEIGHT } from './measures.ts';
import { madeUpForest, smallForest } from './testing/small-forest.ts';

describe('layoutForest', () => {
  test('every turn has a card, and no two topics overlap', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), fc.integer(), (turns, seed) => {
        const forest = madeUpForest(turns, seed);
        const layout = layoutForest(forest, null);
        expect(layout.turns).toBe(turns);
        for (const node of Object.values(forest.nodes)) expect(cardOf(layout, node)).not.toBeNull();
        for (const [at, one] of layout.trees.entries()) {
          for (const other of layout.trees.slice(at + 1)) {
            const beside = one.x + one.tree.width <= other.x || other.x + other.tree.width <= one.x;
            const above =
              one.y + one.tree.height <= other.y - TITLE_HEIGHT || other.y + other.tree.height <= one.y - TITLE_HEIGHT;
            expect(beside || above).toBe(true);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  test('is the same object while the shape is the same', () => {
    const layout = layoutForest(madeUpForest(60, 1), null);
    expect(layoutForest(madeUpForest(60, 1), layout)).toBe(layout);
  });

  test('lays only the topic out again that grew, and leaves the cards before it in place', () => {
    const before = layoutForest(smallForest({ a: null, b: null, b1: 'b', c: null }), null);
    const after = smallForest({ a: null, b: null, b1: 'b', c: null, b2: 'b1' });
    const layout = layoutForest(after, before);
    expect(layout.placeOf.get('a')).toBe(before.placeOf.get('a'));
    expect(layout.placeOf.get('c')).toBe(before.placeOf.get('c'));
    expect(layout.placeOf.get('b')?.tree.ids).toEqual(['b', 'b1', 'b2']);
  });

  test('equals the layout made from nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), fc.integer(), (turns, seed) => {
        const before = layoutForest(madeUpForest(turns, seed), null);
        const forest = madeUpForest(turns + 3, seed);
        const grown = layoutForest(forest, before);
        const anew = layoutForest(forest, null);
        for (const node of Object.values(forest.nodes)) {
          const [one, other] = [cardOf(grown, node), cardOf(anew, node)];
          if (one === null || other === null) throw new Error(`turn ${node.number} has no card`);
          expect(boxOf(one)).toEqual(boxOf(other));
        }
      }),
      { numRuns: 40 },
    );
  });

  test('three hundred topics look like a forest, not a thread', () => {
    const { width, height } = layoutForest(madeUpForest(3_000, 1), null);
    expect(width / height).toBeGreaterThan(1);
    expect(width / height).toBeLessThan(2.5);
  });
});
