import type { NodeId } from '../../domain/forest.ts';
import { type CardRef, type ForestLayout, idOf, type PlacedTree } from './forest-layout.ts';

export type Direction = 'up' | 'down' | 'left' | 'right' | 'root' | 'tip';

/**
 * The card one step away, or null at the edge. Up and down follow the tree; left and right go to
 * the next card of the same row, and on to the neighbouring topic where the row ends.
 */
export const moveSelection = (layout: ForestLayout, from: CardRef, direction: Direction): NodeId | null => {
  const { placed, index } = from;
  const { tree } = placed;
  switch (direction) {
    case 'up':
      return tree.ids[tree.parents[index] as number] ?? null;
    case 'down':
      return tree.children[index]?.[0] ?? null;
    case 'root':
      return index === 0 ? null : (tree.ids[0] ?? null);
    case 'tip': {
      let id = tree.children[index]?.[0] ?? null;
      for (let next = id; next !== null; next = tree.children[tree.indexOf.get(next) as number]?.[0] ?? null) id = next;
      return id;
    }
    case 'left':
    case 'right': {
      const sign = direction === 'left' ? -1 : 1;
      const here = x(placed, index);
      const inRow = row(placed, tree.ys[index] as number).filter((at) => sign * (x(placed, at) - here) > 0);
      if (inRow.length > 0) return idOf({ placed, index: least(inRow, (at) => sign * x(placed, at)) });
      const neighbour = layout.trees[layout.trees.indexOf(placed) + sign];
      if (neighbour === undefined) return null;
      const entry = row(neighbour, Math.min(tree.ys[index] as number, deepest(neighbour)));
      return idOf({ placed: neighbour, index: least(entry, (at) => sign * x(neighbour, at)) });
    }
  }
};

const x = ({ x, tree }: PlacedTree, index: number): number => x + (tree.xs[index] as number);

const deepest = ({ tree }: PlacedTree): number => tree.ys.reduce((max, y) => Math.max(max, y), 0);

const row = ({ tree }: PlacedTree, y: number): number[] => {
  const found: number[] = [];
  for (let at = 0; at < tree.ys.length; at++) if (tree.ys[at] === y) found.push(at);
  return found;
};

const least = (indices: readonly number[], measure: (index: number) => number): number =>
  indices.reduce((best, index) => (measure(index) < measure(best) ? index : best));
