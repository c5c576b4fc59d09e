import { boxOf, cardOf, type PlacedTree } from './forest-layout.ts';
import { inksOf, type Palette } from './palette.ts';
import type { Scene } from './scene.ts';

type Pen = CanvasRenderingContext2D;

/** Around a topic, in the canvas's own pixels. */
const MARGIN = 8;
/** Widths on the screen, in pixels. */
const LINE = 1.5;
const RING = 3;

/** A quiet ground under the topic that the decision shown went to. */
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

/** From afar, where there are no cards to glow: the turns that were looked at, the fork point foremost. */
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
    pen.globalAlpha = isPoint ? 1 : Math.max(0.25, Math.min(1, similarity));
    pen.lineWidth = (isPoint ? RING : LINE) / zoom;
    pen.strokeStyle = palette.ink;
    pen.stroke();
  }
  pen.globalAlpha = 1;
};
