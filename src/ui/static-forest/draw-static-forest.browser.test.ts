import { expect, test } from 'vitest';
import { drawStaticForest } from './draw-static-forest.ts';

test('one finger moves the view, and a second one beside it moves nothing', () => {
  const { element } = drawStaticForest({ width: 400, height: 300, topics: [], turns: [] }, () => undefined);
  document.body.append(element);
  // No finger touches the screen here.
  element.setPointerCapture = () => undefined;
  const send = (type: string, pointerId: number, clientX: number) =>
    element.dispatchEvent(new PointerEvent(type, { pointerId, isPrimary: pointerId === 1, clientX, clientY: 10 }));
  const left = () => Number(element.getAttribute('viewBox')?.split(' ')[0]);
  const before = left();
  send('pointerdown', 1, 100);
  send('pointermove', 1, 80);
  const moved = left();
  expect(moved).toBeGreaterThan(before);
  send('pointerdown', 2, 300);
  send('pointermove', 2, 200);
  send('pointerup', 2, 200);
  expect(left()).toBe(moved);
  send('pointermove', 1, 100);
  expect(left()).toBe(before);
  send('pointerup', 1, 100);
  send('pointermove', 1, 0);
  expect(left()).toBe(before);
  element.remove();
});
