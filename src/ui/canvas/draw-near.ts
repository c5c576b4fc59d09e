import { cardsIn, touches, treesIn } from './find-cards.ts';
import type { PlacedTree } from './forest-layout.ts';
import { CARD, type Rect, ROW_GAP } from './measures.ts';
import { inksOf, type Palette } from './palette.ts';
import type { Scene } from './scene.ts';

type Pen = CanvasRenderingContext2D;

const PATH_WIDTH = 3;
const LINE_WIDTH = 1.5;
const FORK_RADIUS = 4;

/**
 * What lies under the mounted cards, at a zoom at which words are read: lines, fork points, and
 * the bare ground of cards that are not mounted yet. The pen draws in the canvas's own coordinates.
 */
export const drawNear = (pen: Pen, scene: Scene, seen: Rect, mounted: ReadonlySet<string>, palette: Palette): void => {
  const { path } = scene.standings;
  const plain = new Path2D();
  const bold = new Path2D();
  const forks = new Map<string, { x: number; y: number; ink: string }>();
  let boldInk = palette.edge;
  for (const placed of treesIn(scene.layout, seen)) {
    const { full } = inksOf(palette, placed.order);
    const { ids, parents, children } = placed.tree;
    for (const index of cardsIn(placed, seen)) {
      const id = ids[index] as string;
      const parent = parents[index] as number;
      const onPath = path.has(id);
      if (onPath) boldInk = full;
      if (parent !== -1) {
        addLine(onPath ? bold : plain, placed, parent, index);
        if ((children[parent] as readonly string[]).length > 1)
          forks.set(ids[parent] as string, { ...foot(placed, parent), ink: full });
      }
      if (!mounted.has(id) && touches(placed, index, seen)) drawGround(pen, placed, index, onPath, palette);
    }
  }
  pen.lineCap = 'round';
  stroke(pen, plain, palette.edge, LINE_WIDTH);
  stroke(pen, bold, boldInk, PATH_WIDTH);
  drawGhostLine(pen, scene, palette);
  for (const fork of forks.values()) drawFork(pen, fork, palette);
};

const stroke = (pen: Pen, path: Path2D, ink: string, width: number) => {
  pen.strokeStyle = ink;
  pen.lineWidth = width;
  pen.stroke(path);
};

/** The middle of a card's lower edge. */
const foot = ({ x, y, tree }: PlacedTree, index: number) => ({
  x: x + (tree.xs[index] as number) + CARD.width / 2,
  y: y + (tree.ys[index] as number) + CARD.height,
});

const addLine = (path: Path2D, placed: PlacedTree, parent: number, child: number): void => {
  const from = foot(placed, parent);
  const to = foot(placed, child);
  addCurve(path, from.x, from.y, to.x, to.y - CARD.height);
};

const addCurve = (path: Path2D, x0: number, y0: number, x1: number, y1: number): void => {
  path.moveTo(x0, y0);
  if (Math.abs(x0 - x1) < 0.5) path.lineTo(x1, y1);
  else path.bezierCurveTo(x0, y0 + ROW_GAP * 0.75, x1, y1 - ROW_GAP * 0.75, x1, y1);
};

const drawGround = (
  pen: Pen,
  { x, y, order, tree }: PlacedTree,
  index: number,
  onPath: boolean,
  palette: Palette,
): void => {
  const { full, soft, tint } = inksOf(palette, order);
  const left = x + (tree.xs[index] as number);
  const top = y + (tree.ys[index] as number);
  pen.beginPath();
  pen.roundRect(left, top, CARD.width, CARD.height, 8);
  pen.fillStyle = onPath ? tint : palette.panel;
  pen.fill();
  pen.strokeStyle = onPath ? full : palette.line;
  pen.lineWidth = onPath ? PATH_WIDTH / 2 : 1;
  pen.stroke();
  pen.fillStyle = onPath ? full : soft;
  pen.fillRect(left, top + 4, 3, CARD.height - 8);
};

const drawFork = (pen: Pen, { x, y, ink }: { x: number; y: number; ink: string }, palette: Palette): void => {
  pen.beginPath();
  pen.arc(x, y + FORK_RADIUS + 1, FORK_RADIUS, 0, 2 * Math.PI);
  pen.fillStyle = palette.ground;
  pen.fill();
  pen.lineWidth = 2;
  pen.strokeStyle = ink;
  pen.stroke();
};

const drawGhostLine = (pen: Pen, { ghost }: Scene, palette: Palette): void => {
  if (ghost?.from == null) return;
  const { box, from } = ghost;
  const path = new Path2D();
  addCurve(path, from.x + CARD.width / 2, from.y + CARD.height, box.x + CARD.width / 2, box.y);
  pen.setLineDash([4, 5]);
  stroke(pen, path, palette.quiet, LINE_WIDTH);
  pen.setLineDash([]);
};
