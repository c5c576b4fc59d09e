import type { Forest, NodeId, Tree } from '../../domain/forest.ts';
import { clamp } from '../../domain/numbers.ts';
import { recordsOf } from '../../domain/table.ts';
import type { ChangeCause } from '../../engine/history/what-if.ts';
import { drawTurnWords } from '../../ui/canvas/draw-words.ts';
import { cardsTouching } from '../../ui/canvas/find-cards.ts';
import {
  centre,
  fitTo,
  fitZoom,
  type Rect,
  type Size,
  toScreen,
  type View,
  visibleRect,
  zoomAbout,
} from '../../ui/canvas/geometry.ts';
import { boxOf, cardNodeId, type ForestLayout } from '../../ui/canvas/layout.ts';
import { inksOf, type Palette } from '../../ui/canvas/palette.ts';
import type { Scene } from '../../ui/canvas/scene.ts';

/** Two forests viewed together: at the same zoom, each with its own offset, moved together. */
export interface TwinView {
  readonly zoom: number;
  readonly before: Point;
  readonly after: Point;
}
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Zoom at which a visited turn is readable. */
const READING = 0.7;
const LEAST = 0.05;

type Whole = Pick<ForestLayout, 'width' | 'height'>;

/** Fits both forests entirely. */
export const fitBoth = (before: Whole, after: Whole, pane: Size): TwinView => {
  const zoom = Math.min(fitZoom(sized(before), pane), fitZoom(sized(after), pane));
  return { zoom, before: placed(before, pane, zoom), after: placed(after, pane, zoom) };
};

const sized = ({ width, height }: Whole): Size => ({ width: Math.max(1, width), height: Math.max(1, height) });

const placed = (whole: Whole, pane: Size, zoom: number): Point => {
  const { y } = fitTo({ x: 0, y: 0, ...sized(whole) }, pane);
  return {
    x: (pane.width - whole.width * zoom) / 2,
    y: Math.min(y, Math.max(8, (pane.height - whole.height * zoom) / 2)),
  };
};

export const panned = ({ zoom, before, after }: TwinView, dx: number, dy: number): TwinView => ({
  zoom,
  before: { x: before.x + dx, y: before.y + dy },
  after: { x: after.x + dx, y: after.y + dy },
});

/** Zooms by a factor, keeping what is at `at` in either pane in place. */
export const zoomed = ({ zoom, before, after }: TwinView, factor: number, at: Point): TwinView => {
  const about = (place: Point) => zoomAbout({ ...place, zoom }, zoom * factor, at, LEAST);
  const { zoom: next, ...first } = about(before);
  const { x, y } = about(after);
  return { zoom: next, before: first, after: { x, y } };
};

/** Centres a turn in each pane that contains it, large enough to read. */
export const goneTo = (view: TwinView, before: Rect | null, after: Rect | null, pane: Size): TwinView => {
  const zoom = Math.max(view.zoom, READING);
  const at = (box: Rect | null, own: Point, other: Point | null): Point => {
    if (box !== null) return centre(box, pane, zoom);
    // If the turn is missing here, the pane follows the other one.
    return other ?? own;
  };
  const first = before === null ? null : centre(before, pane, zoom);
  const second = after === null ? null : centre(after, pane, zoom);
  return { zoom, before: at(before, view.before, second), after: at(after, view.after, first) };
};

/** Aligns a turn in the other forest with its position in the forest where it was picked. */
export const alignedTo = (view: TwinView, side: 'before' | 'after', own: Rect, other: Rect | null): TwinView => {
  if (other === null) return view;
  const at = view[side];
  const aligned = { x: at.x + (own.x - other.x) * view.zoom, y: at.y + (own.y - other.y) * view.zoom };
  return side === 'before' ? { ...view, after: aligned } : { ...view, before: aligned };
};

export const viewIn = ({ zoom }: TwinView, { x, y }: Point, pane: Size): View => ({ x, y, zoom, ...pane });

type Pen = CanvasRenderingContext2D;

/** Sizes on the screen, in pixels. */
const LEAST_CARD = 13;

export interface Marks {
  readonly changes: ReadonlyMap<NodeId, ChangeCause>;
  readonly selected: NodeId | null;
}

/** Draws text on cards and marks around them, on top of the canvas's painter. The pen uses screen pixels. */
export const drawTurns = (pen: Pen, scene: Scene, view: View, palette: Palette, marks: Marks): void => {
  const seen = visibleRect(view, 8);
  for (const card of cardsTouching(scene.layout, seen)) {
    const id = cardNodeId(card);
    const box = toScreen(view, boxOf(card));
    const ink = inksOf(palette, card.placed.order).full;
    if (box.height >= LEAST_CARD) drawTurnWords(pen, scene, id, box, view.zoom, palette, ink);
    mark(pen, box, marks.changes.get(id) ?? null, id === marks.selected, palette);
  }
};

const mark = (
  pen: Pen,
  { x, y, width, height }: Rect,
  change: ChangeCause | null,
  selected: boolean,
  palette: Palette,
): void => {
  if (change === null && !selected) return;
  const radius = Math.min(8, height / 5);
  pen.setLineDash(change === 'carried' || change === 'same-place' ? [3, 3] : []);
  pen.lineWidth = change === 'moved' || change === 'by-hand' ? 2.5 : 1.5;
  pen.strokeStyle = palette.warn;
  pen.beginPath();
  pen.roundRect(x, y, width, height, radius);
  if (change !== null) pen.stroke();
  pen.setLineDash([]);
  if (change === 'moved') {
    const size = clamp(height / 4, 4, 10);
    // A folded corner, distinguishable from other outlines without colour.
    pen.beginPath();
    pen.moveTo(x + width - size * 1.8, y);
    pen.lineTo(x + width, y);
    pen.lineTo(x + width, y + size * 1.8);
    pen.closePath();
    pen.fillStyle = palette.warn;
    pen.fill();
  }
  if (!selected) return;
  pen.beginPath();
  pen.roundRect(x - 4, y - 4, width + 8, height + 8, radius + 3);
  pen.lineWidth = 3;
  pen.strokeStyle = palette.focus;
  pen.stroke();
};

/** Reorders the forest's topics to match the order, and therefore the colours, of the other forest; new ones come last. */
export const inOrderOf = (forest: Forest, other: Forest): Forest => {
  const orders = recordsOf(other.trees).map(({ order }) => order);
  let next = Math.max(-1, ...orders) + 1;
  const trees = recordsOf(forest.trees)
    .toSorted((a, b) => a.order - b.order)
    .map((tree): [string, Tree] => [tree.id, { ...tree, order: other.trees[tree.id]?.order ?? next++ }]);
  return { ...forest, trees: Object.fromEntries(trees) };
};
