import type { PointerEvent } from 'react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { usePress } from './drawn-scene.tsx';

const pane = {
  getBoundingClientRect: () => ({ left: 10, top: 20 }),
  setPointerCapture: () => undefined,
};
const target = { closest: () => ({ parentElement: pane }) };

/** A pane at (10, 20) of the window, and what fingers on it do. */
const pressed = () => {
  const steps: string[] = [];
  const made: ReturnType<typeof usePress>[] = [];
  const Pane = () => {
    const press = usePress(
      (dx, dy) => steps.push(`pan ${dx} ${dy}`),
      (factor, { x, y }) => steps.push(`zoom ${factor} at ${x} ${y}`),
    );
    made.push(press);
    return null;
  };
  renderToStaticMarkup(createElement(Pane));
  const { handlers, dragged } = made[0] as ReturnType<typeof usePress>;
  const event = (pointerId: number, clientX: number, clientY: number) =>
    ({
      pointerId,
      isPrimary: pointerId === 1,
      buttons: 1,
      clientX,
      clientY,
      target,
      currentTarget: pane,
    }) as unknown as PointerEvent<HTMLElement>;
  return {
    steps,
    dragged,
    down: (id: number, x: number, y: number) => handlers.onPointerDown(event(id, x, y)),
    move: (id: number, x: number, y: number) => handlers.onPointerMove(event(id, x, y)),
    up: (id: number) => handlers.onPointerUp(event(id, 0, 0)),
  };
};

test('one finger pans; one that hardly moves does not', () => {
  const { steps, dragged, down, move, up } = pressed();
  down(1, 100, 100);
  move(1, 102, 100);
  up(1);
  expect([steps, dragged()]).toEqual([[], false]);
  down(1, 100, 100);
  move(1, 110, 105);
  move(1, 111, 105);
  up(1);
  move(1, 300, 300);
  expect([steps, dragged()]).toEqual([['pan 10 5', 'pan 1 0'], true]);
});

test('two fingers zoom, each about the other, and the one that stays goes on panning from where it is', () => {
  const { steps, dragged, down, move, up } = pressed();
  down(1, 100, 100);
  down(2, 200, 100);
  move(2, 300, 100);
  move(1, 200, 100);
  up(1);
  move(2, 305, 100);
  expect(steps).toEqual(['zoom 2 at 90 80', 'zoom 0.5 at 290 80', 'pan 5 0']);
  expect(dragged()).toBe(true);
});
