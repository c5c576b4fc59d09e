import { TOPIC_COLOURS } from '../topic-colour.ts';
import { COLOURS } from './scene.ts';

export type Pen = CanvasRenderingContext2D;

/** The variants of a card colour that the drawn layers use, as CSS colours without `var`. */
export interface CardInks {
  readonly full: string;
  /** For anything off the active path. */
  readonly soft: string;
  /** Background of a card on the active path. */
  readonly tint: string;
  readonly fullPixel: Pixel;
  readonly softPixel: Pixel;
}

export interface Palette {
  readonly ground: string;
  readonly groundPixel: Pixel;
  readonly panelPixel: Pixel;
  readonly panel: string;
  readonly ink: string;
  readonly inkPixel: Pixel;
  readonly quiet: string;
  readonly line: string;
  readonly linePixel: Pixel;
  readonly edge: string;
  readonly focus: string;
  readonly font: string;
  readonly danger: string;
  readonly warn: string;
  /** In the order of COLOURS. */
  readonly inks: readonly CardInks[];
}

/** Reads the theme's tokens at an element. This costs a style recalculation: cache the result until the theme changes. */
export const readPalette = (element: HTMLElement): Palette => {
  const probe = document.createElement('span');
  probe.hidden = true;
  // Forced colours would make every token the same; what is drawn brings its own background.
  probe.style.forcedColorAdjust = 'none';
  element.append(probe);
  const resolve = (colour: string): string => {
    probe.style.color = colour;
    return getComputedStyle(probe).color;
  };
  const pixelOf = createPixelReader();
  const ground = resolve('var(--bg)');
  const panel = resolve('var(--panel)');
  const ink = resolve('var(--ink)');
  const line = resolve('var(--line)');
  const inks = COLOURS.map((colour): CardInks => {
    const full = resolve(colour);
    const soft = resolve(`color-mix(in oklab, var(--bg), ${colour} 46%)`);
    return {
      full,
      soft,
      fullPixel: pixelOf(full),
      softPixel: pixelOf(soft),
      tint: resolve(`color-mix(in oklab, var(--panel), ${colour} var(--tint))`),
    };
  });
  const palette: Palette = {
    ground,
    groundPixel: pixelOf(ground),
    panel,
    panelPixel: pixelOf(panel),
    ink,
    inkPixel: pixelOf(ink),
    quiet: resolve('var(--ink-3)'),
    line,
    linePixel: pixelOf(line),
    edge: resolve('var(--line-2)'),
    focus: resolve('var(--focus)'),
    font: getComputedStyle(element).fontFamily,
    danger: resolve('var(--danger)'),
    warn: resolve('var(--warn)'),
    inks,
  };
  probe.remove();
  return palette;
};

/** The inks of a topic, by its order. */
export const inksOf = (palette: Palette, order: number): CardInks => inkAt(palette, order % TOPIC_COLOURS);

/** The inks of a colour, by its index in COLOURS. */
export const inkAt = ({ inks }: Palette, colour: number): CardInks => inks[colour] as CardInks;

/** Calls back when the theme changes; returns a function that stops watching. */
export const watchTheme = (changed: () => void): (() => void) => {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class', 'style'] });
  const modes = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) => matchMedia(query));
  for (const mode of modes) mode.addEventListener('change', changed);
  return () => {
    observer.disconnect();
    for (const mode of modes) mode.removeEventListener('change', changed);
  };
};

/** An opaque colour as a pixel of ImageData on a little-endian machine: 0xAABBGGRR. */
export type Pixel = number;

/** Returns a function that converts CSS colours to pixels. */
const createPixelReader = () => {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext('2d', { willReadFrequently: true }) as Pen;
  return (colour: string): Pixel => {
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return new Uint32Array(pen.getImageData(0, 0, 1, 1).data.buffer)[0] as Pixel;
  };
};
