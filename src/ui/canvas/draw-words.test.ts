import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseTitles, createTitleTexts, fitText } from './draw-words.ts';
import { layoutForest, type PlacedTree } from './layout.ts';
import { madeUpForest, smallForest } from './testing/small-forest.ts';

const measure = (text: string) => text.length * 7;

describe('fitText', () => {
  test('keeps what fits and cuts what does not', () => {
    expect(fitText('Lisbon', 100, measure)).toBe('Lisbon');
    expect(fitText('Spring in Lisbon', 70, measure)).toBe('Spring in…');
    expect(fitText('Lisbon', 5, measure)).toBe('');
  });
  test('never exceeds the room', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 300 }), (text, room) => {
        expect(measure(fitText(text, room, measure))).toBeLessThanOrEqual(room);
      }),
    );
  });
});

describe('title texts', () => {
  const forest = smallForest({ a: null, b: 'a', p: null });
  const layout = layoutForest(forest, null);
  const { titleText } = createTitleTexts(measure);
  const [first, last] = layout.trees as [PlacedTree, PlacedTree];

  test('say how many turns there are, or that the topic is active', () => {
    expect(titleText(forest, first, 300, true, 'f')).toMatchObject({ text: 'Message a', note: '2 turns' });
    expect(titleText(forest, last, 300, true, 'f')).toMatchObject({ text: 'Message p', note: 'active' });
  });
  test('leave the note out before the title is cut beyond reading', () => {
    expect(titleText(forest, first, 90, true, 'f')).toMatchObject({ text: 'Message a', note: '', noteWidth: 0 });
  });
});

describe('chooseTitles', () => {
  test('no two cover one another, and the active topic has its title', () => {
    const forest = madeUpForest(600, 3);
    const layout = layoutForest(forest, null);
    const activeId = forest.active?.treeId ?? null;
    fc.assert(
      fc.property(fc.double({ min: 0.005, max: 0.4, noNaN: true }), (zoom) => {
        const chosen = chooseTitles(layout, activeId, zoom, () => 120);
        expect(chosen.has(activeId ?? '')).toBe(true);
        const at = layout.trees
          .filter(({ treeId }) => chosen.has(treeId))
          .map(({ x, y, tree }) => ({ x: (x + (tree.xs[0] ?? 0)) * zoom, y: y * zoom }));
        for (const [index, one] of at.entries()) {
          for (const other of at.slice(index + 1)) {
            expect(Math.abs(one.x - other.x) >= 120 || Math.abs(one.y - other.y) >= 20).toBe(true);
          }
        }
      }),
      { numRuns: 40 },
    );
  });
});
