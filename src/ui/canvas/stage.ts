import { useStoreApi } from '@xyflow/react';
import { type RefObject, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { nearestIds } from './find-cards.ts';
import { OVERVIEW_ZOOM, TRUNK_ZOOM, type View, visibleRect, WORDS_ZOOM } from './geometry.ts';
import { createGlide, createPace, placeGliding } from './glide.ts';
import { createPainter } from './painter.ts';
import { type Palette, readPalette, watchTheme } from './palette.ts';
import type { Scene } from './scene.ts';
import type { Camera } from './use-camera.ts';

/** Cards are mounted this far around the pane, and only unmounted further out; screen pixels. */
const MOUNT_MARGIN = 120;
const STAY_MARGIN = 480;
/** The view is at rest after this many milliseconds without a change. Nothing is mounted while its zoom changes, nor while time is scrubbed. */
const SETTLE_MS = 120;

/** Maximum number of cards that glide. */
const GLIDE_LIMIT = 1000;

const NO_CARDS: ReadonlySet<string> = new Set();

/**
 * The work of a frame: draws the layer under the cards and decides which cards are mounted. Runs only when something
 * changed, at most once per frame.
 */
const createStage = (root: HTMLElement, layer: HTMLCanvasElement, strip: HTMLCanvasElement, view: () => View) => {
  const painter = createPainter(layer, strip);
  const glide = createGlide();
  const paceOf = createPace();
  const listeners = new Set<() => void>();
  let scene: Scene | null = null;
  let palette: Palette | null = null;
  let mounted = NO_CARDS;
  let shown: View | null = null;
  let moving = false;
  let zooming = false;
  /** Jumping through the past faster than the eye can follow: cards are mounted once that stops. */
  let leaping = false;
  let timer = 0;
  let asked = 0;
  let frameTime = 0;

  const invalidate = () => {
    if (asked === 0) asked = requestAnimationFrame(frame);
  };

  const rest = () => {
    moving = false;
    zooming = false;
    leaping = false;
    // While moving, the cards are shifted as one picture; at rest they are drawn sharp again.
    delete root.dataset.moving;
    invalidate();
  };

  const settleLater = () => {
    clearTimeout(timer);
    timer = window.setTimeout(rest, SETTLE_MS);
  };

  const notice = (at: View) => {
    if (shown !== null && at.x === shown.x && at.y === shown.y && at.zoom === shown.zoom) return;
    if (shown !== null) {
      if (!moving) root.dataset.moving = '';
      moving = true;
      zooming ||= at.zoom !== shown.zoom;
    }
    shown = at;
    settleLater();
  };

  const remount = (now: Scene, at: View, since: number) => {
    const near = at.zoom >= OVERVIEW_ZOOM;
    const wanted = near ? nearestIds(now.layout, visibleRect(at, MOUNT_MARGIN), MOUNT_LIMIT) : [];
    const mayStay = near ? nearestIds(now.layout, visibleRect(at, STAY_MARGIN), 2 * MOUNT_LIMIT) : [];
    const next = nextMounted(mounted, wanted, mayStay, mountsInFrame(moving, since), now.carry?.held ?? null);
    if (next.more) invalidate();
    if (next.cards === mounted) return;
    mounted = next.cards;
    for (const listener of listeners) listener();
  };

  /** Only cards near the view glide to their new places; the others are out of sight. */
  const setOff = (before: Scene, next: Scene, past: boolean) => {
    const at = view();
    const pace = paceOf(next.layout.turns, past, performance.now());
    leaping = pace === 'leap';
    if (leaping) settleLater();
    if (pace !== 'calm') return glide.end();
    if (at.zoom < TRUNK_ZOOM || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const near = nearestIds(next.layout, visibleRect(at, MOUNT_MARGIN), GLIDE_LIMIT);
    glide.begin(before, next, new Set([...mounted, ...near]));
  };

  const frame = (time: number) => {
    asked = 0;
    const since = time - frameTime;
    frameTime = time;
    const at = view();
    if (scene === null || at.width === 0 || at.height === 0) return;
    palette ??= readPalette(root);
    notice(at);
    const far = at.zoom < OVERVIEW_ZOOM;
    const detail = far ? 'far' : at.zoom < WORDS_ZOOM ? 'mid' : 'near';
    if ((far || !zooming) && root.dataset.detail !== detail) root.dataset.detail = detail;
    if (!zooming && !leaping) remount(scene, at, since);
    const gliding = glide.advance(time);
    placeGliding(root, glide, scene);
    painter.paint(scene, at, far ? NO_CARDS : mounted, palette, glide);
    if (gliding) invalidate();
  };

  const endWatch = watchTheme(() => {
    palette = null;
    invalidate();
  });

  const fontsCame = () => {
    painter.forget();
    invalidate();
  };
  document.fonts.addEventListener('loadingdone', fontsCame);

  return {
    invalidate,
    /** `past`: the forest is of an earlier moment. */
    show: (next: Scene, past: boolean) => {
      if (scene !== null && scene.layout !== next.layout) setOff(scene, next, past);
      scene = next;
      invalidate();
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    mounted: () => mounted,
    end: () => {
      cancelAnimationFrame(asked);
      clearTimeout(timer);
      endWatch();
      document.fonts.removeEventListener('loadingdone', fontsCame);
    },
  };
};
type Stage = ReturnType<typeof createStage>;

/** Maximum number of mounted cards; the rest are drawn. */
export const MOUNT_LIMIT = 200;
/** Maximum number mounted per frame while the view is at rest. */
const AT_REST = 12;
/** While it moves: this many, and fewer after a late frame. */
const MOVING = 4;
const MOVING_LATE = 1;
/** A frame longer than this counts as late, in milliseconds. */
const LATE_MS = 20;

/** How many cards may be mounted in a frame without making it late. `since` is the time since the previous frame. */
export const mountsInFrame = (moving: boolean, since: number): number => {
  if (!moving) return AT_REST;
  return since > LATE_MS ? MOVING_LATE : MOVING;
};

/**
 * The next frame's cards: the mounted ones that may stay, plus the first `atOnce` of the missing ones. Both lists are
 * sorted nearest first. A held one always stays: touch events go to the element that was touched, and end with it.
 * Returns `mounted` itself if nothing changes, and whether more are to come.
 */
export const nextMounted = (
  mounted: ReadonlySet<string>,
  wanted: readonly string[],
  mayStay: readonly string[],
  atOnce: number,
  held: string | null = null,
): { readonly cards: ReadonlySet<string>; readonly more: boolean } => {
  const missing = wanted.filter((id) => !mounted.has(id));
  const stays = new Set(wanted);
  for (const id of mayStay) {
    if (stays.size >= MOUNT_LIMIT) break;
    if (mounted.has(id)) stays.add(id);
  }
  if (held !== null) stays.add(held);
  const kept = [...mounted].filter((id) => stays.has(id));
  if (missing.length === 0 && kept.length === mounted.size) return { cards: mounted, more: false };
  const added = missing.slice(0, atOnce);
  // In mount order: any other order would move every element in the document.
  return { cards: new Set([...kept, ...added]), more: missing.length > added.length };
};

const none = () => NO_CARDS;
const silent = () => () => undefined;

/** Draws the scene whenever it or the view changes; returns the ids of the cards to mount. */
export const useStage = (
  root: RefObject<HTMLElement | null>,
  layer: RefObject<HTMLCanvasElement | null>,
  strip: RefObject<HTMLCanvasElement | null>,
  scene: Scene,
  past: boolean,
  camera: Camera,
): ReadonlySet<string> => {
  const store = useStoreApi();
  const [stage, setStage] = useState<Stage | null>(null);

  useLayoutEffect(() => {
    if (root.current === null || layer.current === null || strip.current === null) return;
    const made = createStage(root.current, layer.current, strip.current, camera.view);
    setStage(made);
    const unsubscribe = store.subscribe((now, before) => {
      const moved = now.transform !== before.transform || now.width !== before.width || now.height !== before.height;
      if (moved) made.invalidate();
    });
    return () => {
      unsubscribe();
      made.end();
    };
  }, [root, layer, strip, camera, store]);

  useLayoutEffect(() => stage?.show(scene, past), [stage, scene, past]);

  return useSyncExternalStore(stage?.subscribe ?? silent, stage?.mounted ?? none);
};
