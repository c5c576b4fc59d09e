import type { NodeId } from '../../domain/forest.ts';
import { cardAt, cardsIn, titleAt, touches, treesIn } from './find-cards.ts';
import { type ForestLayout, idOf } from './forest-layout.ts';
import type { Rect } from './measures.ts';
import { toCanvas, type View } from './view.ts';

/** A press this near to a card hits it, in pixels of the screen: in the overview cards are small. */
const HIT_SLACK = 4;

/** The turn at a point of the pane: its card, drawn or mounted, or the root under a title. */
export const turnAt = (layout: ForestLayout, view: View, x: number, y: number): NodeId | null => {
  const point = toCanvas(view, x, y);
  const card = cardAt(layout, point.x, point.y, HIT_SLACK / view.zoom);
  return card === null ? (titleAt(layout, point.x, point.y)?.tree.ids[0] ?? null) : idOf(card);
};

/** The turns whose cards a rectangle of the canvas touches, topic by topic. */
export const turnsWithin = (layout: ForestLayout, rect: Rect): NodeId[] =>
  treesIn(layout, rect).flatMap((placed) =>
    [...cardsIn(placed, rect)]
      .filter((index) => touches(placed, index, rect))
      .sort((a, b) => a - b)
      .map((index) => idOf({ placed, index })),
  );

/** The rectangle between two points. */
export const between = (a: { x: number; y: number }, b: { x: number; y: number }): Rect => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
});
