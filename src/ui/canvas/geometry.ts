import { clamp } from '../../domain/numbers.ts';

/** Lengths on the canvas in pixels at a zoom of 1. All cards have the same size, so the layout needs no measuring. */
export const CARD = { width: 184, height: 76 };
/** Between a card and the one below it. */
export const ROW_GAP = 28;
/** Between siblings. */
export const SIBLING_GAP = 16;
/** Distance between cards of different parents, relative to that of siblings. */
export const COUSIN_SEPARATION = 1.15;
/** Space above a root for its topic's title. */
export const TITLE_HEIGHT = 32;
export const TOPIC_GAP = 40;
export const SHELF_GAP = 80;

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Below this zoom words are unreadable: a drawn overview replaces the cards. */
export const OVERVIEW_ZOOM = 0.4;
/** Below this zoom cards show fewer and larger words. */
export const WORDS_ZOOM = 0.68;
/** Below this zoom single cards cannot be told apart: straight runs are drawn as trunks. */
export const TRUNK_ZOOM = 0.09;
export const MAX_ZOOM = 2;

/** The view of the canvas: a point (wx, wy) appears at (wx · zoom + x, wy · zoom + y). */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}
export interface Size {
  readonly width: number;
  readonly height: number;
}
/** A viewport with the size of its pane. */
export type View = Viewport & Size;

/** Margin around what is fitted or brought into view, in screen pixels. */
const MARGIN = 40;
/** Height of the toolbar at the bottom of the pane, in addition to the margin; screen pixels. */
const TOOLS_HEIGHT = { one: 40, two: 84 };
/** From this pane width on, in pixels, the tools are in one row (canvas-toolbar.module.css). */
const ONE_ROW_OF_TOOLS = 700;
/** A forest that fits at this zoom or above opens as a whole; a larger one opens at its active turn. */
const OPEN_WHOLE_ZOOM = 0.5;
/** The zoom for a single turn when nothing else determines it. */
const READING_ZOOM = 0.9;

/** The part of the canvas that a view shows, plus `margin` screen pixels around it. */
export const visibleRect = ({ x, y, zoom, width, height }: View, margin = 0): Rect => ({
  x: (-x - margin) / zoom,
  y: (-y - margin) / zoom,
  width: (width + 2 * margin) / zoom,
  height: (height + 2 * margin) / zoom,
});

/** Converts a rectangle of the canvas to pixels of the pane. */
export const toScreen = ({ x, y, zoom }: Viewport, rect: Rect): Rect => ({
  x: rect.x * zoom + x,
  y: rect.y * zoom + y,
  width: rect.width * zoom,
  height: rect.height * zoom,
});

export const toCanvas = ({ x, y, zoom }: Viewport, sx: number, sy: number) => ({
  x: (sx - x) / zoom,
  y: (sy - y) / zoom,
});

/** The zoom at which a rectangle just fits a pane, at most 1. */
export const fitZoom = (rect: Size, pane: Size, margin = MARGIN): number =>
  Math.min(1, Math.max(pane.width - 2 * margin, 1) / rect.width, Math.max(pane.height - 2 * margin, 1) / rect.height);

/** Fits a rectangle into a pane: centred horizontally, and near the top if there is space to spare. */
export const fitTo = (rect: Rect, pane: Size, margin = MARGIN): Viewport => {
  const zoom = fitZoom(rect, pane, margin);
  const spare = pane.height - rect.height * zoom;
  return {
    x: (pane.width - rect.width * zoom) / 2 - rect.x * zoom,
    y: Math.min(spare / 2, margin * 1.5) - rect.y * zoom,
    zoom,
  };
};

/** The whole forest, clear of the toolbar at the bottom of the pane. */
export const wholeView = (forest: Size, pane: Size): Viewport => {
  const tools = pane.width < ONE_ROW_OF_TOOLS ? TOOLS_HEIGHT.two : TOOLS_HEIGHT.one;
  return fitTo({ x: 0, y: 0, ...forest }, { width: pane.width, height: Math.max(1, pane.height - tools) });
};

export const centre = (rect: Rect, pane: Size, zoom: number): Viewport => ({
  x: pane.width / 2 - (rect.x + rect.width / 2) * zoom,
  y: pane.height / 2 - (rect.y + rect.height / 2) * zoom,
  zoom,
});

/**
 * The whole forest if it is readable like that, else its active turn with what leads to it: slightly below the centre,
 * and without showing empty space above or beside the forest. The card of a turn that is only being placed may lie
 * beyond the forest's edge; it is shown all the same.
 */
export const openingView = (placed: Size, active: Rect | null, pane: Size): Viewport => {
  const forest = active === null ? placed : sizeWith(placed, active);
  const whole = wholeView(forest, pane);
  if (active === null || whole.zoom >= OPEN_WHOLE_ZOOM) return whole;
  const zoom = READING_ZOOM;
  const { x, y } = centre(active, pane, zoom);
  const width = forest.width * zoom;
  const narrow = width + 2 * MARGIN <= pane.width;
  const least = pane.width - MARGIN - width;
  return {
    x: narrow ? (pane.width - width) / 2 : Math.min(MARGIN, Math.max(least, x)),
    y: Math.min(MARGIN, y + pane.height * 0.12),
    zoom,
  };
};

const sizeWith = (forest: Size, card: Rect): Size => ({
  width: Math.max(forest.width, card.x + card.width),
  height: Math.max(forest.height, card.y + card.height),
});

/** The smallest pan that brings a rectangle into view; the same object if it already is. */
export const bringIntoView = (view: View, rect: Rect, margin = MARGIN): Viewport => {
  const dx = shift(rect.x * view.zoom + view.x, rect.width * view.zoom, view.width, margin);
  const dy = shift(rect.y * view.zoom + view.y, rect.height * view.zoom, view.height, margin);
  return dx === 0 && dy === 0 ? view : { x: view.x + dx, y: view.y + dy, zoom: view.zoom };
};

const shift = (start: number, length: number, pane: number, margin: number): number => {
  const room = clamp((pane - length) / 2, 0, margin);
  if (start < room) return room - start;
  const end = start + length;
  return end > pane - room ? pane - room - end : 0;
};

export const isInView = (view: View, rect: Rect): boolean => bringIntoView(view, rect, 0) === view;

/** Zooms about the centre of the pane. */
export const zoomTo = (view: View, zoom: number, least: number): Viewport =>
  zoomAbout(view, zoom, { x: view.width / 2, y: view.height / 2 }, least);

/** Zooms about a point of the pane, which stays in place. */
export const zoomAbout = (
  view: Viewport,
  zoom: number,
  at: { readonly x: number; readonly y: number },
  least: number,
): Viewport => {
  const next = clamp(zoom, least, MAX_ZOOM);
  const { x, y } = toCanvas(view, at.x, at.y);
  return { x: at.x - x * next, y: at.y - y * next, zoom: next };
};

/** Shows a topic: all of it if it is readable like that, else its root or `focus` at reading zoom. */
export const topicView = (tree: Rect, focus: Rect, pane: Size): Viewport =>
  fitZoom(tree, pane) >= WORDS_ZOOM ? fitTo(tree, pane) : centre(focus, pane, READING_ZOOM);

/** Dragging within this distance of the pane's edge pans the view; screen pixels. */
const EDGE = 36;
/** … by at most this many pixels per frame. */
const SPEED = 14;

/** Whether (x, y) of the pane is beyond its borders. */
export const isOutside = ({ width, height }: Pick<View, 'width' | 'height'>, x: number, y: number): boolean =>
  x < 0 || y < 0 || x > width || y > height;

/** The view of the next frame while something is dragged at (x, y) of the pane; null if it does not move. */
export const edgePan = (view: View, x: number, y: number): Viewport | null => {
  const dx = pull(x, view.width);
  const dy = pull(y, view.height);
  return dx === 0 && dy === 0 ? null : { x: view.x + dx, y: view.y + dy, zoom: view.zoom };
};

const pull = (at: number, length: number): number => {
  if (at < EDGE) return SPEED * Math.min(1, (EDGE - at) / EDGE);
  if (at > length - EDGE) return -SPEED * Math.min(1, (at - length + EDGE) / EDGE);
  return 0;
};
