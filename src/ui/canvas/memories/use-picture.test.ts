import { expect, test } from 'vitest';
import type { Direction } from '../find-cards.ts';
import { layOutGroups, type Piece, type PieceGroup } from './picture-layout.ts';
import { cardIn, firstView, moveInPicture, quantisedAspect } from './use-picture.ts';

const piece = (id: string, parent: string | null = null): Piece => ({ id, parent });
const group = (id: string, pieces: readonly Piece[], as: 'tree' | 'rows'): PieceGroup => ({
  id,
  title: id,
  heading: { note: '', plain: true },
  order: 0,
  pieces,
  as,
});
const letters = (all: string): Piece[] => [...all].map((id) => piece(id));

// The rows: abcd / efgh / ij
const scene = layOutGroups(
  [
    group('tree', [piece('1'), piece('2', '1'), piece('3', '2'), piece('4', '1'), piece('5', '4')], 'tree'),
    group('rows', letters('abcdefghij'), 'rows'),
  ],
  2.9,
);
const move = (from: string, direction: Direction): string | null => {
  const card = cardIn({ scene, cards: new Map(), forward: [] }, from);
  if (card === null) throw new Error(`no card ${from}`);
  return moveInPicture(scene, card, direction);
};

test('in rows, along them and from row to row', () => {
  const columns = scene.layout.trees[1]?.tree.ys.findIndex((y) => y > 0);
  expect(columns).toBeGreaterThan(2);
  expect(move('a', 'right')).toBe('b');
  expect(move('b', 'left')).toBe('a');
  expect(move('b', 'down')).toBe('abcdefghij'[1 + (columns ?? 0)]);
  expect(move('abcdefghij'[1 + (columns ?? 0)] ?? '', 'up')).toBe('b');
  expect(move('c', 'root')).toBe('a');
  expect(move('c', 'tip')).toBe('j');
  expect(move('j', 'right')).toBeNull();
});

test('in a tree along its lines and its levels, and on to what stands beside', () => {
  expect(move('1', 'down')).toBe('2');
  expect(move('5', 'up')).toBe('4');
  expect(move('3', 'right')).toBe('5');
  expect(move('5', 'left')).toBe('3');
  expect(move('5', 'right')).toBe('a');
  expect(move('a', 'left')).toBe('1');
  expect(move('1', 'left')).toBeNull();
  expect(move('1', 'tip')).toBe('3');
});

test('it begins with all of it where that can be read, else with what stands forward, else with all of it', () => {
  const pane = { width: 800, height: 500 };
  const many = layOutGroups(
    [
      group(
        'rows',
        Array.from({ length: 600 }, (_, at) => piece(`${at}`)),
        'rows',
      ),
    ],
    1.6,
  );
  const near = { scene: many, cards: new Map(), forward: ['0', '1'] };
  const whole = firstView({ ...near, forward: [] }, pane);
  expect(whole.zoom * many.layout.width).toBeLessThanOrEqual(pane.width);
  expect(firstView(near, pane).zoom).toBeGreaterThan(2 * whole.zoom);
  expect(firstView({ ...near, forward: ['0', '599'] }, pane)).toEqual(whole);
});

test('a pane has a shape in steps, and one that is not there yet has one, too', () => {
  expect(quantisedAspect({ width: 1000, height: 700 })).toBe(quantisedAspect({ width: 1010, height: 700 }));
  expect(quantisedAspect({ width: 390, height: 800 })).toBeLessThan(0.6);
  expect(quantisedAspect({ width: 0, height: 0 })).toBe(1);
});
