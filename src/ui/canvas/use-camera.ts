import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useMemo } from 'react';
import { fitTo, fitZoom, type View, type Viewport } from './view.ts';

/** How long the view takes to move by itself, in milliseconds. */
const MOVE_MS = 180;

/** Reads and moves the view, for event handlers and frames; the same object for the canvas's whole life. */
export const useCamera = () => {
  const store = useStoreApi();
  const { setViewport } = useReactFlow();
  return useMemo(() => {
    const view = (): View => {
      const { transform, width, height } = store.getState();
      return { x: transform[0], y: transform[1], zoom: transform[2], width, height };
    };
    return {
      view,
      /** Moves the view, over a short while unless the person wants no motion. */
      move: ({ x, y, zoom }: Viewport, options: { at: 'once' | 'gently' } = { at: 'gently' }) => {
        const still = options.at === 'once' || matchMedia('(prefers-reduced-motion: reduce)').matches;
        void setViewport({ x, y, zoom }, still ? {} : { duration: MOVE_MS });
      },
      fitAll: (forest: { width: number; height: number }) => fitTo({ x: 0, y: 0, ...forest }, view()),
    };
  }, [store, setViewport]);
};
export type Camera = ReturnType<typeof useCamera>;

/** Zooming out ends a little beyond the whole forest. */
export const leastZoom = (forest: { width: number; height: number }, pane: { width: number; height: number }): number =>
  Math.min(0.3, fitZoom(forest, pane) * 0.8);
