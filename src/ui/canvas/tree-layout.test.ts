import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Forest } from '../../domain/forest.ts';
import { treesOf } from '../../domain/queries.ts';
import { CARD, ROW_GAP, SIBLING_GAP } from './measures.ts';
import { madeUpForest, smallForest } from './testing/small-forest.ts';
import { hasShape, layoutTree } from './tree-layout.ts';

const arbitrary = fc.tuple(fc.integer({ min: 1, max: 150 }), fc.integer());
const treesIn = ([turns, seed]: [number, number]): [Forest, string][] => {
  const forest = madeUpForest(turns, seed);
  return treesOf(forest).map((tree) => [forest, tree.rootId]);
};

describe('layoutTree', () => {
  test('no two cards touch, and none leaves the tree', () => {
    fc.assert(
      fc.property(arbitrary, (of) => {
        for (const [forest, rootId] of treesIn(of)) {
          const { ids, xs, ys, width, height } = layoutTree(forest, rootId);
          const rows = new Map<number, number[]>();
          for (let at = 0; at < ids.length; at++) {
            const [x, y] = [xs[at] as number, ys[at] as number];
            expect(x >= 0 && x + CARD.width <= width + 0.001 && y >= 0 && y + CARD.height <= height).toBe(true);
            rows.set(y, [...(rows.get(y) ?? []), x]);
          }
          for (const row of rows.values()) {
            const sorted = row.sort((a, b) => a - b);
            for (let at = 1; at < sorted.length; at++) {
              expect((sorted[at] as number) - (sorted[at - 1] as number)).toBeGreaterThanOrEqual(
                CARD.width + SIBLING_GAP - 0.001,
              );
            }
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  test('children stand in the row under their parent, in order of time, and the parent over their middle', () => {
    fc.assert(
      fc.property(arbitrary, (of) => {
        for (const [forest, rootId] of treesIn(of)) {
          const { ids, parents, children, xs, ys, indexOf } = layoutTree(forest, rootId);
          for (let at = 0; at < ids.length; at++) {
            const own = (children[at] ?? []).map((id) => indexOf.get(id) as number);
            for (const child of own) {
              expect(parents[child]).toBe(at);
              expect(ys[child]).toBe((ys[at] as number) + CARD.height + ROW_GAP);
            }
            const across = own.map((child) => xs[child] as number);
            expect(across).toEqual([...across].sort((a, b) => a - b));
            if (own.length > 0) {
              expect(xs[at]).toBeCloseTo(((across[0] as number) + (across.at(-1) as number)) / 2, 3);
            }
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  test('runs cover every card once', () => {
    fc.assert(
      fc.property(arbitrary, (of) => {
        for (const [forest, rootId] of treesIn(of)) {
          const { ids, runs, ys } = layoutTree(forest, rootId);
          const pitch = CARD.height + ROW_GAP;
          const covered = runs.map(([head, tip]) => ((ys[tip] as number) - (ys[head] as number)) / pitch + 1);
          expect(covered.reduce((sum, count) => sum + count, 0)).toBe(ids.length);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('a chain of twenty thousand turns is laid out', () => {
    const ids = Array.from({ length: 20_000 }, (_, at) => `n${at}`);
    const children = Object.fromEntries(ids.slice(1).map((id, at) => [`n${at}`, [id]]));
    const layout = layoutTree({ children } as unknown as Forest, 'n0');
    expect(layout.ids).toHaveLength(20_000);
    expect(layout.width).toBe(CARD.width);
    expect(layout.runs).toEqual([[0, 19_999]]);
  });
});

describe('hasShape', () => {
  const before = smallForest({ a: null, b: 'a', c: 'b' });
  const layout = layoutTree(before, 'a');

  test('holds for the same shape made anew', () => {
    expect(hasShape(smallForest({ a: null, b: 'a', c: 'b' }), 'a', layout)).toBe(true);
  });
  test('does not hold once a turn is added, gone or moved', () => {
    expect(hasShape(smallForest({ a: null, b: 'a', c: 'b', d: 'c' }), 'a', layout)).toBe(false);
    expect(hasShape(smallForest({ a: null, b: 'a' }), 'a', layout)).toBe(false);
    expect(hasShape(smallForest({ a: null, b: 'a', c: 'a' }), 'a', layout)).toBe(false);
  });
});
