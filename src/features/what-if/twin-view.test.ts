import { describe, expect, test } from 'vitest';
import { alignedTo, fitBoth, goneTo, panned, zoomed } from './twin-view.ts';

const pane = { width: 400, height: 300 };
const box = (x: number, y: number) => ({ x, y, width: 184, height: 76 });
/** Where a point of the canvas appears. */
const at = ({ x, y }: { x: number; y: number }, zoom: number, point: { x: number; y: number }) => [
  Math.round(point.x * zoom + x),
  Math.round(point.y * zoom + y),
];

describe('two forests looked at together', () => {
  const view = fitBoth({ width: 600, height: 400 }, { width: 200, height: 800 }, pane);

  test('begin with all of both, at one zoom, each in the middle of its pane', () => {
    expect(view.zoom * 800).toBeLessThanOrEqual(pane.height);
    expect(at(view.before, view.zoom, { x: 300, y: 0 })[0]).toBe(200);
    expect(at(view.after, view.zoom, { x: 100, y: 0 })[0]).toBe(200);
  });

  test('are panned as one, and zoomed about the same place', () => {
    const moved = panned(view, 10, -5);
    expect([moved.before.x - view.before.x, moved.after.y - view.after.y]).toEqual([10, -5]);
    const near = zoomed(view, 2, { x: 50, y: 60 });
    for (const side of ['before', 'after'] as const) {
      const under = { x: (50 - view[side].x) / view.zoom, y: (60 - view[side].y) / view.zoom };
      expect(at(near[side], near.zoom, under)).toEqual([50, 60]);
    }
  });

  test('bring a turn to the middle of both; where it is not, the pane looks where the other does', () => {
    const there = goneTo(view, box(1000, 0), box(0, 500), pane);
    expect(at(there.before, there.zoom, { x: 1092, y: 38 })).toEqual([200, 150]);
    expect(at(there.after, there.zoom, { x: 92, y: 538 })).toEqual([200, 150]);
    const alone = goneTo(view, box(1000, 0), null, pane);
    expect(alone.after).toEqual(alone.before);
  });

  test('show a turn that is picked in one at the same place in the other', () => {
    const aligned = alignedTo(view, 'before', box(100, 0), box(0, 300));
    expect(at(aligned.after, aligned.zoom, { x: 0, y: 300 })).toEqual(at(view.before, view.zoom, { x: 100, y: 0 }));
    expect(aligned.before).toEqual(view.before);
    expect(alignedTo(view, 'after', box(0, 0), null)).toBe(view);
  });
});
