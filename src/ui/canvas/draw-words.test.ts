import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseTitles, createTitleDrawer, createTitleTexts, drawWords, fitText, isRightToLeft } from './draw-words.ts';
import { wholeView } from './geometry.ts';
import { layoutForest, type PlacedTree } from './layout.ts';
import type { CardInks, Palette, Pen } from './palette.ts';
import type { Scene } from './scene.ts';
import { madeUpForest, smallForest } from './testing/small-forest.ts';

const measure = (text: string) => text.length * 7;

describe('fitText', () => {
  test('keeps what fits and cuts what does not', () => {
    expect(fitText('Lisbon', 100, measure)).toBe('Lisbon');
    expect(fitText('Spring in Lisbon', 70, measure)).toBe('Spring in…');
    expect(fitText('Lisbon', 5, measure)).toBe('');
  });
  test('never cuts a character in two', () => {
    for (let room = 0; room < 80; room += 7)
      expect(fitText('🌸🌸🌸🌸🌸🌸', room, measure)).not.toMatch(/\p{Surrogate}/u);
  });
  test('never exceeds the room', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 300 }), (text, room) => {
        expect(measure(fitText(text, room, measure))).toBeLessThanOrEqual(room);
      }),
    );
  });
});

test('a text runs the way of its first letter, and stands where it would', () => {
  const texts = ['Lisbon', '3 × שלום Lisbon', 'Lisbon שלום', 'مرحبا', '12 %'];
  expect(texts.map(isRightToLeft)).toEqual([false, true, false, true, false]);
  const drawn: unknown[] = [];
  const pen = {
    direction: 'inherit',
    textAlign: 'start',
    save: () => undefined,
    restore: () => Object.assign(pen, { direction: 'inherit', textAlign: 'start' }),
    measureText: (text: string) => ({ width: measure(text) }),
    fillText: (text: string, x: number) => drawn.push([text, x, pen.direction, pen.textAlign]),
  };
  for (const words of ['שלום', 'Lisbon']) {
    drawWords(pen as unknown as Pen, words, { x: 5, y: 0, width: 100, height: 13, size: 13, indent: 10 });
  }
  expect(drawn).toEqual([
    ['שלום', 15, 'rtl', 'left'],
    ['Lisbon', 15, 'inherit', 'start'],
  ]);
});

test('a text without spaces goes on in the next line, and no letter is lost', () => {
  const lines = (words: string, width: number): string[] => {
    const drawn: string[] = [];
    const pen = {
      measureText: (text: string) => ({ width: measure(text) }),
      fillText: (text: string) => drawn.push(text),
    };
    drawWords(pen as unknown as Pen, words, { x: 0, y: 0, width, height: 52, size: 13, indent: 20 });
    return drawn;
  };
  expect(lines('木'.repeat(30), 100).map(({ length }) => length)).toEqual([11, 14, 5]);
  expect(lines('木'.repeat(60), 100)[2]).toBe(`${'木'.repeat(13)}…`);
  expect(lines('to Llanfairpwllgwyngyll', 100)).toEqual(['to', 'Llanfairpwllgw', 'yngyll']);
  expect(lines('木', 5)).toEqual(['', '', '']);
  fc.assert(
    fc.property(fc.array(fc.constantFrom('木', '🌳', 'x'), { maxLength: 30 }), (letters) => {
      expect(lines(letters.join(''), 250).join('')).toBe(letters.join(''));
    }),
  );
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
  test('leave the number of turns out before the title is cut', () => {
    expect(titleText(forest, first, 90, true, 'f')).toMatchObject({ text: 'Message a', note: '', noteWidth: 0 });
    const wide = createTitleTexts((text) => text.length * 10);
    expect(wide.titleText(forest, first, 160, true, 'f')).toMatchObject({ text: 'Message a', note: '' });
  });
  test('keep what else is said of a topic until the title is cut beyond reading', () => {
    const wide = createTitleTexts((text) => text.length * 10);
    expect(wide.titleText(forest, first, 125, true, 'f', 0, 'late')).toMatchObject({ text: 'Messag…', note: 'late' });
    expect(wide.titleText(forest, first, 100, true, 'f', 0, 'late')).toMatchObject({ text: 'Message a', note: '' });
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
          .map(({ x, y, tree, treeId }) => ({
            x: (x + (tree.xs[0] ?? 0)) * zoom,
            y: y * zoom - (chosen.get(treeId) ?? 0) * 25,
          }));
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

describe('titles in the overview', () => {
  /** A pen that draws nothing and records what it was asked to write. */
  const recordingPen = () => {
    const written: { text: string; from: number; to: number; y: number }[] = [];
    const does: Record<string, unknown> = {
      measureText: (text: string) => ({ width: measure(text) }),
      fillText: (text: string, from: number, y: number) => written.push({ text, from, to: from + measure(text), y }),
    };
    const pen = new Proxy({} as Pen, { get: (_, name) => does[String(name)] ?? (() => undefined), set: () => true });
    return { pen, written };
  };
  const palette = { inks: Array.from({ length: 12 }, () => ({ full: '' }) as CardInks) } as Partial<Palette> as Palette;

  test('of a few topics are all there, however narrow the pane: where there is no room beside each other, a line higher', () => {
    const path = (topic: string, turns: number): [string, string | null][] =>
      Array.from({ length: turns }, (_, i) => [`${topic}${i}`, i === 0 ? null : `${topic}${i - 1}`]);
    const grown = smallForest({
      ...Object.fromEntries(path('a', 8)),
      fork: 'a4',
      ...Object.fromEntries([...path('b', 3), ...path('c', 3)]),
    });
    const titled = Object.entries(grown.trees).map(([id, tree]) => [id, { ...tree, title: 'What makes it different' }]);
    const forest = { ...grown, trees: Object.fromEntries(titled) };
    const layout = layoutForest(forest, null);
    expect(layout.trees.length).toBe(3);
    const scene = { forest, layout, foldedIn: new Map() } as Partial<Scene> as Scene;
    for (const width of [240, 330, 390, 500]) {
      const { pen, written } = recordingPen();
      const pane = { width, height: 400 };
      createTitleDrawer(pen).drawTitles(scene, { ...wholeView(layout, pane), ...pane }, palette);
      const titles = written.filter(({ text }) => text !== 'active');
      expect(titles.length, `${width}`).toBe(layout.trees.length);
    }
  });

  test('of a whole forest keep within the pane and off one another', () => {
    const forest = madeUpForest(600, 3);
    const layout = layoutForest(forest, null);
    const scene = { forest, layout, foldedIn: new Map() } as Partial<Scene> as Scene;
    fc.assert(
      fc.property(fc.integer({ min: 320, max: 1600 }), fc.integer({ min: 300, max: 1000 }), (width, height) => {
        const { pen, written } = recordingPen();
        const pane = { width, height };
        createTitleDrawer(pen).drawTitles(scene, { ...wholeView(layout, pane), ...pane }, palette);
        expect(written.length).toBeGreaterThan(2);
        for (const [index, one] of written.entries()) {
          expect(one.from).toBeGreaterThanOrEqual(0);
          expect(one.to).toBeLessThanOrEqual(width);
          for (const other of written.slice(index + 1)) {
            const apart = one.to <= other.from || other.to <= one.from || Math.abs(one.y - other.y) >= 12;
            expect(apart, `${JSON.stringify(one)} and ${JSON.stringify(other)}`).toBe(true);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});
