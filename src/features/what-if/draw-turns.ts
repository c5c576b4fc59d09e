import type { NodeId } from '../../domain/forest.ts';
import type { Change } from '../../engine/history/difference.ts';
import { drawWords } from '../../ui/canvas/draw-words.ts';
import { cardsTouching } from '../../ui/canvas/find-cards.ts';
import { boxOf, idOf } from '../../ui/canvas/forest-layout.ts';
import type { Rect } from '../../ui/canvas/measures.ts';
import { inksOf, type Palette } from '../../ui/canvas/palette.ts';
import type { Scene } from '../../ui/canvas/scene.ts';
import { seenBy, toScreen, type View } from '../../ui/canvas/view.ts';

type Pen = CanvasRenderingContext2D;

/** Sizes on the screen, in pixels. */
const LEAST_TEXT = 9.5;
const MOST_TEXT = 14;
const LEAST_CARD = 13;

export interface Marks {
  readonly changes: ReadonlyMap<NodeId, Change>;
  readonly selected: NodeId | null;
}

/** Words on cards and marks around them, over what the canvas's painter has drawn. The pen draws in pixels of the screen. */
export const drawTurns = (pen: Pen, scene: Scene, view: View, palette: Palette, marks: Marks): void => {
  const seen = seenBy(view, 8);
  for (const card of cardsTouching(scene.layout, seen)) {
    const id = idOf(card);
    const box = toScreen(view, boxOf(card));
    const ink = inksOf(palette, card.placed.order).full;
    if (box.height >= LEAST_CARD) write(pen, scene, id, box, view.zoom, palette, ink);
    mark(pen, box, marks.changes.get(id) ?? null, id === marks.selected, palette);
  }
};

const write = (
  pen: Pen,
  { forest, standings }: Scene,
  id: NodeId,
  { x, y, width, height }: Rect,
  zoom: number,
  palette: Palette,
  ink: string,
): void => {
  const node = forest.nodes[id];
  if (node === undefined) return;
  const size = Math.min(MOST_TEXT, Math.max(LEAST_TEXT, 13 * zoom));
  const pad = Math.max(3, 9 * zoom);
  const near = zoom >= 0.4;
  pen.textBaseline = 'top';
  pen.font = `600 ${size}px ${palette.font}`;
  // On a block of colour, the number alone; on a card, with the words. The path's blocks have their full colour.
  pen.fillStyle = near ? ink : standings.path.has(id) ? palette.ground : palette.ink;
  const number = String(node.number);
  if (!near) return pen.fillText(number, x + pad, y + (height - size) / 2);
  pen.fillText(number, x + pad, y + pad);
  pen.font = `400 ${size}px ${palette.font}`;
  pen.fillStyle = palette.ink;
  const indent = pen.measureText(`${number}  `).width + 3;
  drawWords(pen, node.message, {
    x: x + pad,
    y: y + pad,
    width: width - 2 * pad,
    height: height - 2 * pad,
    size,
    indent,
  });
};

const mark = (
  pen: Pen,
  { x, y, width, height }: Rect,
  change: Change | null,
  selected: boolean,
  palette: Palette,
): void => {
  if (change === null && !selected) return;
  const radius = Math.min(8, height / 5);
  pen.setLineDash(change === 'carried' || change === 'same-place' ? [3, 3] : []);
  pen.lineWidth = change === 'moved' || change === 'by-hand' ? 2.5 : 1.5;
  pen.strokeStyle = palette.warn;
  pen.beginPath();
  pen.roundRect(x, y, width, height, radius);
  if (change !== null) pen.stroke();
  pen.setLineDash([]);
  if (change === 'moved') {
    const size = Math.max(4, Math.min(10, height / 4));
    // A corner folded over: told apart from other outlines without the colour.
    pen.beginPath();
    pen.moveTo(x + width - size * 1.8, y);
    pen.lineTo(x + width, y);
    pen.lineTo(x + width, y + size * 1.8);
    pen.closePath();
    pen.fillStyle = palette.warn;
    pen.fill();
  }
  if (!selected) return;
  pen.beginPath();
  pen.roundRect(x - 4, y - 4, width + 8, height + 8, radius + 3);
  pen.lineWidth = 3;
  pen.strokeStyle = palette.focus;
  pen.stroke();
};
