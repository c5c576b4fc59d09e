import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { clamp } from '../../../domain/numbers.ts';
import { strokeOf } from '../../commands/keystroke.ts';
import { canvasCommandOf } from '../canvas-keys.ts';
import { STRIP_HEIGHT } from '../draw-words.ts';
import { usePaneSize, usePress, useWheel } from '../drawn-scene.tsx';
import { type Direction, moveSelection } from '../find-cards.ts';
import {
  bringIntoView,
  centre,
  fitTo,
  OVERVIEW_ZOOM,
  type Rect,
  type Size,
  TITLE_HEIGHT,
  type View,
  type Viewport,
  zoomAbout,
  zoomTo,
} from '../geometry.ts';
import type { CanvasPoint } from '../gestures.ts';
import { boxOf, type CardRef, cardNodeId, type ForestLayout, type PlacedTree, type TreeLayout } from '../layout.ts';
import type { Scene } from '../scene.ts';
import { type Picture, type PictureSource, pictureOf } from './picture.ts';
import { isGrid } from './picture-layout.ts';

interface PictureSelection {
  readonly selected: string | null;
  readonly onSelect: (id: string | null) => void;
  /** Opens the details of the selected card. */
  readonly onOpen: () => void;
}

const NOWHERE: View = { x: 0, y: 0, zoom: 1, width: 0, height: 0 };

/** A policy's picture in a pane: its view, and the handling of keys, wheel and pointer. */
export const usePicture = (
  pane: RefObject<HTMLElement | null>,
  { policy, context, memory }: PictureSource,
  { selected, onSelect, onOpen }: PictureSelection,
) => {
  const size = usePaneSize(pane);
  const aspect = quantisedAspect(size);
  const picture = useMemo(() => pictureOf({ policy, context, memory }, aspect), [policy, context, memory, aspect]);
  const [moved, setMoved] = useState<{ readonly of: Picture; readonly to: Viewport } | null>(null);
  const first = useMemo(() => (picture === null ? NOWHERE : firstView(picture, size)), [picture, size]);
  const view: View = { ...(moved !== null && moved.of === picture ? moved.to : first), ...size };
  const latest = useRef(view);
  latest.current = view;

  const look = (at: (view: View) => Viewport) => {
    if (picture === null) return;
    const to = at(latest.current);
    latest.current = { ...to, ...size };
    setMoved({ of: picture, to });
  };
  const least = picture === null ? 1 : leastZoom(picture, size);
  const zoomAt = (factor: number, at: CanvasPoint) => look((now) => zoomAbout(now, now.zoom * factor, at, least));
  useWheel(pane, zoomAt);
  const press = usePress((dx, dy) => look(({ x, y, zoom }) => ({ x: x + dx, y: y + dy, zoom })), zoomAt);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks at what is newly selected, from wherever it looks then
  useEffect(() => {
    const card = picture === null ? null : cardIn(picture, selected);
    if (card !== null && size.width > 0) look((now) => bringIntoView(now, boxOf(card)));
  }, [selected]);

  /** Goes to the next `forward` card, at a readable zoom. */
  const goToForward = () => {
    if (picture === null) return;
    const { forward } = picture;
    const next = forward[(forward.indexOf(selected ?? '') + 1) % forward.length];
    const card = cardIn(picture, next ?? null);
    if (card === null || next === undefined) return;
    onSelect(next);
    look((now) => readView(card, now, now.zoom));
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (picture === null || event.target !== event.currentTarget) return;
    if (strokeOf(event) === 'R') {
      event.preventDefault();
      return goToForward();
    }
    const command = canvasCommandOf(event);
    if (command === null) return;
    const card = cardIn(picture, selected);
    switch (command.do) {
      case 'move':
      case 'extend': {
        const start = picture.forward[0] ?? picture.scene.layout.trees[0]?.tree.ids[0] ?? null;
        const next = card === null ? start : moveInPicture(picture.scene, card, command.direction);
        if (next !== null) onSelect(next);
        break;
      }
      case 'zoom':
        look((now) => zoomTo(now, now.zoom * command.by, least));
        break;
      case 'fit':
        look((now) => wholeView(picture, now));
        break;
      case 'actual-size':
        look((now) => (card === null ? zoomTo(now, 1, 1) : centre(boxOf(card), now, 1)));
        break;
      case 'topic':
        if (card !== null) look((now) => groupView(card.placed, now));
        break;
      case 'activate':
        onOpen();
        break;
      case 'clear':
        // Nothing to deselect: leave the key to the surrounding component.
        if (selected === null) return;
        onSelect(null);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  return {
    picture,
    view,
    onPick: (id: string | null) => {
      if (!press.dragged()) onSelect(id);
    },
    zoom: (by: number) => look((now) => zoomTo(now, now.zoom * by, least)),
    fit: () => picture !== null && look((now) => wholeView(picture, now)),
    goToForward,
    /** Centres a point of the picture. */
    goTo: (at: { readonly x: number; readonly y: number }) =>
      look((now) => centre({ ...at, width: 0, height: 0 }, now, now.zoom)),
    handlers: { onKeyDown, ...press.handlers },
  };
};

/** From this zoom on, cards have words. */
const WORDS = 0.33;
/** The view starts on a part only if it appears this much larger than in the whole. */
const GAIN = 1.5;
/** The zoom for a single card when nothing else determines it. */
const READING = 0.8;
/** Minimum zoom, relative to the fitted one. */
const BEYOND = 0.8;

/** Aspect ratios are quantised by this factor, so that a picture is only laid out again from one step to the next. */
const STEP = 1.3;

/** The quantised aspect ratio of a pane, width by height. */
export const quantisedAspect = ({ width, height }: Size): number =>
  width === 0 || height === 0 ? 1 : STEP ** Math.round(Math.log(width / height) / Math.log(STEP));

/** The card with an id; null if it is not in the picture. */
export const cardIn = ({ scene }: Picture, id: string | null): CardRef | null => {
  if (id === null) return null;
  for (const placed of scene.layout.trees) {
    const index = placed.tree.indexOf.get(id);
    if (index !== undefined) return { placed, index };
  }
  return null;
};

/** Height of a title with its surroundings, in screen pixels. */
const FAR_TITLE = 24;

/** Pictures are shown side by side, so the margin is small in a small pane. */
const marginOf = ({ width, height }: Size): number => clamp(Math.min(width, height) * 0.05, 8, 32);

const wholeView = ({ scene: { layout } }: Picture, pane: Size): Viewport =>
  fitted({ x: 0, y: 0, width: Math.max(1, layout.width), height: Math.max(1, layout.height) }, pane);

/** In the overview titles keep their size, and need more room above what they head than the layout leaves. */
const fitted = (rect: Rect, pane: Size): Viewport => {
  const near = fitTo(rect, pane, marginOf(pane));
  return near.zoom >= OVERVIEW_ZOOM ? near : fitBelow(rect, pane, FAR_TITLE - TITLE_HEIGHT * near.zoom);
};

/** Fits a rectangle below that many pixels at the top of the pane. */
const fitBelow = (rect: Rect, pane: Size, above: number): Viewport => {
  const { x, y, zoom } = fitTo(rect, { ...pane, height: Math.max(1, pane.height - above) }, marginOf(pane));
  return { x, y: y + above, zoom };
};

/**
 * The whole picture. If no words were readable, the bounding box of the `forward` cards instead, provided that is
 * readable; else the whole after all, which shows where they are.
 */
export const firstView = (picture: Picture, pane: Size): Viewport => {
  const whole = wholeView(picture, pane);
  if (whole.zoom >= WORDS) return whole;
  const forward = around(picture);
  // If its root is out of view, a tree's title stays along the top edge.
  const near = forward === null ? whole : fitBelow(forward, pane, STRIP_HEIGHT);
  return near.zoom < Math.max(WORDS, GAIN * whole.zoom) ? whole : near;
};

const readView = (card: CardRef, pane: Size, zoom: number): Viewport =>
  centre(boxOf(card), pane, Math.max(zoom, READING));

const groupView = ({ x, y, tree }: PlacedTree, pane: Size): Viewport =>
  fitted({ x, y, width: tree.width, height: tree.height }, pane);

/** The minimum zoom. */
const leastZoom = (picture: Picture, pane: Size): number => Math.min(WORDS, wholeView(picture, pane).zoom) * BEYOND;

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

/**
 * The card one step away, or null at the edge: as on the canvas, except that rows of a memory wrap. In rows, along them
 * and from row to row; in a tree, up and down its lines and along its levels; then on to the neighbouring group.
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
  const level = levelWith(placed.tree, cardNodeId(from));
  const next = level[level.indexOf(cardNodeId(from)) + step];
  if (next !== undefined) return next;
  const neighbour = beside(layout, placed, step);
  return step === 1 ? firstOf(neighbour) : lastOf(neighbour);
};

/** The cards at the same depth of a tree as a given one, from left to right. */
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

/** For a tree its root, so that it is entered where it was left. */
const lastOf = (placed: PlacedTree | undefined): string | null =>
  placed === undefined ? null : isGrid(placed.tree) ? (placed.tree.ids.at(-1) ?? null) : firstOf(placed);
