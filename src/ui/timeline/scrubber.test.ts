import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TurnFrame, Weight } from './film-strip.ts';
import { barsOf, turnInWords } from './timeline.tsx';

const frames = (...weights: Weight[]): TurnFrame[] =>
  weights.map((weight, index) => ({ nodeId: `${index}`, number: index + 1, topic: index, weight, count: index + 1 }));

test('a few turns get a bar each', () => {
  const bars = barsOf(frames('topic', 'continue', 'branch'), 216);
  expect(bars.map((bar) => [bar.x, bar.topic, bar.weight, bar.position])).toEqual([
    [0, 0, 1, 1],
    [72, 1, 0, 2],
    [144, 2, 0.5, 3],
  ]);
});

test('once turns were deleted, a place on the strip is called by the number of its turn', () => {
  const left = frames('topic', 'continue', 'continue', 'continue').filter(({ number }) => number !== 2);
  expect([1, 2, 3].map((position) => turnInWords(left, position))).toEqual([
    'turn 1 of 4',
    'turn 3 of 4',
    'turn 4 of 4',
  ]);
});

test('a bar for many turns has their mean height and the colour of most', () => {
  const made = frames('topic', 'continue', 'continue', 'branch', 'branch', 'continue');
  const bars = barsOf(
    made.map((frame) => ({ ...frame, topic: frame.number === 1 ? 0 : 1 })),
    4,
  );
  expect(bars.map((bar) => [bar.topic, bar.position])).toEqual([
    [1, 3],
    [1, 6],
  ]);
  expect(bars.map((bar) => bar.weight)).toEqual([1 / 3, 1 / 3]);
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
