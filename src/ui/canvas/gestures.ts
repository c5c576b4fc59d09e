/* Presses that the canvas handles before React Flow pans with them: dragging cards, a marquee, long presses. */

/** In window pixels. */
export interface CanvasPoint {
  readonly x: number;
  readonly y: number;
}

interface GestureHandlers {
  /** What a press grabs; null leaves it to panning. */
  readonly hold: (at: CanvasPoint, keys: { readonly shift: boolean }) => 'card' | 'marquee' | null;
  /** A drag has started at `from`: of the card there, or of a marquee. Return false to refuse it. */
  readonly begin: (kind: 'card' | 'marquee', from: CanvasPoint) => boolean;
  readonly move: (at: CanvasPoint) => void;
  readonly drop: (at: CanvasPoint) => void;
  readonly cancel: () => void;
  /** A card was long-pressed and released. */
  readonly menu: (at: CanvasPoint) => void;
}

interface CaptureOptions {
  readonly capture: true;
  readonly signal: AbortSignal;
}

/** A press becomes a drag after this many pixels; until then it is a click. */
const THRESHOLD = 5;
/** A finger held still for this long picks up the card; milliseconds. */
const LONG_PRESS_MS = 420;
/** … while moving at most this far, in pixels. */
const TREMBLE = 10;

/** Listens until the returned function is called. Uses the capture phase, ahead of React Flow's own listeners. */
export const listenForGestures = (root: HTMLElement, handlers: GestureHandlers): (() => void) => {
  const ended = new AbortController();
  const { signal } = ended;
  const capture: CaptureOptions = { capture: true, signal };
  let press: { readonly kind: 'card' | 'marquee'; readonly from: CanvasPoint; begun: boolean } | null = null;
  /** A drag has been cancelled, and its press goes on. */
  let cancelled = false;
  let spaceHeld = false;

  const begin = (): void => {
    if (press === null) return;
    cancelTouch();
    press.begun = handlers.begin(press.kind, press.from);
    if (!press.begun) press = null;
  };
  const cancel = (): void => {
    if (press?.begun) {
      cancelled = true;
      handlers.cancel();
    }
    press = null;
  };

  /* Mouse and pen. */

  root.addEventListener(
    'pointerdown',
    (event) => {
      cancel();
      cancelled = false;
      if (event.pointerType === 'touch' || event.button !== 0 || spaceHeld || isControl(event.target)) return;
      const kind = handlers.hold(at(event), { shift: event.shiftKey });
      press = kind === null ? null : { kind, from: at(event), begun: false };
    },
    capture,
  );
  // React Flow pans on mouse events.
  root.addEventListener('mousedown', (event) => void (press !== null && event.stopPropagation()), capture);
  // A pen may send touch events as well, and React Flow pans on those, too.
  for (const type of ['touchstart', 'touchmove'] as const) {
    const stop = (event: Event) => void (press !== null && event.stopPropagation());
    root.addEventListener(type, stop, { ...capture, passive: true });
  }
  root.addEventListener('dragstart', (event) => event.preventDefault(), capture);
  window.addEventListener(
    'pointermove',
    (event) => {
      if (press === null || event.pointerType === 'touch') return;
      if (event.buttons === 0) return cancel();
      if (!press.begun && distance(press.from, at(event)) >= THRESHOLD) begin();
      if (press?.begun) handlers.move(at(event));
    },
    capture,
  );
  window.addEventListener(
    'pointerup',
    (event) => {
      if (event.pointerType === 'touch') return;
      const dropped = press?.begun === true;
      const dragged = dropped || cancelled;
      press = null;
      cancelled = false;
      if (!dragged) return;
      // The following click would select what is under the pointer.
      const swallow = (click: MouseEvent) => click.stopPropagation();
      window.addEventListener('click', swallow, { capture: true });
      setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
      if (dropped) handlers.drop(at(event));
    },
    capture,
  );
  window.addEventListener('pointercancel', (event) => void (event.pointerType !== 'touch' && cancel()), capture);
  // Only on the window itself: with `capture`, elements losing the focus would trigger it, too.
  window.addEventListener(
    'blur',
    () => {
      cancel();
      spaceHeld = false;
    },
    { signal },
  );
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key === ' ' && event.target === root) {
        spaceHeld = true;
        event.preventDefault();
      }
      if (event.key !== 'Escape' || !press?.begun) return;
      event.preventDefault();
      event.stopPropagation();
      cancel();
    },
    capture,
  );
  window.addEventListener(
    'keyup',
    ({ key }) => {
      if (key === ' ') spaceHeld = false;
    },
    capture,
  );

  const cancelTouch = listenForTouch(root, handlers, capture);
  return () => {
    cancel();
    cancelTouch();
    ended.abort();
  };
};

/** A finger pans unless it is held still on a card first: then it drags the card, or opens its menu. */
const listenForTouch = (root: HTMLElement, handlers: GestureHandlers, capture: CaptureOptions): (() => void) => {
  let timer = 0;
  let from: CanvasPoint | null = null;
  let last: CanvasPoint = { x: 0, y: 0 };
  let state: 'free' | 'lifted' | 'carrying' | 'cancelled' = 'free';

  const cancel = (): void => {
    clearTimeout(timer);
    if (state === 'carrying') handlers.cancel();
    if (state !== 'free') delete root.dataset.lifted;
    from = null;
    state = 'free';
  };
  const lift = (): void => {
    if (from === null) return;
    state = 'lifted';
    root.dataset.lifted = '';
    navigator.vibrate?.(8);
  };

  root.addEventListener(
    'touchstart',
    (event) => {
      cancel();
      const [touch] = event.touches;
      if (touch === undefined || event.touches.length > 1 || isControl(event.target)) return;
      last = at(touch);
      if (handlers.hold(last, { shift: false }) !== 'card') return;
      from = last;
      timer = window.setTimeout(lift, LONG_PRESS_MS);
    },
    { ...capture, passive: true },
  );
  root.addEventListener(
    'touchmove',
    (event) => {
      const [touch] = event.touches;
      if (state === 'cancelled') {
        event.preventDefault();
        event.stopPropagation();
      }
      if (touch === undefined || from === null) return;
      last = at(touch);
      const far = distance(from, last) > TREMBLE;
      if (state === 'free') return void (far && cancel());
      event.preventDefault();
      event.stopPropagation();
      if (state === 'lifted' && far) state = handlers.begin('card', from) ? 'carrying' : 'lifted';
      if (state === 'carrying') handlers.move(last);
    },
    { ...capture, passive: false },
  );
  root.addEventListener(
    'touchend',
    (event) => {
      const was = state;
      // No click follows a long press.
      if (was !== 'free') event.preventDefault();
      state = 'free';
      if (was === 'carrying') handlers.drop(last);
      if (was === 'lifted') handlers.menu(last);
      delete root.dataset.lifted;
      cancel();
    },
    { ...capture, passive: false },
  );
  root.addEventListener('touchcancel', cancel, capture);
  // Some browsers open a context menu in the middle of a long press.
  root.addEventListener(
    'contextmenu',
    (event) => {
      if (from === null) return;
      event.preventDefault();
      event.stopPropagation();
    },
    capture,
  );
  window.addEventListener(
    'keydown',
    ({ key }) => {
      if (key !== 'Escape') return;
      const isHeld = state !== 'free';
      cancel();
      if (isHeld) state = 'cancelled';
    },
    capture,
  );
  return cancel;
};

const at = ({ clientX, clientY }: { clientX: number; clientY: number }): CanvasPoint => ({ x: clientX, y: clientY });
const distance = (a: CanvasPoint, b: CanvasPoint): number => Math.hypot(a.x - b.x, a.y - b.y);
const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a, button, input, select, [role="menu"]') !== null;
