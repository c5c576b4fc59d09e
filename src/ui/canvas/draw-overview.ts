import { cardsIn, treesIn } from './find-cards.ts';
import { boxOf, cardOf, type PlacedTree } from './forest-layout.ts';
import { CARD, type Rect, ROW_GAP, TRUNK_ZOOM } from './measures.ts';
import { inksOf, type Palette } from './palette.ts';
import type { Scene } from './scene.ts';

type Pen = CanvasRenderingContext2D;

/** Widths on the screen, in pixels. */
const LEAST_TRUNK = 1.2;
const LEAST_PATH = 4;
const MARKER_RADIUS = 5;
/** A trunk's width where there is room, in pixels at a zoom of 1. */
const TRUNK_WIDTH = 56;

/**
 * The forest from afar: every card a block, or, further off, every straight run a trunk; the active
 * path on top of all. Only upright rectangles, the cheapest thing a canvas can draw.
 */
export const drawOverview = (pen: Pen, scene: Scene, seen: Rect, zoom: number, palette: Palette, marker = MARKER_RADIUS): void => {
  const trees = treesIn(scene.layout, seen);
  for (const placed of trees) {
    pen.fillStyle = inksOf(palette, placed.order).soft;
    if (zoom < TRUNK_ZOOM) drawTrunks(pen, placed, zoom);
    else drawBlocks(pen, placed, seen, zoom);
  }
  drawPath(pen, scene, zoom, palette, marker);
  drawSelection(pen, scene, zoom, palette);
};

const drawTrunks = (pen: Pen, { x, y, tree }: PlacedTree, zoom: number): void => {
  const width = Math.max(TRUNK_WIDTH, LEAST_TRUNK / zoom);
  const line = Math.max(TRUNK_WIDTH / 4, LEAST_TRUNK / zoom / 1.5);
  for (const [head, tip] of tree.runs) {
    const middle = x + (tree.xs[head] as number) + CARD.width / 2;
    const top = y + (tree.ys[head] as number);
    const bottom = y + (tree.ys[tip] as number) + CARD.height;
    pen.fillRect(middle - width / 2, top, width, bottom - top);
    const parent = tree.parents[head] as number;
    if (parent !== -1) drawElbow(pen, x + (tree.xs[parent] as number) + CARD.width / 2, middle, top, line);
  }
};

/** From a parent's middle down to a child's, by a right angle in the gap between their rows. */
const drawElbow = (pen: Pen, from: number, to: number, childTop: number, line: number): void => {
  const bend = childTop - ROW_GAP / 2;
  pen.fillRect(from - line / 2, childTop - ROW_GAP, line, ROW_GAP / 2);
  pen.fillRect(Math.min(from, to) - line / 2, bend - line / 2, Math.abs(from - to) + line, line);
  pen.fillRect(to - line / 2, bend, line, ROW_GAP / 2);
};

const drawBlocks = (pen: Pen, placed: PlacedTree, seen: Rect, zoom: number): void => {
  const { x, y, tree } = placed;
  const line = Math.max(6, LEAST_TRUNK / zoom);
  for (const index of cardsIn(placed, seen)) {
    const left = x + (tree.xs[index] as number);
    const top = y + (tree.ys[index] as number);
    pen.fillRect(left, top, CARD.width, CARD.height);
    const parent = tree.parents[index] as number;
    if (parent !== -1) {
      drawElbow(pen, x + (tree.xs[parent] as number) + CARD.width / 2, left + CARD.width / 2, top, line);
    }
  }
};

const drawPath = (pen: Pen, { forest, layout, standings }: Scene, zoom: number, palette: Palette, marker: number): void => {
  const active = cardOf(layout, forest.nodes[forest.active?.nodeId ?? '']);
  if (active === null) return;
  const { placed, index } = active;
  const { x, y, tree, order } = placed;
  const blocks = zoom >= TRUNK_ZOOM;
  const line = Math.max(blocks ? 10 : TRUNK_WIDTH, LEAST_PATH / zoom);
  pen.fillStyle = inksOf(palette, order).full;
  for (let at = index; at !== -1; at = tree.parents[at] as number) {
    if (!standings.path.has(tree.ids[at] as string)) continue;
    const left = x + (tree.xs[at] as number);
    const top = y + (tree.ys[at] as number);
    if (blocks) pen.fillRect(left, top, CARD.width, CARD.height);
    else pen.fillRect(left + (CARD.width - line) / 2, top, line, CARD.height);
    const parent = tree.parents[at] as number;
    if (parent !== -1) drawElbow(pen, x + (tree.xs[parent] as number) + CARD.width / 2, left + CARD.width / 2, top, line);
  }
  drawMarker(pen, boxOf(active), marker / zoom, palette);
};

/** Where the conversation goes on from. */
const drawMarker = (pen: Pen, box: Rect, radius: number, palette: Palette): void => {
  pen.beginPath();
  pen.arc(box.x + box.width / 2, box.y + box.height / 2, radius, 0, 2 * Math.PI);
  pen.fillStyle = palette.ink;
  pen.fill();
  pen.lineWidth = radius * 0.4;
  pen.strokeStyle = palette.ground;
  pen.stroke();
};

const drawSelection = (pen: Pen, { forest, layout, selectedId }: Scene, zoom: number, palette: Palette): void => {
  const selected = cardOf(layout, forest.nodes[selectedId ?? '']);
  if (selected === null) return;
  const { x, y, width, height } = boxOf(selected);
  const grow = Math.max(3 / zoom, (7 / zoom - height) / 2);
  pen.beginPath();
  pen.roundRect(x - grow, y - grow, width + 2 * grow, height + 2 * grow, 4 / zoom);
  pen.lineWidth = 2 / zoom;
  pen.strokeStyle = palette.focus;
  pen.stroke();
};
