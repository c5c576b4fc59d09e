import { type PointerEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import styles from './drawn-scene.module.css';
import { turnAt } from './find-cards.ts';
import type { Size, View } from './geometry.ts';
import type { CanvasPoint } from './gestures.ts';
import { AT_REST } from './glide.ts';
import { type Body, createPainter } from './painter.ts';
import { type Palette, readPalette, watchTheme } from './palette.ts';
import type { Scene } from './scene.ts';

const NONE: ReadonlySet<string> = new Set();

interface Props {
  readonly scene: Scene;
  readonly view: View;
  /** Replaces the forest's own lines and cards; must be the same function as long as it draws the same. */
  readonly body?: Body;
  /** Drawn on top of everything; must be the same function as long as it draws the same. */
  readonly over?: Body;
  readonly onPick: (id: string | null) => void;
}

/** A scene drawn without mounting any cards; clicks pick what is under them. Panning and zooming are up to the surrounding component. */
export const DrawnScene = ({ scene, view, body, over, onPick }: Props) => {
  const layer = useRef<HTMLCanvasElement>(null);
  const strip = useRef<HTMLCanvasElement>(null);
  const words = useRef<HTMLCanvasElement>(null);
  const drawn = useRef(body);
  drawn.current = body;
  const [painter, setPainter] = useState<ReturnType<typeof createPainter> | null>(null);
  const [palette, setPalette] = useState<Palette | null>(null);
  const own = body !== undefined;

  useLayoutEffect(() => {
    const [under, above] = [layer.current, strip.current];
    if (under === null || above === null) return;
    const draw: Body | null = own ? (...all) => drawn.current?.(...all) : null;
    setPainter(createPainter(under, above, draw));
    const read = () => setPalette(readPalette(under.parentElement as HTMLElement));
    read();
    return watchTheme(read);
  }, [own]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the painter reads the body at once when it changes
  useLayoutEffect(() => {
    if (painter === null || palette === null || view.width === 0 || view.height === 0) return;
    // At most once per frame, however often the wheel turns.
    const asked = requestAnimationFrame(() => {
      painter.paint(scene, view, NONE, palette, AT_REST);
      const pen = words.current?.getContext('2d');
      if (over === undefined || !pen) return;
      const ratio = devicePixelRatio;
      pen.canvas.width = Math.round(view.width * ratio);
      pen.canvas.height = Math.round(view.height * ratio);
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      over(pen, scene, view, palette);
    });
    return () => cancelAnimationFrame(asked);
  }, [painter, palette, scene, view, body, over]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: what stands around it has the keys
    // biome-ignore lint/a11y/noStaticElementInteractions: as above
    <div
      className={styles.picture}
      onClick={(event) => {
        const bounds = event.currentTarget.getBoundingClientRect();
        onPick(turnAt(scene.layout, view, event.clientX - bounds.left, event.clientY - bounds.top));
      }}
    >
      <canvas ref={layer} aria-hidden />
      {over !== undefined && <canvas ref={words} aria-hidden />}
      <canvas ref={strip} aria-hidden className={styles.strip} />
    </div>
  );
};

/** The current size of an element. */
export const usePaneSize = (pane: RefObject<HTMLElement | null>): Size => {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = pane.current;
    if (element === null) return;
    const read = () => {
      const { width, height } = element.getBoundingClientRect();
      setSize((now) => (now.width === width && now.height === height ? now : { width, height }));
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, [pane]);
  return size;
};

/** Zoom per pixel of the wheel. */
const WHEEL = 0.0016;

/**
 * Zooms with the wheel about the pointer instead of scrolling the page. Inside a scrolling part of the page it only
 * zooms with Ctrl, which is also what a trackpad pinch sends: otherwise it would get in the way of scrolling.
 */
export const useWheel = (
  root: RefObject<HTMLElement | null>,
  zoom: (factor: number, at: CanvasPoint) => void,
): void => {
  useEffect(() => {
    const element = root.current;
    if (element === null) return;
    const turn = (event: WheelEvent) => {
      const pane = paneOf(event.target);
      if (pane === null || !(event.ctrlKey || event.metaKey || !inScroller(pane))) return;
      event.preventDefault();
      const { left, top } = pane.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY * WHEEL), { x: event.clientX - left, y: event.clientY - top });
    };
    // Must not be passive, as React's own would be, in order to keep the page from scrolling.
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  });
};

/** The pane that an event is for; null between panes. */
const paneOf = (target: EventTarget | null): HTMLElement | null =>
  (target as Element | null)?.closest('canvas, [data-pane]')?.parentElement ?? null;

const inScroller = (element: HTMLElement): boolean => {
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY)) return true;
  }
  return false;
};

/** A press that moves less than this is a click, in pixels. */
const SLACK = 4;

/** Where a pointer is that was pressed in a pane, in window pixels. */
interface HeldPointer extends CanvasPoint {
  readonly pane: HTMLElement | null;
}

/** Dragging a pane with a pointer: `pan` gets each step. With two fingers, `zoom` gets each step of one about the other. */
export const usePress = (pan: (dx: number, dy: number) => void, zoom: (factor: number, at: CanvasPoint) => void) => {
  const held = useRef(new Map<number, HeldPointer>());
  const far = useRef(false);
  const release = (event: PointerEvent) => void held.current.delete(event.pointerId);
  return {
    /** Whether the last press became a drag, so that the click after it does not count. */
    dragged: () => far.current,
    handlers: {
      onPointerDown: ({ pointerId, isPrimary, clientX, clientY, target }: PointerEvent) => {
        if (isPrimary) {
          held.current.clear();
          far.current = false;
        }
        held.current.set(pointerId, { x: clientX, y: clientY, pane: paneOf(target) });
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const { pointerId } = event;
        const from = held.current.get(pointerId);
        if (from === undefined || event.buttons === 0) return;
        const to = { ...from, x: event.clientX, y: event.clientY };
        if (!far.current && distance(from, to) < SLACK) return;
        if (!far.current) event.currentTarget.setPointerCapture(pointerId);
        far.current = true;
        held.current.set(pointerId, to);
        const other = [...held.current].find(([id]) => id !== pointerId)?.[1];
        if (other === undefined) return pan(to.x - from.x, to.y - from.y);
        const { left, top } = (other.pane ?? event.currentTarget).getBoundingClientRect();
        zoom(distance(to, other) / distance(from, other), { x: other.x - left, y: other.y - top });
      },
      onPointerUp: release,
      onPointerCancel: release,
    },
  };
};

/** At least 1, so that it can be divided by. */
const distance = (a: CanvasPoint, b: CanvasPoint): number => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
