import { clamp } from '../../../domain/numbers.ts';
import { drawWords, fitText, LARGEST_TEXT, SMALLEST_TEXT } from '../draw-words.ts';
import { cardsTouching, treesIn } from '../find-cards.ts';
import { CARD, type Rect, ROW_GAP, toScreen, type View, visibleRect } from '../geometry.ts';
import { boxOf, cardNodeId, type PlacedTree } from '../layout.ts';
import { inksOf, type Palette, type Pen } from '../palette.ts';
import type { Scene } from '../scene.ts';
import type { Picture, PictureCard } from './picture.ts';
import { INDENT } from './picture-layout.ts';

/** Minimum card heights on screen, in pixels, for its words, and for its name above them. */
const WORDS_HEIGHT = 25;
const NAME_HEIGHT = 46;
/** … and, below both, for the number of its turn. */
const NUMBER_HEIGHT = 13;

/** A picture's lines and cards. The pen draws in screen pixels. */
export const drawCards =
  ({ cards }: Pick<Picture, 'cards'>, selected: string | null) =>
  (pen: Pen, scene: Scene, view: View, palette: Palette): void => {
    drawLines(pen, scene, cards, view, palette);
    const seen = visibleRect(view, 12);
    let ring: Rect | null = null;
    for (const found of cardsTouching(scene.layout, seen)) {
      const card = cards.get(cardNodeId(found));
      if (card === undefined) continue;
      const box = toScreen(view, boxOf(found));
      drawCard(pen, card, box, palette);
      if (card.id === selected) ring = box;
    }
    if (ring !== null) drawRing(pen, ring, palette);
  };

const drawCard = (pen: Pen, card: PictureCard, box: Rect, palette: Palette): void => {
  const { x, y, width, height } = box;
  const { full, soft } = inksOf(palette, card.order);
  const forward = card.strength === 'forward';
  const back = card.strength === 'back';
  const radius = Math.min(8, height / 5);
  const far = height < WORDS_HEIGHT;
  pen.beginPath();
  pen.roundRect(x, y, width, height, radius);
  const { fill, stroke } = looksOf(card, far, palette);
  pen.fillStyle = fill;
  pen.fill();
  pen.lineWidth = forward && !far ? 2.5 : 1;
  pen.strokeStyle = stroke;
  pen.setLineDash(back && !far ? [4, 3] : []);
  pen.stroke();
  pen.setLineDash([]);
  if (far) return drawNumber(pen, card, box, palette);
  const stripe = Math.max(2, (forward ? 6 : 3) * (height / CARD.height));
  pen.save();
  pen.clip();
  pen.fillStyle = forward ? full : soft;
  pen.globalAlpha = back ? 0.5 : 1;
  pen.fillRect(x, y, stripe, height);
  pen.restore();
  drawText(pen, card, { ...box, x: x + stripe, width: width - stripe }, palette);
};

/** In the overview a card is a block of its colour; a `back` card is a hole in the background. */
const looksOf = (
  { strength, order }: PictureCard,
  far: boolean,
  palette: Palette,
): { readonly fill: string; readonly stroke: string } => {
  const { full, soft, tint } = inksOf(palette, order);
  switch (strength) {
    case 'forward':
      return { fill: far ? full : tint, stroke: full };
    case 'back':
      return { fill: palette.ground, stroke: far ? soft : palette.line };
    default:
      return { fill: far ? soft : palette.panel, stroke: far ? soft : palette.edge };
  }
};

/** The shortest description, drawn on a block. */
const drawNumber = (
  pen: Pen,
  { number, strength }: PictureCard,
  { x, y, width, height }: Rect,
  palette: Palette,
): void => {
  if (height < NUMBER_HEIGHT || number === '') return;
  const size = Math.max(SMALLEST_TEXT, height * 0.42);
  pen.font = `600 ${size}px ${palette.font}`;
  if (pen.measureText(number).width > width - 6) return;
  pen.textBaseline = 'middle';
  pen.textAlign = 'center';
  pen.fillStyle = strength === 'forward' ? palette.ground : strength === 'back' ? palette.quiet : palette.ink;
  pen.fillText(number, x + width / 2, y + height / 2 + 0.5);
  pen.textAlign = 'start';
};

const drawText = (pen: Pen, card: PictureCard, { x, y, width, height }: Rect, palette: Palette): void => {
  const size = clamp(12.5 * (height / CARD.height), SMALLEST_TEXT, LARGEST_TEXT);
  const pad = Math.max(4, 8 * (height / CARD.height));
  const room = width - 2 * pad;
  const named = height >= NAME_HEIGHT;
  pen.textBaseline = 'top';
  let top = y + pad * 0.9;
  if (named) {
    const small = Math.max(SMALLEST_TEXT, size * 0.92);
    pen.font = `${card.strength === 'forward' ? 600 : 400} ${small}px ${palette.font}`;
    const noteWidth = card.note === '' ? 0 : pen.measureText(card.note).width;
    pen.fillStyle = card.strength === 'forward' ? palette.ink : palette.quiet;
    if (noteWidth > 0) pen.fillText(card.note, x + width - pad - noteWidth, top);
    const left = room - (noteWidth === 0 ? 0 : noteWidth + 8);
    if (left > 24) {
      pen.font = `600 ${small}px ${palette.font}`;
      pen.fillStyle = card.strength === 'back' ? palette.quiet : palette.ink;
      pen.fillText(
        fitText(card.name, left, (words) => pen.measureText(words).width),
        x + pad,
        top,
      );
    }
    top += small * 1.45;
  }
  pen.font = `400 ${size}px ${palette.font}`;
  pen.fillStyle = card.strength === 'forward' ? palette.ink : palette.quiet;
  // The first speaker is always the user.
  drawWords(pen, card.words.replace(/^User: /, ''), {
    x: x + pad,
    y: top,
    width: room,
    height: y + height - pad * 0.7 - top,
    size,
    indent: 0,
  });
};

const drawRing = (pen: Pen, { x, y, width, height }: Rect, palette: Palette): void => {
  const grow = Math.max(4, (9 - height) / 2);
  pen.beginPath();
  pen.roundRect(x - grow, y - grow, width + 2 * grow, height + 2 * grow, Math.min(11, height / 4 + 3));
  pen.lineWidth = 2.5;
  pen.strokeStyle = palette.focus;
  pen.stroke();
};

const PLAIN = 1.5;
const STRONG = 3;
const NEXT_ROW = CARD.height + ROW_GAP;

/** Lines from parents to children; those to `forward` cards are strong, in their topics' colours. */
const drawLines = (
  pen: Pen,
  { layout }: Scene,
  cards: ReadonlyMap<string, PictureCard>,
  view: View,
  palette: Palette,
): void => {
  const plain = new Path2D();
  const strong = new Map<number, Path2D>();
  const lead = leading(layout.trees, cards);
  for (const placed of treesIn(layout, visibleRect(view))) {
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
  // On screen never thinner than a pixel, nor so thick that a small picture is all lines.
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

/** The cards on the paths down to `forward` cards, each mapped to the order of that card's topic. */
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
 * Straight down to the next row, as on the canvas. If a parent's children take several rows, down the left margin and
 * along the gap above the child's row, so that no line crosses a card.
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
