import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listenForGestures } from './gestures.ts';

let page: EventTarget;
beforeEach(() => {
  vi.useFakeTimers();
  page = new EventTarget();
  vi.stubGlobal('window', Object.assign(page, { setTimeout, clearTimeout }));
  vi.stubGlobal('Element', class {});
  vi.stubGlobal('navigator', {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A canvas with a card everywhere, and the pointer and keys on it. */
const canvas = () => {
  const root = Object.assign(new EventTarget(), { dataset: {} });
  const handlers = {
    hold: () => 'card' as const,
    begin: vi.fn(() => true),
    move: vi.fn(),
    drop: vi.fn(),
    cancel: vi.fn(),
    menu: vi.fn(),
  };
  listenForGestures(root as unknown as HTMLElement, handlers);
  const send = (to: EventTarget, type: string, about: object = {}) => {
    const event = Object.assign(new Event(type, { cancelable: true }), about);
    to.dispatchEvent(event);
    return event;
  };
  const at = (x: number, pointerType: string) => ({ clientX: x, clientY: 0, button: 0, buttons: 1, pointerType });
  return {
    root,
    handlers,
    send,
    down: (pointerType = 'mouse') => send(root, 'pointerdown', at(0, pointerType)),
    move: (x: number, pointerType = 'mouse') => send(page, 'pointermove', at(x, pointerType)),
    up: (x: number, pointerType = 'mouse') => send(page, 'pointerup', at(x, pointerType)),
    touch: (type: string, x: number) => send(root, type, { touches: [{ clientX: x, clientY: 0 }] }),
    /** Whether a click reaches what is under the pointer. */
    clicks: () => !send(page, 'click').cancelBubble,
  };
};

test('a click selects, but not the one that ends a drag, dropped or cancelled', () => {
  const { handlers, send, down, move, up, clicks } = canvas();
  down();
  up(0);
  expect(clicks()).toBe(true);

  down();
  move(20);
  up(20);
  expect(handlers.drop).toHaveBeenCalledTimes(1);
  expect(clicks()).toBe(false);
  vi.runAllTimers();

  down();
  move(20);
  send(page, 'keydown', { key: 'Escape' });
  expect(handlers.cancel).toHaveBeenCalledTimes(1);
  move(40);
  up(40);
  expect(handlers.drop).toHaveBeenCalledTimes(1);
  expect(clicks()).toBe(false);
  vi.runAllTimers();
  expect(clicks()).toBe(true);
});

test('a finger whose drag is cancelled neither pans nor selects until it is lifted', () => {
  const { handlers, send, touch } = canvas();
  touch('touchstart', 0);
  vi.runAllTimers();
  touch('touchmove', 20);
  expect(handlers.begin).toHaveBeenCalledTimes(1);
  send(page, 'keydown', { key: 'Escape' });
  expect(handlers.cancel).toHaveBeenCalledTimes(1);
  expect(touch('touchmove', 40).cancelBubble).toBe(true);
  expect(touch('touchend', 40).defaultPrevented).toBe(true);
  touch('touchstart', 0);
  expect(touch('touchmove', 40).cancelBubble).toBe(false);
});

test('a pen that sends touch events as well drags a card without panning, once', () => {
  const { handlers, down, move, up, touch } = canvas();
  down('pen');
  expect(touch('touchstart', 0).cancelBubble).toBe(true);
  vi.runAllTimers();
  move(20, 'pen');
  expect(touch('touchmove', 20).cancelBubble).toBe(true);
  up(20, 'pen');
  touch('touchend', 20);
  expect(handlers.begin).toHaveBeenCalledTimes(1);
  expect(handlers.drop).toHaveBeenCalledTimes(1);
  expect(handlers.menu).not.toHaveBeenCalled();
});

test('a pen held still opens the menu of a card, as a finger does', () => {
  const { handlers, down, up, touch } = canvas();
  down('pen');
  touch('touchstart', 0);
  vi.runAllTimers();
  up(0, 'pen');
  touch('touchend', 0);
  expect(handlers.menu).toHaveBeenCalledTimes(1);
  expect(handlers.drop).not.toHaveBeenCalled();
});

test('a space bar that was held when the window lost the focus counts as released', () => {
  const { root, handlers, down, move } = canvas();
  // The canvas itself is the target, and the key is heard on the window.
  const key = Object.assign(new Event('keydown'), { key: ' ' });
  Object.defineProperty(key, 'target', { value: root });
  page.dispatchEvent(key);
  down();
  move(20);
  expect(handlers.begin).not.toHaveBeenCalled();
  page.dispatchEvent(new Event('blur'));
  down();
  move(20);
  expect(handlers.begin).toHaveBeenCalledTimes(1);
});
