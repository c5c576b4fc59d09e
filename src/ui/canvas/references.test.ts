import { expect, test } from 'vitest';
import type { Forest, Node } from '../../domain/forest.ts';
import { layoutForest } from './forest-layout.ts';
import { drawnReferences } from './references.ts';
import { smallForest } from './testing/small-forest.ts';

const plain = smallForest({ r: null, a: 'r', b: 'a', x: null });
const x = { ...(plain.nodes.x as Node), references: [{ to: 'b', as: 'path', by: 'person' }] } as Node;
const forest: Forest = { ...plain, nodes: { ...plain.nodes, x } };
const ends = (collapsed: string[], near: string[] | null = null) =>
  drawnReferences(
    forest,
    layoutForest(forest, null, { collapsed: new Set(collapsed), near: near === null ? null : new Set(near) }),
  ).map(({ from, to }) => [from, to]);

test('a reference goes from card to card, or to the card that its end is folded into', () => {
  expect(ends([])).toEqual([['x', 'b']]);
  expect(ends(['r'])).toEqual([['x', 'r']]);
});

test('nothing is drawn to a topic that is not shown', () => {
  expect(ends([], ['x'])).toEqual([]);
});
