import type { ForestLayout } from '../../ui/canvas/forest-layout.ts';
import type { Rect } from '../../ui/canvas/measures.ts';
import { centre, fitTo, fitZoom, type Size, type View, zoomAbout } from '../../ui/canvas/view.ts';

/** Two forests looked at together: at one zoom, each from a place of its own, moved as one. */
export interface TwinView {
  readonly zoom: number;
  readonly before: Point;
  readonly after: Point;
}
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Zoom at which a turn that is gone to is read. */
const READING = 0.7;
const LEAST = 0.05;

type Whole = Pick<ForestLayout, 'width' | 'height'>;

/** All of both. */
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

/** Zooms by a factor; what is at `at` in either pane stays there. */
export const zoomed = ({ zoom, before, after }: TwinView, factor: number, at: Point): TwinView => {
  const about = (place: Point) => zoomAbout({ ...place, zoom }, zoom * factor, at, LEAST);
  const { zoom: next, ...first } = about(before);
  const { x, y } = about(after);
  return { zoom: next, before: first, after: { x, y } };
};

/** Brings a turn to the middle of each pane in which it is, large enough to be read. */
export const goneTo = (view: TwinView, before: Rect | null, after: Rect | null, pane: Size): TwinView => {
  const zoom = Math.max(view.zoom, READING);
  const at = (box: Rect | null, own: Point, other: Point | null): Point => {
    if (box !== null) return centre(box, pane, zoom);
    // Where it is not, the pane looks where the other one does.
    return other ?? own;
  };
  const first = before === null ? null : centre(before, pane, zoom);
  const second = after === null ? null : centre(after, pane, zoom);
  return { zoom, before: at(before, view.before, second), after: at(after, view.after, first) };
};

/** Brings a turn in the other forest to where it stands in the one in which it was picked. */
export const alignedTo = (view: TwinView, side: 'before' | 'after', own: Rect, other: Rect | null): TwinView => {
  if (other === null) return view;
  const at = view[side];
  const aligned = { x: at.x + (own.x - other.x) * view.zoom, y: at.y + (own.y - other.y) * view.zoom };
  return side === 'before' ? { ...view, after: aligned } : { ...view, before: aligned };
};

export const viewIn = ({ zoom }: TwinView, { x, y }: Point, pane: Size): View => ({ x, y, zoom, ...pane });
