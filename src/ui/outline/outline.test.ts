import { expect, test } from 'vitest';
import { placesOf } from './outline.tsx';

test('rows that are kept stay mounted wherever the view is, each once and in order', () => {
  const view = { first: 100, last: 110 };
  const inView = placesOf(view, 1000, []);
  expect(inView[0]).toBeLessThanOrEqual(view.first);
  expect(inView.at(-1)).toBeGreaterThanOrEqual(view.last);
  // The focus and a title being typed, on different rows, on the same, in view, or nowhere.
  expect(placesOf(view, 1000, [900, 3])).toEqual([3, ...inView, 900]);
  expect(placesOf(view, 1000, [900, 900])).toEqual([...inView, 900]);
  expect(placesOf(view, 1000, [105, -1])).toEqual(inView);
  expect(placesOf(view, 1000, [1000, -1])).toEqual(inView);
});
