import { cardsIn, touches, treesIn } from './find-cards.ts';
import { CARD, type Rect, ROW_GAP } from './geometry.ts';
import type { Glide } from './glide.ts';
import type { PlacedTree } from './layout.ts';
import { type Inks, inkAt, type Palette, type Pen } from './palette.ts';
import type { Scene } from './scene.ts';

const PATH_WIDTH = 3;
const LINE_WIDTH = 1.5;
const FORK_RADIUS = 4;

/**
 * What lies under the mounted cards, at a zoom at which words are read: lines, fork points, and
 * the bare ground of cards that are not mounted yet. The pen draws in the canvas's own coordinates.
 */
export const drawNear = (
  pen: Pen,
  scene: Scene,
  seen: Rect,
  mounted: ReadonlySet<string>,
  palette: Palette,
  glide: Glide,
): void => {
  const { standings, colours } = scene;
  const plain = new Path2D();
  const bold = new Path2D();
  const forks = new Map<string, { x: number; y: number; ink: string }>();
  let boldInk = palette.ink;
  for (const placed of treesIn(scene.layout, seen)) {
    const { ids, parents, children } = placed.tree;
    const at = (index: number) => placeOf(placed, index, glide);
    for (const index of cardsIn(placed, seen)) {
      const id = ids[index] as string;
      const parent = parents[index] as number;
      const onPath = standings.path.has(id);
      const inks = inkAt(palette, colours.of(id, placed.order));
      // Where colours stand for something else than topics, the path is one line all the same.
      if (onPath && colours.by === 'topic') boldInk = inks.full;
      const top = at(index);
      if (parent !== -1) {
        const from = at(parent);
        addCurve(onPath ? bold : plain, foot(from), head(top));
        if ((children[parent] as readonly string[]).length > 1)
          forks.set(ids[parent] as string, {
            ...foot(from),
            ink: inkAt(palette, colours.of(ids[parent] as string, placed.order)).full,
          });
      }
      if (!mounted.has(id) && touches(placed, index, seen)) drawGround(pen, top, inks, onPath, palette);
    }
  }
  pen.lineCap = 'round';
  stroke(pen, plain, palette.edge, LINE_WIDTH);
  stroke(pen, bold, boldInk, PATH_WIDTH);
  drawGhostLine(pen, scene, palette);
  for (const fork of forks.values()) drawFork(pen, fork, palette);
};

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A card's top left corner, on its way where it is moving. */
const placeOf = ({ x, y, tree }: PlacedTree, index: number, glide: Glide): Point => {
  const away = glide.offsetOf(tree.ids[index] as string);
  return {
    x: x + (tree.xs[index] as number) + (away?.x ?? 0),
    y: y + (tree.ys[index] as number) + (away?.y ?? 0),
  };
};

/** The middles of a card's edges. */
const head = ({ x, y }: Point): Point => ({ x: x + CARD.width / 2, y });
const foot = ({ x, y }: Point): Point => ({ x: x + CARD.width / 2, y: y + CARD.height });

const stroke = (pen: Pen, path: Path2D, ink: string, width: number) => {
  pen.strokeStyle = ink;
  pen.lineWidth = width;
  pen.stroke(path);
};

const addCurve = (path: Path2D, from: Point, to: Point): void => {
  path.moveTo(from.x, from.y);
  if (Math.abs(from.x - to.x) < 0.5) path.lineTo(to.x, to.y);
  else path.bezierCurveTo(from.x, from.y + ROW_GAP * 0.75, to.x, to.y - ROW_GAP * 0.75, to.x, to.y);
};

const drawGround = (pen: Pen, { x, y }: Point, { full, soft, tint }: Inks, onPath: boolean, palette: Palette): void => {
  pen.beginPath();
  pen.roundRect(x, y, CARD.width, CARD.height, 8);
  pen.fillStyle = onPath ? tint : palette.panel;
  pen.fill();
  pen.strokeStyle = onPath ? full : palette.line;
  pen.lineWidth = onPath ? PATH_WIDTH / 2 : 1;
  pen.stroke();
  pen.fillStyle = onPath ? full : soft;
  pen.fillRect(x, y + 4, 3, CARD.height - 8);
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
  addCurve(path, foot(from), head(box));
  pen.setLineDash([4, 5]);
  stroke(pen, path, palette.quiet, LINE_WIDTH);
  pen.setLineDash([]);
};
