import Flatbush from 'flatbush';
import type { NodeId } from '../../domain/forest.ts';
import { CARD, type Rect, TITLE_HEIGHT, toCanvas, type View } from './geometry.ts';
import { type CardRef, cardNodeId, type ForestLayout, type PlacedTree } from './layout.ts';

/** Up to this many trees are scanned linearly. */
const FEW_TREES = 64;

/** Spatial indexes of layouts with many trees, titles included. */
const indexes = new WeakMap<ForestLayout['trees'], Flatbush>();

const indexOf = (trees: ForestLayout['trees']): Flatbush => {
  let index = indexes.get(trees);
  if (index === undefined) {
    index = new Flatbush(trees.length);
    for (const { x, y, tree } of trees) index.add(x, y - TITLE_HEIGHT, x + tree.width, y + tree.height);
    index.finish();
    indexes.set(trees, index);
  }
  return index;
};

/** Trees that intersect a rectangle, titles included, in creation order. */
export const treesIn = ({ trees, width, height }: ForestLayout, rect: Rect): readonly PlacedTree[] => {
  const [right, below] = [rect.x + rect.width, rect.y + rect.height];
  if (rect.x <= 0 && rect.y <= 0 && right >= width && below >= height) return trees;
  if (trees.length <= FEW_TREES) {
    return trees.filter(
      ({ x, y, tree }) =>
        x <= right && x + tree.width >= rect.x && y - TITLE_HEIGHT <= below && y + tree.height >= rect.y,
    );
  }
  const found = indexOf(trees).search(rect.x, rect.y, right, below);
  return found.sort((a, b) => a - b).map((at) => trees[at] as PlacedTree);
};

/** Indices of a tree's cards where the card or its incoming line intersects a rectangle. */
export const cardsIn = ({ x, y, tree }: PlacedTree, rect: Rect): Iterable<number> => {
  const left = rect.x - x;
  const top = rect.y - y;
  const whole = left <= 0 && top <= 0 && left + rect.width >= tree.width && top + rect.height >= tree.height;
  return whole ? tree.ids.keys() : tree.index.search(left, top, left + rect.width, top + rect.height);
};

/** The card at a point of the canvas, or within `slack` of it. */
export const cardAt = (layout: ForestLayout, x: number, y: number, slack = 0): CardRef | null => {
  let best: CardRef | null = null;
  let nearest = slack;
  const around = { x: x - slack, y: y - slack, width: 2 * slack, height: 2 * slack };
  for (const placed of treesIn(layout, around)) {
    for (const index of cardsIn(placed, around)) {
      const distance = distanceTo(placed, index, x, y);
      if (distance <= nearest) {
        best = { placed, index };
        nearest = distance;
      }
    }
  }
  return best;
};

/** The tree whose title is at a point of the canvas. */
export const titleAt = ({ trees }: ForestLayout, x: number, y: number): PlacedTree | null =>
  trees.find((placed) => {
    const root = placed.x + (placed.tree.xs[0] as number);
    return x >= root && x <= root + CARD.width && y <= placed.y && y >= placed.y - TITLE_HEIGHT;
  }) ?? null;

/** Ids of the cards in a rectangle, nearest to its centre first, at most `limit`. */
export const nearestIds = (layout: ForestLayout, rect: Rect, limit: number): string[] => {
  const middle = { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
  const found: { id: string; distance: number }[] = [];
  for (const card of cardsTouching(layout, rect)) {
    found.push({ id: cardNodeId(card), distance: distanceTo(card.placed, card.index, middle.x, middle.y) });
  }
  return found
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ id }) => id);
};

/** The cards that intersect a rectangle themselves, not just by their lines, topic by topic. */
export function* cardsTouching(layout: ForestLayout, rect: Rect): Generator<CardRef> {
  for (const placed of treesIn(layout, rect)) {
    for (const index of cardsIn(placed, rect)) if (touches(placed, index, rect)) yield { placed, index };
  }
}

/** Whether the card itself, not only its line, intersects a rectangle. */
export const touches = ({ x, y, tree }: PlacedTree, index: number, rect: Rect): boolean => {
  const left = x + (tree.xs[index] as number);
  const top = y + (tree.ys[index] as number);
  return (
    left <= rect.x + rect.width &&
    left + CARD.width >= rect.x &&
    top <= rect.y + rect.height &&
    top + CARD.height >= rect.y
  );
};

const distanceTo = ({ x, y, tree }: PlacedTree, index: number, px: number, py: number): number => {
  const left = x + (tree.xs[index] as number);
  const top = y + (tree.ys[index] as number);
  const dx = Math.max(left - px, 0, px - left - CARD.width);
  const dy = Math.max(top - py, 0, py - top - CARD.height);
  return Math.hypot(dx, dy);
};

/** A press this close to a card hits it, in screen pixels: in the overview cards are small. */
const HIT_SLACK = 4;

/** The turn at a point of the pane: its card, drawn or mounted, or the root under a title. */
export const turnAt = (layout: ForestLayout, view: View, x: number, y: number): NodeId | null => {
  const point = toCanvas(view, x, y);
  const card = cardAt(layout, point.x, point.y, HIT_SLACK / view.zoom);
  return card === null ? (titleAt(layout, point.x, point.y)?.tree.ids[0] ?? null) : cardNodeId(card);
};

/** The turns whose cards intersect a rectangle of the canvas, topic by topic. */
export const turnsWithin = (layout: ForestLayout, rect: Rect): NodeId[] =>
  treesIn(layout, rect).flatMap((placed) =>
    [...cardsIn(placed, rect)]
      .filter((index) => touches(placed, index, rect))
      .sort((a, b) => a - b)
      .map((index) => cardNodeId({ placed, index })),
  );

/** The rectangle between two points. */
export const between = (a: { x: number; y: number }, b: { x: number; y: number }): Rect => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
});

export type Direction = 'up' | 'down' | 'left' | 'right' | 'root' | 'tip';

/**
 * The card one step away, or null at the edge. Up and down follow the tree; left and right go to the next card of the
 * same row, and on to the neighbouring topic where the row ends.
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
      if (inRow.length > 0) return cardNodeId({ placed, index: least(inRow, (at) => sign * x(placed, at)) });
      const neighbour = layout.trees[layout.trees.indexOf(placed) + sign];
      if (neighbour === undefined) return null;
      const entry = row(neighbour, Math.min(tree.ys[index] as number, deepest(neighbour)));
      return cardNodeId({ placed: neighbour, index: least(entry, (at) => sign * x(neighbour, at)) });
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
