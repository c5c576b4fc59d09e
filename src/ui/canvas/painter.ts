import { drawLit, drawTarget } from './draw-lit.ts';
import { drawNear } from './draw-near.ts';
import { drawMarker, drawOverview, drawSelection } from './draw-overview.ts';
import { drawReferences } from './draw-references.ts';
import { createStripDrawer, createTitleDrawer, STRIP_HEIGHT } from './draw-titles.ts';
import type { Glide } from './glide.ts';
import { createGround } from './ground.ts';
import { OVERVIEW_ZOOM } from './measures.ts';
import type { Palette } from './palette.ts';
import { createPixelBrush } from './pixel-brush.ts';
import type { Scene } from './scene.ts';
import { seenBy, type View } from './view.ts';

const MARKER_RADIUS = 5;

/** Draws lines and cards on the ground. The pen draws in pixels of the screen. */
export type Body = (pen: CanvasRenderingContext2D, scene: Scene, view: View, palette: Palette) => void;

/** Paints the layer under the cards and the strip of titles above them; with `body`, that in place of the forest's lines and cards. */
export const createPainter = (layer: HTMLCanvasElement, strip: HTMLCanvasElement, body: Body | null = null) => {
  // Opaque: the compositor need not blend it.
  const pen = layer.getContext('2d', { alpha: false }) as CanvasRenderingContext2D;
  const stripPen = strip.getContext('2d') as CanvasRenderingContext2D;
  const titles = createTitleDrawer(pen);
  const stripTitles = createStripDrawer(stripPen);
  const layGround = createGround(pen);
  const brush = createPixelBrush();

  const paint = (scene: Scene, view: View, mounted: ReadonlySet<string>, palette: Palette, glide: Glide): void => {
    const ratio = devicePixelRatio;
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
