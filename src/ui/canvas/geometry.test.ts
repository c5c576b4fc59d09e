import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bringIntoView,
  centre,
  fitTo,
  isInView,
  isOutside,
  openingView,
  topicView,
  type View,
  visibleRect,
  wholeView,
  zoomTo,
} from './geometry.ts';

const size = fc.record({ width: fc.integer({ min: 200, max: 3000 }), height: fc.integer({ min: 200, max: 3000 }) });
const rect = fc.record({
  x: fc.integer({ min: -9000, max: 9000 }),
  y: fc.integer({ min: -9000, max: 9000 }),
  width: fc.integer({ min: 1, max: 5000 }),
  height: fc.integer({ min: 1, max: 5000 }),
});
const viewport = fc.record({
  x: fc.integer({ min: -9000, max: 9000 }),
  y: fc.integer({ min: -9000, max: 9000 }),
  zoom: fc.double({ min: 0.01, max: 2, noNaN: true }),
});
const CARD = { width: 184, height: 76 };

describe('a view', () => {
  test('that fits a rectangle shows all of it', () => {
    fc.assert(
      fc.property(rect, size, (shown, pane) => {
        const view: View = { ...fitTo(shown, pane), ...pane };
        expect(view.zoom).toBeLessThanOrEqual(1);
        const seen = visibleRect(view, 0.5);
        expect(seen.x <= shown.x && seen.y <= shown.y).toBe(true);
        expect(seen.x + seen.width >= shown.x + shown.width).toBe(true);
        expect(seen.y + seen.height >= shown.y + shown.height).toBe(true);
      }),
    );
  });

  test('that has brought a card into view shows it, and stays if it did before', () => {
    fc.assert(
      fc.property(viewport, size, fc.integer(), fc.integer(), (start, pane, x, y) => {
        const card = { x: x % 9000, y: y % 9000, ...CARD };
        const view: View = { ...start, ...pane };
        fc.pre(CARD.width * view.zoom < pane.width && CARD.height * view.zoom < pane.height);
        const moved: View = { ...bringIntoView(view, card), ...pane };
        expect(moved.zoom).toBe(view.zoom);
        const seen = visibleRect(moved, 0.5);
        expect(seen.x <= card.x && seen.x + seen.width >= card.x + card.width).toBe(true);
        expect(seen.y <= card.y && seen.y + seen.height >= card.y + card.height).toBe(true);
      }),
    );
    const there: View = { x: 0, y: 0, zoom: 1, width: 800, height: 600 };
    expect(bringIntoView(there, { x: 100, y: 100, ...CARD })).toBe(there);
    expect(isInView(there, { x: 790, y: 100, ...CARD })).toBe(false);
  });

  test('that zooms keeps what is in its middle, within its bounds', () => {
    fc.assert(
      fc.property(viewport, size, fc.double({ min: 0.001, max: 9, noNaN: true }), (start, pane, zoom) => {
        const view: View = { ...start, ...pane };
        const next: View = { ...zoomTo(view, zoom, 0.05), ...pane };
        expect(next.zoom).toBe(Math.min(2, Math.max(0.05, zoom)));
        const [before, after] = [visibleRect(view), visibleRect(next)];
        expect(after.x + after.width / 2).toBeCloseTo(before.x + before.width / 2, 3);
        expect(after.y + after.height / 2).toBeCloseTo(before.y + before.height / 2, 3);
      }),
    );
  });
});

test('wholeView leaves the tools at the foot of the pane free, however tall the forest', () => {
  const pane = { width: 600, height: 560 };
  for (const forest of [
    { width: 400, height: 300 },
    { width: 300, height: 4_000 },
    { width: 9_000, height: 2_000 },
  ]) {
    const { x, y, zoom } = wholeView(forest, pane);
    expect(y + forest.height * zoom).toBeLessThanOrEqual(pane.height - 120);
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(39);
  }
});

describe('openingView', () => {
  const pane = { width: 800, height: 600 };

  test('shows all of a small forest at full size, hanging from the top', () => {
    expect(openingView({ width: 400, height: 300 }, { x: 0, y: 32, ...CARD }, pane)).toEqual({
      x: 200,
      y: 60,
      zoom: 1,
    });
  });
  test('shows a large forest at its active turn, readable, without empty ground beside it', () => {
    const active = { x: 9_000 - CARD.width, y: 5_000, ...CARD };
    const view: View = { ...openingView({ width: 9_000, height: 9_000 }, active, pane), ...pane };
    expect(view.zoom).toBeGreaterThan(0.8);
    expect(isInView(view, active)).toBe(true);
    expect(visibleRect(view).x + visibleRect(view).width).toBeLessThan(9_100);
  });
  test('shows a turn that is only being placed, though its card lies beyond the edge', () => {
    for (const width of [700, 9_000]) {
      const card = { x: width + 16, y: 240, ...CARD };
      const view: View = { ...openingView({ width, height: 400 }, card, pane), ...pane };
      expect(isInView(view, card)).toBe(true);
    }
  });
  test('shows no empty ground above a forest whose active turn is at the top', () => {
    const { y } = openingView({ width: 9_000, height: 9_000 }, { x: 4_000, y: 32, ...CARD }, pane);
    expect(y).toBe(40);
  });
});

test('topicView shows a whole small topic, and of a large one the turn asked for', () => {
  const pane = { width: 800, height: 600 };
  const tree = { x: 500, y: 100, width: 400, height: 300 };
  expect(topicView(tree, { x: 500, y: 100, ...CARD }, pane)).toEqual(fitTo(tree, pane));
  const focus = { x: 500, y: 9_000, ...CARD };
  expect(topicView({ ...tree, height: 20_000 }, focus, pane)).toEqual(centre(focus, pane, 0.9));
});

test('a point is outside a pane beyond any of its borders, and not on them', () => {
  const pane = { width: 800, height: 600 };
  for (const [x, y] of [
    [0, 0],
    [800, 600],
    [400, 300],
  ] as const)
    expect(isOutside(pane, x, y)).toBe(false);
  for (const [x, y] of [
    [-1, 300],
    [801, 300],
    [400, -1],
    [400, 601],
  ] as const)
    expect(isOutside(pane, x, y)).toBe(true);
});
