import { describe, expect, test } from 'vitest';
import { boxOf, cardOf, type ForestLayout, layoutForest } from './forest-layout.ts';
import { smallForest } from './testing/small-forest.ts';

const wide = { a: null, a1: 'a', a2: 'a', a3: 'a', b: null, b1: 'b', c: null };
const forest = smallForest(wide);

const placesOf = (layout: ForestLayout, of: Record<string, string | null>) => {
  const { nodes } = smallForest(of);
  return Object.fromEntries(
    Object.values(nodes).map((node) => {
      const card = cardOf(layout, node);
      return [node.id, card === null ? null : boxOf(card)];
    }),
  );
};

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
