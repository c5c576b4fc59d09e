import { useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import {
  bringIntoView,
  fitZoom,
  isInView,
  openingView,
  type Rect,
  type View,
  type Viewport,
  wholeView,
} from './geometry.ts';
import { createPace } from './glide.ts';
import { boxOf, cardOf } from './layout.ts';
import type { Scene } from './scene.ts';

/** Duration of an automatic move of the view, in milliseconds. */
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
    return createCamera(view, (to, pace) => {
      const still = pace === 'once' || matchMedia('(prefers-reduced-motion: reduce)').matches;
      return setViewport(to, still ? {} : { duration: MOVE_MS });
    });
  }, [store, setViewport]);
};

/** `show` moves the view and resolves once it is there; never if another move interrupts it. */
export const createCamera = (view: () => View, show: (to: Viewport, pace: 'once' | 'gently') => Promise<unknown>) => {
  /** Where a move under way leads. */
  let goal: Viewport | null = null;
  return {
    view,
    /** The view once the move under way, if any, has ended: what a command goes on from, while `view` is what is seen. */
    target: (): View => ({ ...view(), ...goal }),
    /** Moves the view, animated unless the user prefers reduced motion. */
    move: ({ x, y, zoom }: Viewport, options: { at: 'once' | 'gently' } = { at: 'gently' }) => {
      const to = { x, y, zoom };
      goal = to;
      void show(to, options.at).then(() => {
        if (goal === to) goal = null;
      });
    },
    /** The user has taken hold of the view. */
    interrupt: () => {
      goal = null;
    },
    fitAll: (forest: { width: number; height: number }) => wholeView(forest, view()),
  };
};
export type Camera = ReturnType<typeof createCamera>;

/** The minimum zoom: slightly beyond the whole forest. */
export const leastZoom = (forest: { width: number; height: number }, pane: { width: number; height: number }): number =>
  Math.min(0.3, fitZoom(forest, pane) * 0.8);

/**
 * Keeps the right part of the forest in view: frames a conversation when it opens, follows the active turn as the
 * forest grows, and goes to a turn that is selected. A user who pans away is left alone until the active turn is in
 * view again. Returns the callback for the user's own moves.
 */
export const useFraming = (
  scene: Scene,
  { conversationId, past }: { readonly conversationId: string; readonly past: boolean },
  camera: Camera,
) => {
  const { forest, layout, selectedId, ghost } = scene;
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  /** The conversation that has been framed, and whether the user has moved the view since. */
  const framed = useRef<{ id: string | null; touched: boolean; following: boolean }>({
    id: null,
    touched: false,
    following: true,
  });

  const paceOf = useRef(createPace());

  const active = cardOf(layout, forest.nodes[forest.active?.nodeId ?? '']);
  const activeBox = active === null ? null : boxOf(active);
  const at = ghost?.box ?? activeBox;
  const where = at === null ? '' : `${at.x} ${at.y}`;
  const latest = useRef<{ scene: Scene; activeBox: Rect | null; at: Rect | null; selectedBox: Rect | null }>({
    scene,
    activeBox,
    at,
    selectedBox: null,
  });
  latest.current = { ...latest.current, scene, activeBox, at };

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the place to look at moves, not when its object is made anew.
  useEffect(() => {
    const { scene, activeBox, at } = latest.current;
    if (width === 0 || height === 0 || at === null) return;
    const state = framed.current;
    const pane = { width, height };
    const open = (turn: Rect | null) => openingView(scene.layout.turns === 0 ? at : scene.layout, turn, pane);
    if (state.id !== conversationId) {
      framed.current = { id: conversationId, touched: false, following: true };
      return camera.move(open(activeBox), { at: 'once' });
    }
    const pace = paceOf.current(scene.layout.turns, past, performance.now());
    if (!state.following) return;
    const view = camera.target();
    if (isInView(view, at)) return;
    camera.move(state.touched ? bringIntoView(view, at) : open(at), { at: pace === 'calm' ? 'gently' : 'once' });
  }, [camera, conversationId, where, width, height]);

  const selected = cardOf(layout, forest.nodes[selectedId ?? '']);
  const selectedBox = selected === null ? null : boxOf(selected);
  const selectedAt = selectedBox === null ? '' : `${selectedBox.x} ${selectedBox.y}`;
  const shown = useRef<{ id: NodeId | null; box: Rect | null }>({ id: null, box: null });
  latest.current.selectedBox = selectedBox;

  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => {
    const { selectedBox } = latest.current;
    const before = shown.current;
    shown.current = { id: selectedId, box: selectedBox };
    const view = camera.target();
    if (selectedBox === null || view.width === 0) return;
    // Follow a selected card that moves, but not from out of view, where nobody was looking at it.
    if (before.id === selectedId && (before.box === null || !isInView(view, before.box))) return;
    const next = bringIntoView(view, selectedBox);
    if (next !== view) camera.move(next);
  }, [camera, selectedId, selectedAt]);

  /** Called when the user has moved the view. */
  return useCallback(() => {
    const { activeBox } = latest.current;
    framed.current.touched = true;
    framed.current.following = activeBox !== null && isInView(camera.target(), activeBox);
  }, [camera]);
};
