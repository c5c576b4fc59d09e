import { useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import { cardsTouching } from './find-cards.ts';
import {
  bringIntoView,
  fitZoom,
  isInView,
  openingView,
  type Rect,
  type Size,
  type View,
  type Viewport,
  visibleRect,
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

/** What is drawn, as far as the view goes by it. */
interface Drawn {
  readonly conversationId: string;
  /** It is of an earlier moment. */
  readonly past: boolean;
  readonly layout: Size & { readonly turns: number };
  /** Whether any card shows in a view. */
  readonly hasCardIn: (view: View) => boolean;
  readonly activeId: NodeId | null;
  readonly activeBox: Rect | null;
  /** Where the message being placed would go, else the active turn. */
  readonly at: Rect | null;
  readonly selectedId: NodeId | null;
  readonly selectedBox: Rect | null;
}

/** The view that the user had moved to when the canvas made way for something else, for coming back to it. */
interface LeftView extends Pick<Drawn, 'conversationId' | 'activeId' | 'selectedId'> {
  readonly view: Viewport;
  readonly following: boolean;
}

/** Keeps the right part of the forest in view. `drawn`: what is drawn now; `left` outlives the canvas, and is used once. */
export const createFraming = (camera: Camera, drawn: () => Drawn, left: { current: LeftView | null }) => {
  /** The conversation that has been framed, and whether the user has moved the view since. */
  let framed: { readonly id: string | null; touched: boolean; following: boolean } = {
    id: null,
    touched: false,
    following: true,
  };
  /** The selection as it was shown last. `owed`: its card was not there yet. */
  let shown: { readonly id: NodeId | null; readonly box: Rect | null; readonly owed: boolean } = {
    id: null,
    box: null,
    owed: false,
  };
  /** The selected turn that led the view away from the active one. */
  let led: NodeId | null = null;
  const paceOf = createPace();

  const noteLed = (): void => {
    const { selectedId, selectedBox, activeBox } = drawn();
    const isSeen = (box: Rect | null) => box !== null && isInView(camera.target(), box);
    led = isSeen(selectedBox) && activeBox !== null && !isSeen(activeBox) ? selectedId : null;
  };

  /** Call it when another turn is selected, or its card has another place. */
  const follow = (): void => {
    const { selectedId, selectedBox } = drawn();
    const before = shown;
    const isOwed = selectedId !== null && (before.id !== selectedId || before.owed);
    const view = camera.target();
    if (selectedBox === null || view.width === 0) {
      shown = { id: selectedId, box: null, owed: isOwed };
      return;
    }
    shown = { id: selectedId, box: selectedBox, owed: false };
    // Follow a selected card that moves, but not from out of view, where nobody was looking at it.
    if (!isOwed && (before.box === null || !isInView(view, before.box))) return;
    const next = bringIntoView(view, selectedBox);
    if (next !== view) camera.move(next);
    noteLed();
  };

  /** Call it when the conversation, the place of what is to be followed or the size of the pane has changed. */
  const frame = (now: number): void => {
    const { conversationId, past, layout, hasCardIn, activeId, activeBox, at, selectedId, selectedBox } = drawn();
    const pane = camera.view();
    if (pane.width === 0 || pane.height === 0 || at === null) return;
    const opening = (turn: Rect | null) => openingView(layout.turns === 0 ? at : layout, turn, pane);
    if (framed.id !== conversationId) {
      const was = left.current;
      left.current = null;
      const isSame = was?.conversationId === conversationId && was.activeId === activeId;
      // Where the forest was rearranged meanwhile, nothing may be left there.
      const back = isSame && hasCardIn({ ...pane, ...was.view }) ? was : null;
      framed = { id: conversationId, touched: back !== null, following: back?.following ?? true };
      camera.move(back?.view ?? opening(selectedBox ?? activeBox), { at: 'once' });
      const isShown = back === null ? selectedBox !== null : back.selectedId === selectedId;
      shown = { id: selectedId, box: selectedBox, owed: !isShown };
      noteLed();
      follow();
      if (back === null) return;
    }
    const pace = paceOf(layout.turns, past, now);
    if (!framed.following) return;
    const view = camera.target();
    if (isInView(view, at)) return;
    // Whoever goes through the past looks at what becomes of the forest.
    const lookedAt = led !== null && led === selectedId && !past ? selectedBox : null;
    if (lookedAt !== null && isInView(view, lookedAt)) return;
    const next = lookedAt === null && !framed.touched ? opening(at) : bringIntoView(view, lookedAt ?? at);
    camera.move(next, { at: pace === 'calm' ? 'gently' : 'once' });
  };

  return {
    follow,
    frame,

    /** A turn is about to be selected that the user holds already, wherever its card is. */
    holds: (id: NodeId): void => {
      shown = { id, box: null, owed: false };
    },

    /** Goes to the selected turn once more. */
    goBack: (): void => {
      shown = { ...shown, owed: true };
      follow();
    },

    /** The user has moved the view. */
    moved: (): void => {
      const { activeBox } = drawn();
      framed.touched = true;
      framed.following = activeBox !== null && isInView(camera.target(), activeBox);
      led = null;
    },

    /** The canvas makes way for something else. */
    leave: (): void => {
      const { conversationId, activeId } = drawn();
      const { width, x, y, zoom } = camera.target();
      if (width === 0 || framed.id !== conversationId) return;
      const { touched, following } = framed;
      const selectedId = shown.owed ? null : shown.id;
      left.current = touched ? { conversationId, activeId, selectedId, view: { x, y, zoom }, following } : null;
    },
  };
};
export type Framing = ReturnType<typeof createFraming>;

const left: { current: LeftView | null } = { current: null };

/**
 * Keeps the right part of the forest in view: frames a conversation when it opens, follows the active turn as the
 * forest grows, and goes to a turn that is selected. A user who pans away is left alone until the active turn is in
 * view again, and one who looks at a selected turn until another is selected. Whoever comes back to the canvas finds
 * the view that they had moved to, unless another turn has become active.
 */
export const useFraming = (
  { forest, layout, selectedId, ghost }: Scene,
  { conversationId, past }: { readonly conversationId: string; readonly past: boolean },
  camera: Camera,
): Framing => {
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const boxOfTurn = (id: NodeId | null): Rect | null => {
    const card = cardOf(layout, forest.nodes[id ?? '']);
    return card === null ? null : boxOf(card);
  };
  const activeId = forest.active?.nodeId ?? null;
  const activeBox = boxOfTurn(activeId);
  const at = ghost?.box ?? activeBox;
  const selectedBox = boxOfTurn(selectedId);
  const hasCardIn = (view: View) => cardsTouching(layout, visibleRect(view)).next().done === false;
  const now: Drawn = { conversationId, past, layout, hasCardIn, activeId, activeBox, at, selectedId, selectedBox };
  const drawn = useRef(now);
  drawn.current = now;
  const [framing] = useState(() => createFraming(camera, () => drawn.current, left));

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the place to look at moves, not when its object is made anew.
  useEffect(() => framing.frame(performance.now()), [framing, conversationId, placeOf(at), width, height]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => framing.follow(), [framing, selectedId, placeOf(selectedBox)]);
  // Before React Flow forgets its view.
  useLayoutEffect(() => () => framing.leave(), [framing]);
  return framing;
};

const placeOf = (box: Rect | null): string => (box === null ? '' : `${box.x} ${box.y}`);
