import { expect, test } from 'vitest';
import { drawStaticForest } from './draw-static-forest.ts';

/** A drawing on the page, and fingers on it. `at`: the left edge and the width of what is in view. */
const touched = () => {
  const chosen: string[] = [];
  const card = { number: 1, parentId: null, order: 0, hidden: false, message: 'One' };
  const turns = [{ ...card, id: 'one', x: 0, y: 0 }];
  const still = { width: 400, height: 300, topics: [], turns };
  const { element } = drawStaticForest(still, (id) => chosen.push(id));
  document.body.append(element);
  // No finger touches the screen here.
  element.setPointerCapture = () => undefined;
  const send = (type: string, pointerId: number, clientX: number, on: Element = element) =>
    on.dispatchEvent(
      new PointerEvent(type, {
        pointerId,
        isPrimary: pointerId === 1,
        buttons: 1,
        bubbles: true,
        clientX,
        clientY: 10,
      }),
    );
  const at = () => (element.getAttribute('viewBox') ?? '').split(' ').map(Number) as [number, number, number, number];
  return { element, chosen, send, left: () => at()[0], width: () => at()[2] };
};

test('one finger moves the view, and a second one beside it zooms', () => {
  const { element, send, left, width } = touched();
  const before = { left: left(), width: width() };
  send('pointerdown', 1, 100);
  send('pointermove', 1, 80);
  expect(left()).toBeGreaterThan(before.left);
  send('pointermove', 1, 100);
  expect(left()).toBeCloseTo(before.left);
  send('pointerdown', 2, 200);
  send('pointermove', 2, 300);
  expect(width()).toBeCloseTo(before.width / 2);
  send('pointermove', 2, 200);
  expect(width()).toBeCloseTo(before.width);
  send('pointerup', 2, 200);
  send('pointerup', 1, 100);
  send('pointermove', 1, 0);
  expect(left()).toBeCloseTo(before.left);
  element.remove();
});

test('a card is chosen by a press that stays there, and the view moved by one that goes away', () => {
  const { element, chosen, send, left } = touched();
  const before = left();
  const card = element.querySelector('.card') as Element;
  const press = (to: number) => {
    send('pointerdown', 1, 100, card);
    send('pointermove', 1, to, card);
    send('pointerup', 1, to, card);
    card.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
  };
  press(60);
  expect(chosen).toEqual([]);
  expect(left()).toBeGreaterThan(before);
  press(102);
  expect(chosen).toEqual(['one']);
  element.remove();
});
