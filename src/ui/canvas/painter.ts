import { drawLit, drawMarker, drawReferences, drawSelection, drawTarget } from './draw-marks.ts';
import { drawNear } from './draw-near.ts';
import { createPixelBrush, drawOverview } from './draw-overview.ts';
import { createStripDrawer, createTitleDrawer, STRIP_HEIGHT } from './draw-words.ts';
import { OVERVIEW_ZOOM, seenBy, type View } from './geometry.ts';
import type { Glide } from './glide.ts';
import type { Palette } from './palette.ts';
import type { Scene } from './scene.ts';

const MARKER_RADIUS = 5;

/** Draws lines and cards on the ground. The pen draws in pixels of the screen. */
export type Body = (pen: CanvasRenderingContext2D, scene: Scene, view: View, palette: Palette) => void;

/**
 * Paints the layer under the cards and the strip of titles above them; with `body`, that in place of the forest's lines and cards. `fixed`: pixels
 * of the layer for each of the view, where they are not the screen's.
 */
export const createPainter = (
  layer: HTMLCanvasElement,
  strip: HTMLCanvasElement,
  body: Body | null = null,
  fixed?: number,
) => {
  // Opaque: the compositor need not blend it.
  const pen = layer.getContext('2d', { alpha: false }) as CanvasRenderingContext2D;
  const stripPen = strip.getContext('2d') as CanvasRenderingContext2D;
  const titles = createTitleDrawer(pen);
  const stripTitles = createStripDrawer(stripPen);
  const layGround = createGround(pen);
  const brush = createPixelBrush();

  const paint = (scene: Scene, view: View, mounted: ReadonlySet<string>, palette: Palette, glide: Glide): void => {
    const ratio = fixed ?? devicePixelRatio;
    resize(layer, view.width, view.height, ratio);
    resize(strip, view.width, STRIP_HEIGHT, ratio);
    const { x, y, zoom } = view;
    const { width, height } = layer;
    const seen = seenBy(view);
    const toCanvas = () => pen.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * x, ratio * y);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    if (body !== null) {
      layGround(x, y, zoom, width, height, ratio, palette.ground, palette.line);
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      body(pen, scene, view, palette);
    } else if (zoom >= OVERVIEW_ZOOM) {
      layGround(x, y, zoom, width, height, ratio, palette.ground, palette.line);
      toCanvas();
      drawTarget(pen, scene, zoom, palette);
      drawNear(pen, scene, seen, mounted, palette, glide);
      drawReferences(pen, scene, seen, zoom, palette, glide);
    } else {
      brush.begin(width, height, zoom * ratio, x * ratio, y * ratio, palette.groundPixel);
      drawOverview(brush, scene, seen, zoom, palette, glide);
      pen.putImageData(brush.image(), 0, 0);
      toCanvas();
      drawReferences(pen, scene, seen, zoom, palette, glide);
      drawMarker(pen, scene, zoom, MARKER_RADIUS, palette);
      drawTarget(pen, scene, zoom, palette);
      drawLit(pen, scene, zoom, palette);
      drawSelection(pen, scene, zoom, palette);
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    titles.drawTitles(scene, view, palette);
    stripPen.setTransform(ratio, 0, 0, ratio, 0, 0);
    stripTitles.drawStrip(scene, view, palette);
  };

  /** What was measured no longer holds: another font has come. */
  const forget = () => {
    titles.forget();
    stripTitles.forget();
  };
  return { paint, forget };
};

const resize = (canvas: HTMLCanvasElement, width: number, height: number, ratio: number): void => {
  const w = Math.round(width * ratio);
  const h = Math.round(height * ratio);
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
};

/** Distance of the ground's dots at a zoom of 1, in pixels of the screen. */
const PITCH = 24;
/** Dots are thinned out or filled in so that their distance stays from this to twice this. */
const LEAST_PITCH = 16;
/** The distance goes in steps, so that a few tiles do for every zoom. */
const PITCH_STEP = 4;

/**
 * Lays the dotted ground. It is copied from tiles of whole pixels, unscaled: a scaled pattern over
 * the whole pane would take more of a frame than everything else.
 */
const createGround = (pen: CanvasRenderingContext2D) => {
  const tiles = new Map<number, HTMLCanvasElement>();
  let made = '';

  /** Covers `width` × `height` pixels of the device; the pen must not be transformed. */
  return (
    x: number,
    y: number,
    zoom: number,
    width: number,
    height: number,
    ratio: number,
    ground: string,
    dot: string,
  ): void => {
    const look = `${width} ${height} ${ratio} ${ground} ${dot}`;
    if (made !== look) tiles.clear();
    made = look;
    const pitch = Math.round(pitchAt(zoom) * ratio);
    const tile = tiles.get(pitch) ?? makeTile(pitch, width + pitch, height + pitch, ratio, ground, dot);
    tiles.set(pitch, tile);
    pen.drawImage(tile, mod(Math.round(x * ratio), pitch) - pitch, mod(Math.round(y * ratio), pitch) - pitch);
  };
};

const pitchAt = (zoom: number): number => {
  let pitch = PITCH * zoom;
  while (pitch < LEAST_PITCH) pitch *= 2;
  while (pitch >= 2 * LEAST_PITCH) pitch /= 2;
  return Math.round(pitch / PITCH_STEP) * PITCH_STEP;
};

const mod = (value: number, by: number): number => ((value % by) + by) % by;

const makeTile = (
  pitch: number,
  width: number,
  height: number,
  ratio: number,
  ground: string,
  dot: string,
): HTMLCanvasElement => {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext('2d', { alpha: false }) as CanvasRenderingContext2D;
  pen.fillStyle = ground;
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = dot;
  const size = Math.max(1, Math.round(1.5 * ratio));
  for (let y = pitch >> 1; y < height; y += pitch) {
    for (let x = pitch >> 1; x < width; x += pitch) pen.fillRect(x, y, size, size);
  }
  return canvas;
};
