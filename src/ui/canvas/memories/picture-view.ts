import { STRIP_HEIGHT } from '../draw-titles.ts';
import { boxOf, type CardRef, type PlacedTree } from '../forest-layout.ts';
import { OVERVIEW_ZOOM, type Rect, TITLE_HEIGHT } from '../measures.ts';
import { centre, fitTo, type Size, type Viewport } from '../view.ts';
import type { Picture } from './picture.ts';

/** From this zoom on there are words on the cards. */
const WORDS = 0.33;
/** A part is gone to at once only where it is seen so much larger than the whole. */
const GAIN = 1.5;
/** How a single card is shown when nothing else says how large. */
const READING = 0.8;
/** Smaller than fitted by this, at most. */
const BEYOND = 0.8;

/** Shapes of panes are told apart in steps of this factor: a picture is laid out anew only from one to the next. */
const STEP = 1.3;

/** The shape of a pane, width by height, in steps. */
export const shapeOf = ({ width, height }: Size): number =>
  width === 0 || height === 0 ? 1 : STEP ** Math.round(Math.log(width / height) / Math.log(STEP));

/** The card of an id; null if it is not in the picture. */
export const cardIn = ({ scene }: Picture, id: string | null): CardRef | null => {
  if (id === null) return null;
  for (const placed of scene.layout.trees) {
    const index = placed.tree.indexOf.get(id);
    if (index !== undefined) return { placed, index };
  }
  return null;
};

/** Of a title, and what is around it, in pixels of the screen. */
const FAR_TITLE = 24;

/** Pictures stand side by side: what is kept free around one is little in a small pane. */
const marginOf = ({ width, height }: Size): number => Math.min(32, Math.max(8, Math.min(width, height) * 0.05));

export const wholeView = ({ scene: { layout } }: Picture, pane: Size): Viewport =>
  fitted({ x: 0, y: 0, width: Math.max(1, layout.width), height: Math.max(1, layout.height) }, pane);

/** From afar titles keep their size, and stand higher above what they head than the layout has room for. */
const fitted = (rect: Rect, pane: Size): Viewport => {
  const near = fitTo(rect, pane, marginOf(pane));
  return near.zoom >= OVERVIEW_ZOOM ? near : fitBelow(rect, pane, FAR_TITLE - TITLE_HEIGHT * near.zoom);
};

/** Fits a rectangle below so many pixels of the pane. */
const fitBelow = (rect: Rect, pane: Size, above: number): Viewport => {
  const { x, y, zoom } = fitTo(rect, { ...pane, height: Math.max(1, pane.height - above) }, marginOf(pane));
  return { x, y: y + above, zoom };
};

/**
 * All of it. Where no words could be read so, what stands forward with all between, if they can be read then; else all
 * the same: where in the whole it stands is seen.
 */
export const firstView = (picture: Picture, pane: Size): Viewport => {
  const whole = wholeView(picture, pane);
  if (whole.zoom >= WORDS) return whole;
  const forward = around(picture);
  // Where its root is out of sight, a tree's title stays along the upper edge.
  const near = forward === null ? whole : fitBelow(forward, pane, STRIP_HEIGHT);
  return near.zoom < Math.max(WORDS, GAIN * whole.zoom) ? whole : near;
};

export const readView = (card: CardRef, pane: Size, zoom: number): Viewport =>
  centre(boxOf(card), pane, Math.max(zoom, READING));

export const groupView = ({ x, y, tree }: PlacedTree, pane: Size): Viewport =>
  fitted({ x, y, width: tree.width, height: tree.height }, pane);

/** The least zoom that one can go to. */
export const leastZoom = (picture: Picture, pane: Size): number =>
  Math.min(WORDS, wholeView(picture, pane).zoom) * BEYOND;

const around = (picture: Picture): Rect | null => {
  const boxes = picture.forward.flatMap((id) => {
    const card = cardIn(picture, id);
    return card === null ? [] : [boxOf(card)];
  });
  if (boxes.length === 0) return null;
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const right = Math.max(...boxes.map(({ x, width }) => x + width));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  return { x: left, y: top, width: right - left, height: bottom - top };
};
