import { expect, test } from 'vitest';
import { shownAtEnd, shownWith, withMoreAbove, withMoreBelow } from './conversation-scroll.ts';

test('a long conversation shows its end, and more on request', () => {
  expect(shownAtEnd(10)).toEqual({ from: 0, to: 10 });
  expect(shownAtEnd(3000)).toEqual({ from: 2960, to: 3000 });
  expect(withMoreAbove({ from: 20, to: 60 })).toEqual({ from: 0, to: 60 });
  expect(withMoreBelow({ from: 0, to: 40 }, 50)).toEqual({ from: 0, to: 50 });
});

test('a turn far away is shown among its neighbours, one that is there moves nothing', () => {
  const end = shownAtEnd(3000);
  expect(shownWith(end, 2970, 3000)).toBe(end);
  expect(shownWith(end, 500, 3000)).toEqual({ from: 490, to: 530 });
});
