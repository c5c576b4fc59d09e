import { describe, expect, test } from 'vitest';
import { createGlide, createPace } from './glide.ts';
import { bareScene } from './scene.ts';
import { smallForest } from './testing/small-forest.ts';

const before = bareScene(smallForest({ r: null, a: 'r', x: null }));
const after = bareScene(smallForest({ r: null, a: 'r', x: null, b: 'r' }));
const ids = ['r', 'a', 'x', 'b'];

/** Lets the cards arrive, in long frames; returns the number of frames. */
const arrive = (glide: ReturnType<typeof createGlide>, from: number): number => {
  let frames = 1;
  while (glide.advance(from + 500 * frames)) frames++;
  return frames;
};

describe('createGlide', () => {
  test('cards set off from where they were and arrive; a new one and one that stays do not move', () => {
    const glide = createGlide();
    glide.begin(before, after, ids);
    expect(glide.offsetOf('r')?.x).toBeLessThan(0);
    expect(glide.offsetOf('a')).toBeUndefined();
    expect(glide.offsetOf('b')).toBeUndefined();
    expect(glide.advance(90)).toBe(true);
    expect(arrive(glide, 90)).toBeGreaterThan(3);
    expect(glide.offsetOf('r')).toBeUndefined();
  });
  test('where frames are long, cards are still seen on their way', () => {
    const glide = createGlide();
    glide.begin(before, after, ids);
    const [start, step, more] = [900, 1400, 1900].map((time) => {
      glide.advance(time);
      return glide.offsetOf('r')?.x ?? 0;
    }) as [number, number, number];
    expect(start).toBeLessThan(step);
    expect(step).toBeLessThan(more);
    expect(more).toBeLessThan(0);
  });
  test('turned round on the way, they go back from where they are', () => {
    const glide = createGlide();
    glide.begin(before, after, ids);
    glide.advance(0);
    glide.advance(40);
    const away = glide.offsetOf('x')?.x ?? 0;
    glide.begin(after, before, ids);
    const whole = (glide.offsetOf('x')?.x ?? 0) - away;
    arrive(glide, 40);
    glide.begin(after, before, ids);
    expect(glide.offsetOf('x')?.x).toBeCloseTo(whole);
    expect(away).toBeLessThan(0);
  });
});

test('a change right after another is hasty', () => {
  const paceOf = createPace();
  expect([0, 100, 200, 1000, 1020].map((now) => paceOf(7, false, now))).toEqual([
    'calm',
    'hasty',
    'hasty',
    'calm',
    'hasty',
  ]);
});

test('a leap through time is one however long the last took, a step is not', () => {
  const paceOf = createPace();
  paceOf(20, true, 0);
  expect(paceOf(19, true, 1000)).toBe('calm');
  expect(paceOf(60, true, 2000)).toBe('leap');
  expect(paceOf(10, true, 2010)).toBe('leap');
});

test('what an edit takes away or brings back, many turns or few, may be followed', () => {
  const paceOf = createPace();
  paceOf(20, false, 0);
  expect(paceOf(5, false, 1000)).toBe('calm');
  expect(paceOf(20, false, 2000)).toBe('calm');
});
