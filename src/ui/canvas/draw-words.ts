import { fitText } from './fit-text.ts';

type Pen = CanvasRenderingContext2D;

/** Of the size of the letters. */
const LINE = 1.3;

/** Where words go, in pixels of the screen. */
export interface Column {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Of the letters. */
  readonly size: number;
  /** Room left free at the start of the first line. */
  readonly indent: number;
}

/** Writes, in the pen's own font, as many whole lines as there is room for, and at least one; the last is cut. */
export const drawWords = (pen: Pen, words: string, { x, y, width, height, size, indent }: Column): void => {
  const lines = Math.max(1, Math.floor((height + 0.3 * size) / (size * LINE)));
  let rest = words.replace(/\s+/g, ' ').slice(0, 160);
  for (let line = 0; line < lines && rest !== ''; line++) {
    const left = line === 0 ? indent : 0;
    const room = width - left;
    const last = line === lines - 1;
    const text = last ? fitText(rest, room, (part) => pen.measureText(part).width) : firstWords(pen, rest, room);
    pen.fillText(text, x + left, y + line * size * LINE);
    rest = rest.slice(text.length).trimStart();
  }
};

/** As many whole words as fit, or as much of the first one. */
const firstWords = (pen: Pen, text: string, width: number): string => {
  if (pen.measureText(text).width <= width) return text;
  let end = 0;
  for (let at = text.indexOf(' '); at !== -1; at = text.indexOf(' ', at + 1)) {
    if (pen.measureText(text.slice(0, at)).width > width) break;
    end = at;
  }
  return end > 0 ? text.slice(0, end) : fitText(text, width, (part) => pen.measureText(part).width);
};
