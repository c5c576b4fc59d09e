import { cardsIn, treesIn } from './find-cards.ts';
import { CARD, type Rect, ROW_GAP, TRUNK_ZOOM } from './geometry.ts';
import { AT_REST, type Glide } from './glide.ts';
import type { PlacedTree, TreeLayout } from './layout.ts';
import { inkAt, inksOf, type Palette, type Pixel } from './palette.ts';
import { type Scene, shownActive } from './scene.ts';

/** Minimum widths in screen pixels. */
const LEAST_TRUNK = 1.2;
const LEAST_PATH = 4;
/** Full width of a trunk, in pixels at a zoom of 1. */
const TRUNK_WIDTH = 56;

/**
 * The forest from afar: every card a block or, further out, every straight run a trunk; the active path on top. Only
 * axis-aligned rectangles, so that a whole large forest can be drawn in a frame.
 */
export const drawOverview = (
  brush: PixelBrush,
  scene: Scene,
  seen: Rect,
  zoom: number,
  palette: Palette,
  glide: Glide = AT_REST,
): void => {
  const { forest, colours } = scene;
  const hides = forest.hiddenCount > 0 && colours.by !== 'context';
  const inksOfTree = ({ tree, order }: PlacedTree, shade: Shade): Inks => {
    const inkOf = (index: number): Pixel => {
      const id = tree.ids[index] as string;
      // Hidden turns fade into the background, whatever the colours stand for.
      if (hides && forest.nodes[id]?.hidden === true) return palette.linePixel;
      return inkAt(palette, colours.of(id, order))[shade];
    };
    // Avoids looking up a hundred thousand turns where it makes no difference.
    return colours.by === 'topic' && !hides ? inkOf(0) : inkOf;
  };
  for (const placed of treesIn(scene.layout, seen)) {
    const inks = inksOfTree(placed, 'softPixel');
    if (zoom < TRUNK_ZOOM) drawTrunks(brush, placed, seen, zoom, inks);
    else drawBlocks(brush, placed, seen, zoom, inks, glide);
  }
  drawPath(brush, scene, seen, zoom, palette, (placed) => inksOfTree(placed, 'fullPixel'));
};

type Shade = 'fullPixel' | 'softPixel';

/** One ink for all turns of a topic, or one for each, by its index. */
type Inks = Pixel | ((index: number) => Pixel);

const inkOfTurn = (inks: Inks, index: number): Pixel => (typeof inks === 'number' ? inks : inks(index));

const drawTrunks = (brush: PixelBrush, placed: PlacedTree, seen: Rect, zoom: number, inks: Inks): void => {
  const { x, y, tree } = placed;
  const width = Math.max(TRUNK_WIDTH, LEAST_TRUNK / zoom);
  const line = Math.max(TRUNK_WIDTH / 4, LEAST_TRUNK / zoom / 1.5);
  for (const run of tree.runs) {
    const [head, tip] = run;
    const middle = x + (tree.xs[head] as number) + CARD.width / 2;
    const top = y + (tree.ys[head] as number);
    const bottom = y + (tree.ys[tip] as number) + CARD.height;
    const isBeside = middle + width / 2 < seen.x || middle - width / 2 > seen.x + seen.width;
    if (typeof inks === 'number' || isBeside) {
      brush.dip(inkOfTurn(inks, head));
      brush.rect(middle - width / 2, top, width, bottom - top);
    } else drawTrunk(brush, placed, run, middle - width / 2, width, seen, zoom, inks);
    const parent = tree.parents[head] as number;
    if (parent !== -1) drawElbow(brush, x + (tree.xs[parent] as number) + CARD.width / 2, middle, top, line);
  }
};

/**
 * In the colours of its turns, from the tip upwards: only the way to a parent is at hand. The brush is left with the ink
 * of the upper end.
 */
const drawTrunk = (
  brush: PixelBrush,
  { y, tree }: PlacedTree,
  [head, tip]: TreeLayout['runs'][number],
  left: number,
  width: number,
  seen: Rect,
  zoom: number,
  inkOf: (index: number) => Pixel,
): void => {
  let bottom = y + (tree.ys[tip] as number) + CARD.height;
  let read = tip;
  let ink = inkOf(tip);
  brush.dip(ink);
  for (let at = tip; at !== head; ) {
    at = tree.parents[at] as number;
    const top = y + (tree.ys[at] as number);
    const edge = top + CARD.height + ROW_GAP;
    if (edge < seen.y) break;
    if (top > seen.y + seen.height || !isApart(tree, at, read, zoom)) continue;
    read = at;
    const next = inkOf(at);
    if (next === ink) continue;
    brush.rect(left, edge, width, bottom - edge);
    brush.dip(next);
    ink = next;
    bottom = edge;
  }
  const top = y + (tree.ys[head] as number);
  brush.rect(left, top, width, bottom - top);
};

/**
 * Whether a turn is drawn at least a pixel above another. Where it is not, its colour is not looked up: of a long run seen
 * from afar, that would be a hundred thousand turns in a frame.
 */
const isApart = ({ ys }: TreeLayout, above: number, below: number, zoom: number): boolean =>
  ((ys[below] as number) - (ys[above] as number)) * zoom >= 1;

/** From a parent's centre down to a child's, with a right-angled bend in the gap between their rows. */
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
  inks: Inks,
  glide: Glide,
): void => {
  const { x, y, tree } = placed;
  const line = Math.max(6, LEAST_TRUNK / zoom);
  for (const index of cardsIn(placed, seen)) {
    const away = glide.offsetOf(tree.ids[index] as string);
    const left = x + (tree.xs[index] as number) + (away?.x ?? 0);
    const top = y + (tree.ys[index] as number) + (away?.y ?? 0);
    brush.dip(inkOfTurn(inks, index));
    brush.rect(left, top, CARD.width, CARD.height);
    const parent = tree.parents[index] as number;
    // Right-angled lines make no sense while their ends are moving.
    if (parent !== -1 && away === undefined) {
      drawElbow(brush, x + (tree.xs[parent] as number) + CARD.width / 2, left + CARD.width / 2, top, line);
    }
  }
};

/**
 * In the colour of its topic. If the colours stand for something else, they are what the view is about: a line of ink over
 * turns in their colours.
 */
const drawPath = (
  brush: PixelBrush,
  scene: Scene,
  seen: Rect,
  zoom: number,
  palette: Palette,
  inksOfTree: (placed: PlacedTree) => Inks,
): void => {
  const active = shownActive(scene);
  if (active === null) return;
  const { placed, index } = active;
  const { x, y, tree, order } = placed;
  const draw = (inks: Inks, width: number, line: number): void => {
    let read = -1;
    for (let at = index; at !== -1; at = tree.parents[at] as number) {
      const middle = x + (tree.xs[at] as number) + CARD.width / 2;
      const top = y + (tree.ys[at] as number);
      if (top - ROW_GAP - line > seen.y + seen.height || top + CARD.height + line < seen.y) continue;
      if (read === -1 || isApart(tree, at, read, zoom)) {
        read = at;
        brush.dip(inkOfTurn(inks, at));
      }
      brush.rect(middle - width / 2, top, width, CARD.height);
      const parent = tree.parents[at] as number;
      if (parent === -1) continue;
      const from = x + (tree.xs[parent] as number) + CARD.width / 2;
      // Where many share a pixel, the cards of a straight run leave no gap to be seen.
      if (read === at || from !== middle) drawElbow(brush, from, middle, top, line);
    }
  };
  const blocks = zoom >= TRUNK_ZOOM;
  const line = Math.max(blocks ? 12 : TRUNK_WIDTH, LEAST_PATH / zoom);
  const width = blocks ? CARD.width : line;
  if (scene.colours.by === 'topic') return draw(inksOf(palette, order).fullPixel, width, line);
  draw(inksOfTree(placed), width, line);
  const core = blocks ? line : line / 3;
  draw(palette.inkPixel, core, core);
};

/**
 * Fills axis-aligned rectangles directly into pixels. For tens of thousands of small ones per frame, this takes a
 * fraction of the time of a 2D context.
 */
export const createPixelBrush = () => {
  let pixels = new Uint32Array(0);
  let width = 0;
  let height = 0;
  let scale = 1;
  let left = 0;
  let top = 0;
  let ink: Pixel = 0;

  return {
    /** Starts a picture of `w` × `h` pixels in which (x, y) is at (x · zoom + dx, y · zoom + dy). */
    begin: (w: number, h: number, zoom: number, dx: number, dy: number, ground: Pixel): void => {
      if (w !== width || h !== height) {
        width = w;
        height = h;
        pixels = new Uint32Array(w * h);
      }
      pixels.fill(ground);
      scale = zoom;
      // Whole pixels, or every edge would flicker while panning.
      left = Math.round(dx);
      top = Math.round(dy);
    },
    dip: (pixel: Pixel): void => {
      ink = pixel;
    },
    /** Never thinner than a pixel. */
    rect: (x: number, y: number, w: number, h: number): void => {
      const x0 = Math.round(x * scale) + left;
      const y0 = Math.round(y * scale) + top;
      const x1 = Math.min(width, Math.max(x0 + 1, Math.round((x + w) * scale) + left));
      const y1 = Math.min(height, Math.max(y0 + 1, Math.round((y + h) * scale) + top));
      const from = Math.max(0, x0);
      if (from >= x1) return;
      for (let row = Math.max(0, y0); row < y1; row++) {
        const end = row * width + x1;
        // Most are a few pixels wide, where a loop is faster than `fill`.
        for (let at = row * width + from; at < end; at++) pixels[at] = ink;
      }
    },
    image: (): ImageData => new ImageData(new Uint8ClampedArray(pixels.buffer), width, height),
  };
};
type PixelBrush = ReturnType<typeof createPixelBrush>;
