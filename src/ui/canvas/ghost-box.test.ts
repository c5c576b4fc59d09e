import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Target } from '../../domain/decision.ts';
import type { PendingTurn } from '../../domain/forest.ts';
import { nearestIds } from './find-cards.ts';
import { boxOf, cardOf, layoutForest } from './forest-layout.ts';
import { ghostOf } from './ghost-box.ts';
import { madeUpForest, smallForest } from './testing/small-forest.ts';

const waiting = (target: Target | null): PendingTurn => ({
  id: 'x',
  number: 9,
  message: 'Well?',
  at: 0,
  step: 's',
  given: null,
  target,
});

describe('ghostOf', () => {
  test('waits right under an active tip', () => {
    const forest = smallForest({ a: null, b: 'a' });
    const layout = layoutForest(forest, null);
    const tip = cardOf(layout, forest.nodes.b);
    if (tip === null) throw new Error('the tip has no card');
    const { box, from } = ghostOf(forest, layout, waiting(null));
    expect(from).toEqual(boxOf(tip));
    expect(box.x).toBe(boxOf(tip).x);
    expect(box.y).toBeGreaterThan(boxOf(tip).y);
  });
  test('waits beside the last topic where it is to open one', () => {
    const forest = smallForest({ a: null, b: 'a' });
    const layout = layoutForest(forest, null);
    const { box, from } = ghostOf(forest, layout, waiting({ kind: 'new-topic' }));
    expect(from).toBeNull();
    expect(box.x).toBeGreaterThan(layout.width);
  });
  test('has a place in an empty forest', () => {
    const forest = smallForest({});
    expect(ghostOf(forest, layoutForest(forest, null), waiting(null)).from).toBeNull();
  });
  test('never lies on a card', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer(), fc.nat(), (turns, seed, at) => {
        const forest = madeUpForest(turns, seed);
        const layout = layoutForest(forest, null);
        const { box } = ghostOf(forest, layout, waiting({ kind: 'under', nodeId: `n${(at % turns) + 1}` }));
        expect(nearestIds(layout, box, 1)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
