import type { TreeId } from '../../domain/forest.ts';
import type { ForestLayout, PlacedTree } from './forest-layout.ts';

/** The least distance between two titles, in pixels of the screen. */
const APART = { x: 12, y: 20 };
/** Width of the cells in which neighbours are looked up; titles are narrower. */
const CELL = 240;

/**
 * The topics whose titles are shown at a zoom without covering one another: the active one first,
 * then the larger ones. Depends on no scroll position, so titles do not flicker while panning.
 * `widthOf` gives a title's width in pixels of the screen, at most CELL.
 */
export const chooseTitles = (
  layout: ForestLayout,
  activeId: TreeId | null,
  zoom: number,
  widthOf: (tree: PlacedTree) => number,
): ReadonlySet<TreeId> => {
  const chosen = new Set<TreeId>();
  const taken = new Map<string, { from: number; to: number; y: number }[]>();
  const bySize = layout.trees.toSorted((a, b) => b.tree.ids.length - a.tree.ids.length);
  const first = bySize.findIndex(({ treeId }) => treeId === activeId);
  if (first > 0) bySize.unshift(...bySize.splice(first, 1));
  for (const placed of bySize) {
    const from = (placed.x + (placed.tree.xs[0] as number)) * zoom;
    const y = placed.y * zoom;
    const at = { from, to: from + widthOf(placed) + APART.x, y };
    const column = Math.floor(from / CELL);
    const row = Math.floor(y / APART.y);
    const near = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].flatMap((dy) => taken.get(`${column + dx} ${row + dy}`) ?? []));
    if (near.some((one) => one.from < at.to && at.from < one.to && Math.abs(one.y - y) < APART.y)) continue;
    chosen.add(placed.treeId);
    const cell = `${column} ${row}`;
    taken.set(cell, [...(taken.get(cell) ?? []), at]);
  }
  return chosen;
};
