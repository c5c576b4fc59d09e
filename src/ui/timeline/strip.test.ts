import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Frame, Weight } from './film.ts';
import { barsOf } from './strip.ts';

const frames = (...weights: Weight[]): Frame[] =>
  weights.map((weight, index) => ({ nodeId: `${index}`, number: index + 1, topic: index, weight, count: index + 1 }));

test('a few turns get a bar each', () => {
  const bars = barsOf(frames('topic', 'continue', 'branch'), 216);
  expect(bars.map((bar) => [bar.x, bar.weight, bar.position])).toEqual([
    [0, 'topic', 1],
    [72, 'continue', 2],
    [144, 'branch', 3],
  ]);
});

test('a bar for many turns shows what changed most', () => {
  const bars = barsOf(frames('continue', 'topic', 'continue', 'branch'), 6);
  expect(bars.map((bar) => [bar.weight, bar.topic, bar.position])).toEqual([
    ['topic', 1, 2],
    ['branch', 3, 4],
  ]);
});

test('every turn is in one bar and no bar overlaps the next', () => {
  const weight = fc.constantFrom<Weight>('topic', 'branch', 'continue');
  fc.assert(
    fc.property(fc.array(weight, { minLength: 1, maxLength: 400 }), fc.integer({ min: 1, max: 900 }), (ws, width) => {
      const bars = barsOf(frames(...ws), width);
      expect(bars.at(-1)?.position).toBe(ws.length);
      for (const [index, bar] of bars.entries()) {
        const next = bars[index + 1];
        expect(bar.width).toBeGreaterThan(0);
        expect(bar.x + bar.width).toBeLessThanOrEqual((next?.x ?? width) + 1e-6);
        expect(next?.position ?? Number.POSITIVE_INFINITY).toBeGreaterThan(bar.position);
      }
    }),
  );
});
