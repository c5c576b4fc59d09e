import { drawNear } from './draw-near.ts';
import { drawOverview } from './draw-overview.ts';
import { createStripDrawer, createTitleDrawer, STRIP_HEIGHT } from './draw-titles.ts';
import { OVERVIEW_ZOOM } from './measures.ts';
import type { Palette } from './palette.ts';
import type { Scene } from './scene.ts';
import { seenBy, type View } from './view.ts';

/** Distance of the ground's dots, in pixels at a zoom of 1. */
const DOT_PITCH = 24;

/** Paints the layer under the cards and the strip of titles above them. */
export const createPainter = (layer: HTMLCanvasElement, strip: HTMLCanvasElement) => {
  // Opaque: the compositor need not blend it.
  const pen = layer.getContext('2d', { alpha: false }) as CanvasRenderingContext2D;
  const stripPen = strip.getContext('2d') as CanvasRenderingContext2D;
  const titles = createTitleDrawer(pen);
  const stripTitles = createStripDrawer(stripPen);
  let dots: { pattern: CanvasPattern; ink: string; ratio: number } | null = null;

  const dotsFor = (ink: string, ratio: number): CanvasPattern => {
    if (dots?.ink !== ink || dots.ratio !== ratio) {
      dots = { pattern: dotPattern(pen, ink, ratio), ink, ratio };
    }
    return dots.pattern;
  };

  const paint = (scene: Scene, view: View, mounted: ReadonlySet<string>, palette: Palette): void => {
    const ratio = devicePixelRatio;
    resize(layer, view.width, view.height, ratio);
    resize(strip, view.width, STRIP_HEIGHT, ratio);
    const { x, y, zoom, width, height } = view;
    const near = zoom >= OVERVIEW_ZOOM;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = palette.ground;
    pen.fillRect(0, 0, width, height);
    if (near) {
      const pattern = dotsFor(palette.line, ratio);
      pattern.setTransform(new DOMMatrix([zoom / ratio, 0, 0, zoom / ratio, x, y]));
      pen.fillStyle = pattern;
      pen.fillRect(0, 0, width, height);
    }
    pen.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * x, ratio * y);
    const seen = seenBy(view);
    if (near) drawNear(pen, scene, seen, mounted, palette);
    else drawOverview(pen, scene, seen, zoom, palette);
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

const dotPattern = (pen: CanvasRenderingContext2D, ink: string, ratio: number): CanvasPattern => {
  const tile = document.createElement('canvas');
  tile.width = tile.height = DOT_PITCH * ratio;
  const tilePen = tile.getContext('2d') as CanvasRenderingContext2D;
  tilePen.scale(ratio, ratio);
  tilePen.fillStyle = ink;
  tilePen.arc(DOT_PITCH / 2, DOT_PITCH / 2, 1, 0, 2 * Math.PI);
  tilePen.fill();
  return pen.createPattern(tile, 'repeat') as CanvasPattern;
};
