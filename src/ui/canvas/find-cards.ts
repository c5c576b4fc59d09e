import { type CardRef, type ForestLayout, idOf, type PlacedTree } from './forest-layout.ts';
import { CARD, type Rect, TITLE_HEIGHT } from './measures.ts';

/** Trees that a rectangle touches, titles included. */
export const treesIn = ({ trees }: ForestLayout, rect: Rect): PlacedTree[] =>
  trees.filter(
    ({ x, y, tree }) =>
      x <= rect.x + rect.width &&
      x + tree.width >= rect.x &&
      y - TITLE_HEIGHT <= rect.y + rect.height &&
      y + tree.height >= rect.y,
  );

/** Indices of a tree's cards that a rectangle touches, or whose incoming line it touches. */
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

/** Ids of the cards in a rectangle, the nearest to its middle first, at most `limit`. */
export const nearestIds = (layout: ForestLayout, rect: Rect, limit: number): string[] => {
  const middle = { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
  const found: { id: string; distance: number }[] = [];
  for (const card of cardsTouching(layout, rect)) {
    found.push({ id: idOf(card), distance: distanceTo(card.placed, card.index, middle.x, middle.y) });
  }
  return found
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ id }) => id);
};

/** The cards, and not their lines alone, that a rectangle touches, topic by topic. */
export function* cardsTouching(layout: ForestLayout, rect: Rect): Generator<CardRef> {
  for (const placed of treesIn(layout, rect)) {
    for (const index of cardsIn(placed, rect)) if (touches(placed, index, rect)) yield { placed, index };
  }
}

/** Whether the card itself, not only its line, touches a rectangle. */
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
