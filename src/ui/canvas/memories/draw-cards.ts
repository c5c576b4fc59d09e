import { drawWords } from '../draw-words.ts';
import { cardsTouching } from '../find-cards.ts';
import { fitText } from '../fit-text.ts';
import { boxOf, idOf } from '../forest-layout.ts';
import { CARD, type Rect } from '../measures.ts';
import { inksOf, type Palette } from '../palette.ts';
import type { Scene } from '../scene.ts';
import { seenBy, toScreen, type View } from '../view.ts';
import { drawLines } from './draw-lines.ts';
import type { Picture, PictureCard } from './picture.ts';

type Pen = CanvasRenderingContext2D;

/** Heights of a card on the screen, in pixels, from which its words are there, and its name above them. */
const WORDS_HEIGHT = 25;
const NAME_HEIGHT = 46;
/** … and, below both, the number of its turn. */
const NUMBER_HEIGHT = 13;
const LEAST_TEXT = 9.5;
const MOST_TEXT = 14;

/** A picture's lines and cards. The pen draws in pixels of the screen. */
export const drawCards =
  ({ cards }: Pick<Picture, 'cards'>, selected: string | null) =>
  (pen: Pen, scene: Scene, view: View, palette: Palette): void => {
    drawLines(pen, scene, cards, view, palette);
    const seen = seenBy(view, 12);
    let ring: Rect | null = null;
    for (const found of cardsTouching(scene.layout, seen)) {
      const card = cards.get(idOf(found));
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

/** From afar a card is a block of its colour; what steps back is a hole in the ground. */
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

/** On a block, what is told of it in the fewest letters. */
const drawNumber = (
  pen: Pen,
  { number, strength }: PictureCard,
  { x, y, width, height }: Rect,
  palette: Palette,
): void => {
  if (height < NUMBER_HEIGHT || number === '') return;
  const size = Math.max(LEAST_TEXT, height * 0.42);
  pen.font = `600 ${size}px ${palette.font}`;
  if (pen.measureText(number).width > width - 6) return;
  pen.textBaseline = 'middle';
  pen.textAlign = 'center';
  pen.fillStyle = strength === 'forward' ? palette.ground : strength === 'back' ? palette.quiet : palette.ink;
  pen.fillText(number, x + width / 2, y + height / 2 + 0.5);
  pen.textAlign = 'start';
};

const drawText = (pen: Pen, card: PictureCard, { x, y, width, height }: Rect, palette: Palette): void => {
  const size = Math.min(MOST_TEXT, Math.max(LEAST_TEXT, 12.5 * (height / CARD.height)));
  const pad = Math.max(4, 8 * (height / CARD.height));
  const room = width - 2 * pad;
  const named = height >= NAME_HEIGHT;
  pen.textBaseline = 'top';
  let top = y + pad * 0.9;
  if (named) {
    const small = Math.max(LEAST_TEXT, size * 0.92);
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
  // Who speaks first is known.
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
