import { describe, expect, test } from 'vitest';
import { createGlide } from './glide.ts';
import { sceneOf } from './testing/scene-of.ts';
import { smallForest } from './testing/small-forest.ts';

const before = sceneOf(smallForest({ r: null, a: 'r', x: null }));
const after = sceneOf(smallForest({ r: null, a: 'r', x: null, b: 'r' }));
const ids = ['r', 'a', 'x', 'b'];

describe('createGlide', () => {
  test('cards set off from where they were and arrive; a new one and one that stays do not move', () => {
    const glide = createGlide();
    glide.begin(before, after, ids, 0);
    expect(glide.offsetOf('r')?.x).toBeLessThan(0);
    expect(glide.offsetOf('a')).toBeUndefined();
    expect(glide.offsetOf('b')).toBeUndefined();
    expect(glide.advance(90)).toBe(true);
    expect(glide.advance(500)).toBe(false);
    expect(glide.offsetOf('r')).toBeUndefined();
  });
  test('turned round on the way, they go back from where they are', () => {
    const glide = createGlide();
    glide.begin(before, after, ids, 0);
    glide.advance(90);
    const away = glide.offsetOf('x')?.x ?? 0;
    glide.begin(after, before, ids, 90);
    const whole = (glide.offsetOf('x')?.x ?? 0) - away;
    glide.advance(500);
    glide.begin(after, before, ids, 500);
    expect(glide.offsetOf('x')?.x).toBeCloseTo(whole);
    expect(away).toBeLessThan(0);
  });
});
