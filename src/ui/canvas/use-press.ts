import { type PointerEvent, useRef } from 'react';

/** A press that moves less than this is a click, in pixels. */
const SLACK = 4;

/** Drags of a pane with a pointer: `pan` hears each step. */
export const usePress = (pan: (dx: number, dy: number) => void) => {
  const from = useRef<{ x: number; y: number; far: boolean } | null>(null);
  return {
    /** Whether the last press became a drag, and the click that follows it is none. */
    dragged: () => from.current?.far === true,
    onPointerDown: (event: PointerEvent) => {
      from.current = { x: event.clientX, y: event.clientY, far: false };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const { current } = from;
      if (current === null || event.buttons === 0) return;
      const [dx, dy] = [event.clientX - current.x, event.clientY - current.y];
      if (!current.far && Math.hypot(dx, dy) < SLACK) return;
      if (!current.far) event.currentTarget.setPointerCapture(event.pointerId);
      from.current = { x: event.clientX, y: event.clientY, far: true };
      pan(dx, dy);
    },
  };
};
