import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEntries, frozen } from '../../domain/apply.ts';
import { emptyForest, type Forest } from '../../domain/forest.ts';
import { treesOf } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { Life, lives } from '../../domain/testing/random-life.ts';
import { UNFOLDED } from './folding.ts';
import { CARD, ROW_GAP, SIBLING_GAP, TITLE_HEIGHT } from './geometry.ts';
import {
  boxOf,
  cardOf,
  type ForestLayout,
  hasShape,
  layingOut,
  layoutForest,
  layoutTree,
  newIn,
  packBoxes,
  packShelves,
} from './layout.ts';
import { madeUpForest, smallForest } from './testing/small-forest.ts';

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

describe('layoutForest', () => {
  test('a large forest is laid out in many parts, and comes to the same', () => {
    const forest = madeUpForest(5_000, 1);
    const work = layingOut(forest, null, UNFOLDED);
    let parts = 1;
    let step = work.next();
    for (; !step.done; step = work.next()) parts += 1;
    expect(parts).toBeGreaterThan(3);
    const boxes = ({ trees }: ForestLayout) => trees.map(({ x, y, tree }) => ({ x, y, ids: tree.ids, xs: tree.xs }));
    expect(boxes(step.value)).toEqual(boxes(layoutForest(forest, null)));
  });

  test('every turn has a card, and no two topics overlap', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), fc.integer(), (turns, seed) => {
        const forest = madeUpForest(turns, seed);
        const layout = layoutForest(forest, null);
        expect(layout.turns).toBe(turns);
        for (const node of recordsOf(forest.nodes)) expect(cardOf(layout, node)).not.toBeNull();
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

  test('equals the layout made from nothing where no topic grew narrower', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), fc.integer(), (turns, seed) => {
        const before = layoutForest(madeUpForest(turns, seed), null);
        const forest = madeUpForest(turns + 3, seed);
        const grown = layoutForest(forest, before);
        const anew = layoutForest(forest, null);
        fc.pre(before.trees.every(({ treeId, tree }) => tree.width <= (grown.placeOf.get(treeId)?.tree.width ?? 0)));
        for (const node of recordsOf(forest.nodes)) {
          const [one, other] = [cardOf(grown, node), cardOf(anew, node)];
          if (one === null || other === null) throw new Error(`turn ${node.number} has no card`);
          expect(boxOf(one)).toEqual(boxOf(other));
        }
      }),
      { numRuns: 40 },
    );
  });

  test('has every topic in the shape that it would have if it were laid out anew, whatever happened since', () => {
    fc.assert(
      fc.property(lives, (moves) => {
        const life = new Life();
        for (const move of moves) life.live(move);
        let forest = frozen(emptyForest());
        let layout = layoutForest(forest, null);
        for (const entry of life.entries) {
          forest = applyEntries(forest, [entry]);
          layout = layoutForest(forest, layout);
          const trees = treesOf(forest);
          expect(layout.trees.map(({ treeId }) => treeId)).toEqual(trees.map(({ id }) => id));
          for (const { id, rootId } of trees) {
            expect(layout.placeOf.get(id)?.tree.ids).toEqual(layoutTree(forest, rootId).ids);
            expect(layout.placeOf.get(id)?.tree.xs).toEqual(layoutTree(forest, rootId).xs);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test('three hundred topics look like a forest, not a thread', () => {
    const { width, height } = layoutForest(madeUpForest(3_000, 1), null);
    expect(width / height).toBeGreaterThan(1);
    expect(width / height).toBeLessThan(2.5);
  });
});

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
  test('takes the first width that gives the whole its aspect ratio', () => {
    const arbitrary = fc.record({
      width: fc.integer({ min: 1, max: 3_000 }),
      height: fc.integer({ min: 1, max: 4_000 }),
    });
    fc.assert(
      fc.property(fc.array(arbitrary, { maxLength: 200 }), (all) => {
        let limit = 2_000;
        const total = all.reduce((sum, { width }) => sum + width + 40, -40);
        while (limit < total && packBoxes(all, limit, 40, 80).height * 1.4 > limit) limit *= 1.25;
        expect(packShelves(all, 40, 80)).toEqual(packBoxes(all, limit, 40, 80));
      }),
    );
  });
  test('nothing takes no room', () => {
    expect(packShelves([], 40, 80)).toMatchObject({ places: [], width: 0, height: 0 });
  });
});

const wide = { a: null, a1: 'a', a2: 'a', a3: 'a', b: null, b1: 'b', c: null };
const forest = smallForest(wide);

const placesOf = (layout: ForestLayout, of: Record<string, string | null>) => {
  const { nodes } = smallForest(of);
  return Object.fromEntries(
    recordsOf(nodes).map((node) => {
      const card = cardOf(layout, node);
      return [node.id, card === null ? null : boxOf(card)];
    }),
  );
};

describe('the new turns of a layout', () => {
  test('are those that no topic had before', () => {
    const grown = layoutForest(smallForest({ ...wide, b2: 'b1', d: null }), layoutForest(forest, null));
    expect(newIn(grown, layoutForest(forest, null))).toEqual(new Set(['b2', 'd']));
    const moved = layoutForest(smallForest({ a: null, a1: 'a', b: null, b1: 'b', a2: 'b1', a3: 'a2', c: null }), null);
    expect(newIn(moved, layoutForest(forest, null))).toEqual(new Set());
  });

  test('are looked up in other topics, the rest of their topic is not', () => {
    const before = layoutForest(forest, null);
    const asked: string[] = [];
    const trees = before.trees.map((placed) => {
      const { indexOf } = placed.tree;
      const has = (id: string) => {
        if (placed.treeId !== 'b') asked.push(id);
        return indexOf.has(id);
      };
      return { ...placed, tree: { ...placed.tree, indexOf: { has } as typeof indexOf } };
    });
    const spied = { ...before, trees, placeOf: new Map(trees.map((placed) => [placed.treeId, placed])) };
    const unchanged = new Map(['a', 'c'].map((id) => [id, spied.placeOf.get(id)]));
    const grown = layoutForest(smallForest({ ...wide, b2: 'b1' }), before);
    const after = { ...grown, trees: grown.trees.map((placed) => unchanged.get(placed.treeId) ?? placed) };
    expect(newIn(after, spied)).toEqual(new Set(['b2']));
    expect(asked).toEqual(['b2', 'b2']);
  });
});

describe('a layout after an edit', () => {
  const before = layoutForest(forest, null);
  const places = placesOf(before, wide);

  test('leaves the other topics in place when one grows narrower, and most of its own cards', () => {
    const less = { a: null, a2: 'a', a3: 'a', b: null, b1: 'b', c: null };
    const after = placesOf(layoutForest(smallForest(less), before), less);
    for (const id of ['a2', 'a3', 'b', 'b1', 'c']) expect(after[id]).toEqual(places[id]);
  });

  test('leaves the others in place when a topic goes, and undo brings it back to its place', () => {
    const { b, b1, ...others } = forest.nodes;
    const { b: tree, ...trees } = forest.trees;
    const without = layoutForest({ ...forest, nodes: others, trees, children: { a: forest.children.a ?? [] } }, before);
    const after = placesOf(without, wide);
    for (const id of ['a', 'a1', 'c']) expect(after[id]).toEqual(places[id]);
    expect(after.b).toBeNull();
    expect(tree).toBeDefined();
    expect(placesOf(layoutForest(forest, without), wide)).toEqual(places);
  });

  test('packs anew where most of the ground would stand empty', () => {
    const folding = { collapsed: new Set(['a']), near: null };
    const folded = layoutForest(forest, before, folding);
    expect(folded.width).toBeLessThan(before.width);
  });
});
