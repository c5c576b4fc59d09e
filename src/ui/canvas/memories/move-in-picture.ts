import { type CardRef, type ForestLayout, idOf, type PlacedTree } from '../forest-layout.ts';
import { type Direction, moveSelection } from '../move-selection.ts';
import type { Scene } from '../scene.ts';
import type { TreeLayout } from '../tree-layout.ts';
import { isGrid } from './block-layout.ts';

/**
 * The card one step away, or null at the edge: as on the canvas, but that rows of a memory wrap. In rows, along them and
 * from row to row; in a tree, up and down its lines and along its levels; and on to what stands beside.
 */
export const moveInPicture = ({ layout, headings }: Scene, from: CardRef, direction: Direction): string | null => {
  if (headings === undefined) return moveSelection(layout, from, direction);
  return isGrid(from.placed.tree) ? inRows(layout, from, direction) : inTree(layout, from, direction);
};

const inRows = (layout: ForestLayout, { placed, index }: CardRef, direction: Direction): string | null => {
  const { ids, ys } = placed.tree;
  const columns = ys.findIndex((y) => y > 0);
  const row = columns === -1 ? ids.length : columns;
  switch (direction) {
    case 'left':
      return ids[index - 1] ?? lastOf(beside(layout, placed, -1));
    case 'right':
      return ids[index + 1] ?? firstOf(beside(layout, placed, 1));
    case 'up':
      return ids[index - row] ?? firstOf(beside(layout, placed, -1));
    case 'down':
      return ids[index + row] ?? firstOf(beside(layout, placed, 1));
    case 'root':
      return index === 0 ? null : (ids[0] ?? null);
    case 'tip':
      return index === ids.length - 1 ? null : (ids.at(-1) ?? null);
  }
};

const inTree = (layout: ForestLayout, from: CardRef, direction: Direction): string | null => {
  const { placed } = from;
  if (direction !== 'left' && direction !== 'right') return moveSelection(layout, from, direction);
  const step = direction === 'left' ? -1 : 1;
  const level = levelWith(placed.tree, idOf(from));
  const next = level[level.indexOf(idOf(from)) + step];
  if (next !== undefined) return next;
  const neighbour = beside(layout, placed, step);
  return step === 1 ? firstOf(neighbour) : lastOf(neighbour);
};

/** The cards that are as deep in a tree as one of it, from left to right. */
const levelWith = ({ ids, children, indexOf }: TreeLayout, id: string): readonly string[] => {
  let level: readonly string[] = ids.slice(0, 1);
  while (level.length > 0 && !level.includes(id)) {
    level = level.flatMap((one) => children[indexOf.get(one) as number] ?? []);
  }
  return level;
};

const beside = ({ trees }: ForestLayout, placed: PlacedTree, step: 1 | -1): PlacedTree | undefined =>
  trees[trees.indexOf(placed) + step];

const firstOf = (placed: PlacedTree | undefined): string | null => placed?.tree.ids[0] ?? null;

/** Of a tree its root: one comes to it as one came from it. */
const lastOf = (placed: PlacedTree | undefined): string | null =>
  placed === undefined ? null : isGrid(placed.tree) ? (placed.tree.ids.at(-1) ?? null) : firstOf(placed);
