import type { NodeId } from '../../domain/forest.ts';
import { clamp } from '../../domain/numbers.ts';
import { CARD, type Rect, ROW_GAP } from './geometry.ts';
import type { Glide } from './glide.ts';
import { boxOf, cardOf, type PlacedTree } from './layout.ts';
import { inksOf, type Palette, type Pen } from './palette.ts';
import { type DrawnReference, type Scene, shownActive } from './scene.ts';

/** Sizes in screen pixels. */
const LINE_WIDTH = 1.5;
const END_RADIUS = 3;
/** Maximum swing of a curve, in pixels at a zoom of 1. */
const SWING = 160;
/** Control point offset for a curve along a row; the curve itself dips three quarters of it. */
const BOW = ROW_GAP;

/** References as quiet dashed curves from side to side; those of a selected card stand out. */
export const drawReferences = (
  pen: Pen,
  { references, selection }: Scene,
  seen: Rect,
  zoom: number,
  palette: Palette,
  glide: Glide,
): void => {
  const near = references.filter(({ fromBox, toBox }) => meets(around(fromBox, toBox), seen));
  for (const selected of [false, true]) {
    const ink = selected ? palette.focus : palette.quiet;
    for (const reference of near) {
      if ((selection.has(reference.from) || selection.has(reference.to)) === selected)
        drawReference(pen, reference, zoom, ink, selected, palette, glide);
    }
  }
};

const drawReference = (
  pen: Pen,
  { from, to, fromBox, toBox }: DrawnReference,
  zoom: number,
  ink: string,
  selected: boolean,
  palette: Palette,
  glide: Glide,
): void => {
  const [a, b] = [moved(fromBox, glide.offsetOf(from)), moved(toBox, glide.offsetOf(to))];
  // From the sides that face each other; both from the right if one card is above the other.
  const apart = b.x - a.x;
  const sideOfA = apart < -CARD.width / 2 ? -1 : 1;
  const sideOfB = apart > CARD.width / 2 ? -1 : 1;
  // Along a row other cards may be in between: go through the gap below it.
  const inRow = Math.abs(a.y - b.y) < 1 && Math.abs(apart) > 1.5 * CARD.width;
  const start = inRow ? below(a, sideOfA) : side(a, sideOfA);
  const end = inRow ? below(b, sideOfB) : side(b, sideOfB);
  const swing = Math.min(SWING, 24 + Math.hypot(end.x - start.x, end.y - start.y) / 3);
  pen.strokeStyle = ink;
  pen.lineWidth = (selected ? 2 : LINE_WIDTH) / zoom;
  pen.lineCap = 'butt';
  pen.globalAlpha = selected ? 1 : 0.75;
  pen.setLineDash([5 / zoom, 4 / zoom]);
  pen.beginPath();
  pen.moveTo(start.x, start.y);
  if (inRow) pen.bezierCurveTo(start.x, start.y + BOW, end.x, end.y + BOW, end.x, end.y);
  else pen.bezierCurveTo(start.x + sideOfA * swing, start.y, end.x + sideOfB * swing, end.y, end.x, end.y);
  pen.stroke();
  pen.setLineDash([]);
  // Hollow at the start, filled at the end.
  dot(pen, start, zoom, ink, palette.ground);
  dot(pen, end, zoom, ink, ink);
  pen.globalAlpha = 1;
};

const dot = (pen: Pen, { x, y }: { x: number; y: number }, zoom: number, edge: string, fill: string): void => {
  pen.beginPath();
  pen.arc(x, y, END_RADIUS / zoom, 0, 2 * Math.PI);
  pen.fillStyle = fill;
  pen.fill();
  pen.lineWidth = LINE_WIDTH / zoom;
  pen.strokeStyle = edge;
  pen.stroke();
};

const side = ({ x, y, width, height }: Rect, towards: 1 | -1) => ({
  x: towards === 1 ? x + width + 4 : x - 4,
  y: y + height / 2,
});

const below = ({ x, y, width, height }: Rect, towards: 1 | -1) => ({
  x: x + width * (towards === 1 ? 0.8 : 0.2),
  y: y + height + 4,
});

const moved = (box: Rect, away: { x: number; y: number } | undefined): Rect =>
  away === undefined ? box : { ...box, x: box.x + away.x, y: box.y + away.y };

/** Bounding box of everything a curve between two cards can touch. */
const around = (a: Rect, b: Rect): Rect => {
  const x = Math.min(a.x, b.x) - SWING;
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) + SWING - x,
    height: Math.max(a.y + a.height, b.y + b.height) + ROW_GAP - y,
  };
};

const meets = (a: Rect, b: Rect): boolean =>
  a.x <= b.x + b.width && a.x + a.width >= b.x && a.y <= b.y + b.height && a.y + a.height >= b.y;

/** Margin around a topic, in canvas pixels. */
const MARGIN = 8;
/** Line widths in screen pixels. */
const LINE = 1.5;
const RING = 3;

/** A quiet background behind the topic that the shown decision went to. */
export const drawTarget = (pen: Pen, { lit, layout }: Scene, zoom: number, palette: Palette): void => {
  const placed = lit?.target == null ? undefined : layout.placeOf.get(lit.target);
  if (placed === undefined) return;
  const { full, tint } = inksOf(palette, placed.order);
  outline(pen, placed);
  pen.fillStyle = tint;
  pen.globalAlpha = 0.5;
  pen.fill();
  pen.globalAlpha = 1;
  pen.setLineDash([6 / zoom, 4 / zoom]);
  pen.lineWidth = LINE / zoom;
  pen.strokeStyle = full;
  pen.stroke();
  pen.setLineDash([]);
};

const outline = (pen: Pen, { x, y, tree: { width, height } }: PlacedTree): void => {
  pen.beginPath();
  pen.roundRect(x - MARGIN, y - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN, MARGIN);
};

/** In the overview, where there are no cards to glow: the turns that were considered, with the fork point most prominent. */
export const drawLit = (pen: Pen, { lit, layout, forest }: Scene, zoom: number, palette: Palette): void => {
  if (lit === null) return;
  for (const [id, similarity] of lit.near) {
    const card = cardOf(layout, forest.nodes[id]);
    if (card === null) continue;
    const { x, y, width, height } = boxOf(card);
    const isPoint = id === lit.point;
    const radius = Math.max(Math.hypot(width, height) / 3, 7 / zoom);
    pen.beginPath();
    pen.arc(x + width / 2, y + height / 2, radius, 0, 2 * Math.PI);
    pen.globalAlpha = isPoint ? 1 : clamp(similarity, 0.25, 1);
    pen.lineWidth = (isPoint ? RING : LINE) / zoom;
    pen.strokeStyle = palette.ink;
    pen.stroke();
  }
  pen.globalAlpha = 1;
};

/** Marks where the conversation continues. Lengths are in the pen's own pixels; `zoom` is the pen's scale. */
export const drawMarker = (pen: Pen, scene: Scene, zoom: number, radius: number, palette: Palette): void => {
  const active = shownActive(scene);
  if (active === null) return;
  const { x, y, width, height } = boxOf(active);
  pen.beginPath();
  pen.arc(x + width / 2, y + height / 2, radius / zoom, 0, 2 * Math.PI);
  pen.fillStyle = palette.ink;
  pen.fill();
  pen.lineWidth = (radius * 0.4) / zoom;
  pen.strokeStyle = palette.ground;
  pen.stroke();
};

/** Rings around the selected cards, the dragged ones and the one they are over, as far as they are `seen`. */
export const drawSelection = (pen: Pen, scene: Scene, seen: Rect, zoom: number, palette: Palette): void => {
  for (const id of scene.selection) ring(pen, scene, id, seen, zoom, palette.focus, 2);
  const { carry } = scene;
  if (carry === null) return;
  pen.globalAlpha = 0.6;
  for (const id of carry.family) ring(pen, scene, id, seen, zoom, palette.quiet, 1);
  pen.globalAlpha = 1;
  if (carry.over !== null) ring(pen, scene, carry.over, seen, zoom, carry.refused ? palette.danger : palette.focus, 4);
};

const ring = (
  pen: Pen,
  { forest, layout }: Scene,
  id: NodeId,
  seen: Rect,
  zoom: number,
  ink: string,
  line: number,
): void => {
  const card = cardOf(layout, forest.nodes[id]);
  if (card === null) return;
  const { x, y, width, height } = boxOf(card);
  const grow = Math.max(3 / zoom, (7 / zoom - height) / 2);
  const around = { x: x - grow, y: y - grow, width: width + 2 * grow, height: height + 2 * grow };
  if (!meets(around, seen)) return;
  pen.beginPath();
  pen.roundRect(around.x, around.y, around.width, around.height, 4 / zoom);
  pen.lineWidth = line / zoom;
  pen.strokeStyle = ink;
  pen.stroke();
};
