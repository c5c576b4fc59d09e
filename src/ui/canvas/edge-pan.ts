import type { View, Viewport } from './view.ts';

/** This near to an edge of the pane, what is dragged pulls the view along; pixels of the screen. */
const EDGE = 36;
/** … by at most so many pixels a frame. */
const SPEED = 14;

/** Where the view goes in a frame while something is dragged at (x, y) of the pane; null if it stays. */
export const edgePan = (view: View, x: number, y: number): Viewport | null => {
  const dx = pull(x, view.width);
  const dy = pull(y, view.height);
  return dx === 0 && dy === 0 ? null : { x: view.x + dx, y: view.y + dy, zoom: view.zoom };
};

const pull = (at: number, length: number): number => {
  if (at < EDGE) return SPEED * Math.min(1, (EDGE - at) / EDGE);
  if (at > length - EDGE) return -SPEED * Math.min(1, (at - length + EDGE) / EDGE);
  return 0;
};
