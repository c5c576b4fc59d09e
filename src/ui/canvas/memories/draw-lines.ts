import { treesIn } from '../find-cards.ts';
import type { PlacedTree } from '../forest-layout.ts';
import { CARD, ROW_GAP } from '../measures.ts';
import { inksOf, type Palette } from '../palette.ts';
import type { Scene } from '../scene.ts';
import { seenBy, type View } from '../view.ts';
import { INDENT } from './block-layout.ts';
import type { PictureCard } from './picture.ts';

type Pen = CanvasRenderingContext2D;

const PLAIN = 1.5;
const STRONG = 3;
const NEXT_ROW = CARD.height + ROW_GAP;

/** Lines from parents to children; those to what stands forward are strong, in their topics' colours. */
export const drawLines = (
  pen: Pen,
  { layout }: Scene,
  cards: ReadonlyMap<string, PictureCard>,
  view: View,
  palette: Palette,
): void => {
  const plain = new Path2D();
  const strong = new Map<number, Path2D>();
  const lead = leading(layout.trees, cards);
  for (const placed of treesIn(layout, seenBy(view))) {
    for (const [index, id] of placed.tree.ids.entries()) {
      const parent = placed.tree.parents[index] as number;
      if (parent === -1) continue;
      const order = lead.get(id);
      addLine(order === undefined ? plain : pathFor(strong, order), placed, parent, index);
    }
  }
  pen.save();
  pen.translate(view.x, view.y);
  pen.scale(view.zoom, view.zoom);
  pen.lineCap = 'round';
  pen.lineJoin = 'round';
  // On the screen never thinner than a pixel, nor so thick that a small picture is all lines.
  pen.lineWidth = Math.max(PLAIN, 1 / view.zoom);
  pen.strokeStyle = palette.edge;
  pen.stroke(plain);
  pen.lineWidth = Math.max(STRONG, 1.75 / view.zoom);
  for (const [order, path] of strong) {
    pen.strokeStyle = inksOf(palette, order).full;
    pen.stroke(path);
  }
  pen.restore();
};

const pathFor = (paths: Map<number, Path2D>, order: number): Path2D => {
  const path = paths.get(order) ?? new Path2D();
  paths.set(order, path);
  return path;
};

/** The cards on the ways down to those that stand forward, each with the place of that one's topic. */
const leading = (trees: readonly PlacedTree[], cards: ReadonlyMap<string, PictureCard>): Map<string, number> => {
  const found = new Map<string, number>();
  for (const { tree } of trees) {
    for (const [index, id] of tree.ids.entries()) {
      const card = cards.get(id);
      if (card?.strength !== 'forward') continue;
      for (let at = index; at > -1 && !found.has(tree.ids[at] as string); at = tree.parents[at] as number) {
        found.set(tree.ids[at] as string, card.order);
      }
    }
  }
  return found;
};

/**
 * As on the canvas, down to the next row. Where a parent's children stand in several rows, down the margin at the
 * left and along the gap above the child's row, so that no line crosses a card.
 */
const addLine = (path: Path2D, { x, y, tree }: PlacedTree, parent: number, child: number): void => {
  const at = (index: number) => ({ x: x + (tree.xs[index] as number), y: y + (tree.ys[index] as number) });
  const from = at(parent);
  const to = at(child);
  const middle = to.x + CARD.width / 2;
  const last = tree.children[parent]?.at(-1);
  const rows = last !== undefined && (tree.ys[tree.indexOf.get(last) as number] as number) + y > from.y + NEXT_ROW;
  if (!rows) {
    const start = from.x + CARD.width / 2;
    path.moveTo(start, from.y + CARD.height);
    path.bezierCurveTo(start, from.y + CARD.height + ROW_GAP * 0.75, middle, to.y - ROW_GAP * 0.75, middle, to.y);
    return;
  }
  const margin = from.x + INDENT / 2;
  const bend = to.y - ROW_GAP / 2;
  path.moveTo(margin, from.y + CARD.height);
  path.arcTo(margin, bend, middle, bend, 6);
  path.arcTo(middle, bend, middle, to.y, 6);
  path.lineTo(middle, to.y);
};
