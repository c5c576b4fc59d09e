import type { NodeId } from '../../domain/forest.ts';
import { cardsIn, treesIn } from './find-cards.ts';
import { standInFor } from './folding.ts';
import { boxOf, type CardRef, cardOf, type PlacedTree } from './forest-layout.ts';
import type { Glide } from './glide.ts';
import { CARD, type Rect, ROW_GAP, TRUNK_ZOOM } from './measures.ts';
import { inkAt, inksOf, type Palette } from './palette.ts';
import type { Pixel, PixelBrush } from './pixel-brush.ts';
import type { Scene } from './scene.ts';

/** Widths on the screen, in pixels. */
const LEAST_TRUNK = 1.2;
const LEAST_PATH = 4;
/** A trunk's width where there is room, in pixels at a zoom of 1. */
const TRUNK_WIDTH = 56;
const AT_REST: Glide = { offsetOf: () => undefined };

/**
 * The forest from afar: every card a block, or, further off, every straight run a trunk; the active
 * path on top of all. Nothing but upright rectangles, so that all of a large forest is drawn in a frame.
 */
export const drawOverview = (
  brush: PixelBrush,
  scene: Scene,
  seen: Rect,
  zoom: number,
  palette: Palette,
  glide: Glide = AT_REST,
): void => {
  for (const placed of treesIn(scene.layout, seen)) {
    const inkOf = (index: number): Pixel => {
      const id = placed.tree.ids[index] as string;
      // What is hidden fades into the ground, whatever the colours stand for.
      if (scene.forest.nodes[id]?.hidden === true && scene.colours.by !== 'context') return palette.linePixel;
      return inkAt(palette, scene.colours.of(id, placed.order)).softPixel;
    };
    if (zoom < TRUNK_ZOOM) drawTrunks(brush, placed, zoom, inkOf);
    else drawBlocks(brush, placed, seen, zoom, inkOf, glide);
  }
  drawPath(brush, scene, zoom, palette);
};

type InkOf = (index: number) => Pixel;

const drawTrunks = (brush: PixelBrush, { x, y, tree }: PlacedTree, zoom: number, inkOf: InkOf): void => {
  const width = Math.max(TRUNK_WIDTH, LEAST_TRUNK / zoom);
  const line = Math.max(TRUNK_WIDTH / 4, LEAST_TRUNK / zoom / 1.5);
  for (const [head, tip] of tree.runs) {
    const middle = x + (tree.xs[head] as number) + CARD.width / 2;
    const top = y + (tree.ys[head] as number);
    const bottom = y + (tree.ys[tip] as number) + CARD.height;
    brush.dip(inkOf(head));
    brush.rect(middle - width / 2, top, width, bottom - top);
    const parent = tree.parents[head] as number;
    if (parent !== -1) drawElbow(brush, x + (tree.xs[parent] as number) + CARD.width / 2, middle, top, line);
  }
};

/** From a parent's middle down to a child's, by a right angle in the gap between their rows. */
const drawElbow = (brush: PixelBrush, from: number, to: number, childTop: number, line: number): void => {
  const bend = childTop - ROW_GAP / 2;
  brush.rect(from - line / 2, childTop - ROW_GAP, line, ROW_GAP / 2);
  if (Math.abs(from - to) > 1)
    brush.rect(Math.min(from, to) - line / 2, bend - line / 2, Math.abs(from - to) + line, line);
  brush.rect(to - line / 2, bend, line, ROW_GAP / 2);
};

const drawBlocks = (
  brush: PixelBrush,
  placed: PlacedTree,
  seen: Rect,
  zoom: number,
  inkOf: InkOf,
  glide: Glide,
): void => {
  const { x, y, tree } = placed;
  const line = Math.max(6, LEAST_TRUNK / zoom);
  for (const index of cardsIn(placed, seen)) {
    const away = glide.offsetOf(tree.ids[index] as string);
    const left = x + (tree.xs[index] as number) + (away?.x ?? 0);
    const top = y + (tree.ys[index] as number) + (away?.y ?? 0);
    brush.dip(inkOf(index));
    brush.rect(left, top, CARD.width, CARD.height);
    const parent = tree.parents[index] as number;
    // Lines with right angles have nothing to say while their ends are on their way.
    if (parent !== -1 && away === undefined) {
      drawElbow(brush, x + (tree.xs[parent] as number) + CARD.width / 2, left + CARD.width / 2, top, line);
    }
  }
};

const drawPath = (brush: PixelBrush, scene: Scene, zoom: number, palette: Palette): void => {
  const active = shownActive(scene);
  if (active === null) return;
  const { placed, index } = active;
  const { x, y, tree, order } = placed;
  const blocks = zoom >= TRUNK_ZOOM;
  const line = Math.max(blocks ? 12 : TRUNK_WIDTH, LEAST_PATH / zoom);
  brush.dip(scene.colours.by === 'topic' ? inksOf(palette, order).fullPixel : palette.inkPixel);
  for (let at = index; at !== -1; at = tree.parents[at] as number) {
    const left = x + (tree.xs[at] as number);
    const top = y + (tree.ys[at] as number);
    if (blocks) brush.rect(left, top, CARD.width, CARD.height);
    else brush.rect(left + (CARD.width - line) / 2, top, line, CARD.height);
    const parent = tree.parents[at] as number;
    if (parent !== -1)
      drawElbow(brush, x + (tree.xs[parent] as number) + CARD.width / 2, left + CARD.width / 2, top, line);
  }
};

/** Where the conversation goes on from. Lengths are in the pen's own pixels; `zoom` is the pen's scale. */
export const drawMarker = (
  pen: CanvasRenderingContext2D,
  scene: Scene,
  zoom: number,
  radius: number,
  palette: Palette,
): void => {
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

/** The active turn's card, or the one that it is folded into. */
const shownActive = ({ forest, layout }: Scene): CardRef | null => {
  const id = forest.active?.nodeId ?? '';
  const shown = standInFor(forest, (node) => cardOf(layout, node) !== null, id);
  return shown === null ? null : cardOf(layout, forest.nodes[shown]);
};

/** Rings around the selected cards, around those that are dragged, and around the one that they are over. */
export const drawSelection = (pen: CanvasRenderingContext2D, scene: Scene, zoom: number, palette: Palette): void => {
  for (const id of scene.selection) ring(pen, scene, id, zoom, palette.focus, 2);
  const { carry } = scene;
  if (carry === null) return;
  pen.globalAlpha = 0.6;
  for (const id of carry.family) ring(pen, scene, id, zoom, palette.quiet, 1);
  pen.globalAlpha = 1;
  if (carry.over !== null) ring(pen, scene, carry.over, zoom, carry.refused ? palette.danger : palette.focus, 4);
};

const ring = (
  pen: CanvasRenderingContext2D,
  { forest, layout }: Scene,
  id: NodeId,
  zoom: number,
  ink: string,
  line: number,
): void => {
  const card = cardOf(layout, forest.nodes[id]);
  if (card === null) return;
  const { x, y, width, height } = boxOf(card);
  const grow = Math.max(3 / zoom, (7 / zoom - height) / 2);
  pen.beginPath();
  pen.roundRect(x - grow, y - grow, width + 2 * grow, height + 2 * grow, 4 / zoom);
  pen.lineWidth = line / zoom;
  pen.strokeStyle = ink;
  pen.stroke();
};
