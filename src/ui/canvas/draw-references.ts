import type { Glide } from './glide.ts';
import { CARD, type Rect, ROW_GAP } from './measures.ts';
import type { Palette } from './palette.ts';
import type { DrawnReference } from './references.ts';
import type { Scene } from './scene.ts';

type Pen = CanvasRenderingContext2D;

/** Widths on the screen, in pixels. */
const LINE_WIDTH = 1.5;
const END_RADIUS = 3;
/** How far a curve swings out, at the most, in pixels at a zoom of 1. */
const SWING = 160;
/** Of the control points of a curve along a row; the curve itself goes down three quarters of it. */
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
  // From the side that faces the other card; both from the right where they stand one above the other.
  const apart = b.x - a.x;
  const sideOfA = apart < -CARD.width / 2 ? -1 : 1;
  const sideOfB = apart > CARD.width / 2 ? -1 : 1;
  // Along a row, other cards may stand between: then through the gap below it.
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
  // Open where it begins, full where it leads.
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

/** All that a curve between two cards can touch. */
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
