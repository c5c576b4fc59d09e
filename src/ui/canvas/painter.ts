import { drawLit, drawMarker, drawReferences, drawSelection, drawTarget } from './draw-marks.ts';
import { createPixelBrush, drawOverview } from './draw-overview.ts';
import { createStripDrawer, createTitleDrawer, STRIP_HEIGHT } from './draw-words.ts';
import { cardsIn, touches, treesIn } from './find-cards.ts';
import { CARD, OVERVIEW_ZOOM, type Rect, ROW_GAP, type View, visibleRect } from './geometry.ts';
import type { Glide } from './glide.ts';
import type { PlacedTree } from './layout.ts';
import { type CardInks, inkAt, type Palette, type Pen } from './palette.ts';
import type { Scene } from './scene.ts';

const MARKER_RADIUS = 5;

/** Draws lines and cards on the background. The pen draws in screen pixels. */
export type Body = (pen: CanvasRenderingContext2D, scene: Scene, view: View, palette: Palette) => void;

/**
 * Paints the layer under the cards and the strip of titles above them; `body` replaces the forest's lines and cards.
 * `fixed`: layer pixels per view pixel, if not the screen's ratio.
 */
export const createPainter = (
  layer: HTMLCanvasElement,
  strip: HTMLCanvasElement,
  body: Body | null = null,
  fixed?: number,
) => {
  // Opaque, so that the compositor need not blend it.
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
    const seen = visibleRect(view);
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
      drawSelection(pen, scene, seen, zoom, palette);
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    titles.drawTitles(scene, view, palette);
    stripPen.setTransform(ratio, 0, 0, ratio, 0, 0);
    stripTitles.drawStrip(scene, view, palette);
  };

  /** Drops the measurements: the font has changed. */
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

/** Distance between the background's dots at a zoom of 1, in screen pixels. */
const PITCH = 24;
/** Dots are thinned out or filled in so that their distance stays between this and twice this. */
const LEAST_PITCH = 16;
/** The distance is quantised, so that a few tiles cover every zoom. */
const PITCH_STEP = 4;

/**
 * Draws the dotted background by copying tiles of whole pixels, unscaled: a scaled pattern over the whole pane would
 * take more of a frame than everything else.
 */
const createGround = (pen: CanvasRenderingContext2D) => {
  const tiles = new Map<number, HTMLCanvasElement>();
  let made = '';

  /** Covers `width` × `height` device pixels; the pen must not be transformed. */
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

const PATH_WIDTH = 3;
const LINE_WIDTH = 1.5;
const FORK_RADIUS = 4;

/**
 * What is under the mounted cards at readable zooms: lines, fork points, and the backgrounds of cards that are not
 * mounted yet. The pen draws in canvas coordinates.
 */
const drawNear = (
  pen: Pen,
  scene: Scene,
  seen: Rect,
  mounted: ReadonlySet<string>,
  palette: Palette,
  glide: Glide,
): void => {
  const { standings, colours } = scene;
  const plain = new Path2D();
  const bold = new Path2D();
  const forks = new Map<string, { x: number; y: number; ink: string }>();
  let boldInk = palette.ink;
  for (const placed of treesIn(scene.layout, seen)) {
    const { ids, parents, children } = placed.tree;
    const at = (index: number) => placeOf(placed, index, glide);
    for (const index of cardsIn(placed, seen)) {
      const id = ids[index] as string;
      const parent = parents[index] as number;
      const onPath = standings.path.has(id);
      const inks = inkAt(palette, colours.of(id, placed.order));
      // Even if colours do not stand for topics, the path is still a single line.
      if (onPath && colours.by === 'topic') boldInk = inks.full;
      const top = at(index);
      if (parent !== -1) {
        const from = at(parent);
        addCurve(onPath ? bold : plain, foot(from), head(top));
        if ((children[parent] as readonly string[]).length > 1)
          forks.set(ids[parent] as string, {
            ...foot(from),
            ink: inkAt(palette, colours.of(ids[parent] as string, placed.order)).full,
          });
      }
      if (!mounted.has(id) && touches(placed, index, seen)) drawGround(pen, top, inks, onPath, palette);
    }
  }
  pen.lineCap = 'round';
  stroke(pen, plain, palette.edge, LINE_WIDTH);
  stroke(pen, bold, boldInk, PATH_WIDTH);
  drawGhostLine(pen, scene, palette);
  for (const fork of forks.values()) drawFork(pen, fork, palette);
};

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A card's top left corner, including its animation offset. */
const placeOf = ({ x, y, tree }: PlacedTree, index: number, glide: Glide): Point => {
  const away = glide.offsetOf(tree.ids[index] as string);
  return {
    x: x + (tree.xs[index] as number) + (away?.x ?? 0),
    y: y + (tree.ys[index] as number) + (away?.y ?? 0),
  };
};

/** Midpoints of a card's top and bottom edges. */
const head = ({ x, y }: Point): Point => ({ x: x + CARD.width / 2, y });
const foot = ({ x, y }: Point): Point => ({ x: x + CARD.width / 2, y: y + CARD.height });

const stroke = (pen: Pen, path: Path2D, ink: string, width: number) => {
  pen.strokeStyle = ink;
  pen.lineWidth = width;
  pen.stroke(path);
};

const addCurve = (path: Path2D, from: Point, to: Point): void => {
  path.moveTo(from.x, from.y);
  if (Math.abs(from.x - to.x) < 0.5) path.lineTo(to.x, to.y);
  else path.bezierCurveTo(from.x, from.y + ROW_GAP * 0.75, to.x, to.y - ROW_GAP * 0.75, to.x, to.y);
};

const drawGround = (
  pen: Pen,
  { x, y }: Point,
  { full, soft, tint }: CardInks,
  onPath: boolean,
  palette: Palette,
): void => {
  pen.beginPath();
  pen.roundRect(x, y, CARD.width, CARD.height, 8);
  pen.fillStyle = onPath ? tint : palette.panel;
  pen.fill();
  pen.strokeStyle = onPath ? full : palette.line;
  pen.lineWidth = onPath ? PATH_WIDTH / 2 : 1;
  pen.stroke();
  pen.fillStyle = onPath ? full : soft;
  pen.fillRect(x, y + 4, 3, CARD.height - 8);
};

const drawFork = (pen: Pen, { x, y, ink }: { x: number; y: number; ink: string }, palette: Palette): void => {
  pen.beginPath();
  pen.arc(x, y + FORK_RADIUS + 1, FORK_RADIUS, 0, 2 * Math.PI);
  pen.fillStyle = palette.ground;
  pen.fill();
  pen.lineWidth = 2;
  pen.strokeStyle = ink;
  pen.stroke();
};

const drawGhostLine = (pen: Pen, { ghost }: Scene, palette: Palette): void => {
  if (ghost?.from == null) return;
  const { box, from } = ghost;
  const path = new Path2D();
  addCurve(path, foot(from), head(box));
  pen.setLineDash([4, 5]);
  stroke(pen, path, palette.quiet, LINE_WIDTH);
  pen.setLineDash([]);
};
