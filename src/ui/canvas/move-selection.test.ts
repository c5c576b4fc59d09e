import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cardOf, layoutForest } from './forest-layout.ts';
import { type Direction, moveSelection } from './move-selection.ts';
import { madeUpForest, smallForest } from './testing/small-forest.ts';

//   a          p
//  b   e       q
//  c   f
//  d
const forest = smallForest({ a: null, b: 'a', c: 'b', d: 'c', e: 'a', f: 'e', p: null, q: 'p' });
const layout = layoutForest(forest, null);
const from = (id: string, direction: Direction): string | null => {
  const card = cardOf(layout, forest.nodes[id]);
  return card === null ? null : moveSelection(layout, card, direction);
};

describe('moveSelection', () => {
  test('goes along the tree', () => {
    expect(from('b', 'up')).toBe('a');
    expect(from('a', 'up')).toBeNull();
    expect(from('a', 'down')).toBe('b');
    expect(from('d', 'down')).toBeNull();
  });
  test('goes to siblings, neighbouring branches and neighbouring topics in the same row', () => {
    expect(from('b', 'right')).toBe('e');
    expect(from('e', 'left')).toBe('b');
    expect(from('c', 'right')).toBe('f');
    expect(from('e', 'right')).toBe('q');
    expect(from('q', 'left')).toBe('e');
    expect(from('a', 'left')).toBeNull();
    expect(from('q', 'right')).toBeNull();
  });
  test('where the next topic is not as deep, goes to its deepest row', () => {
    expect(from('d', 'right')).toBe('q');
  });
  test('goes to the root and to the tip', () => {
    expect(from('f', 'root')).toBe('a');
    expect(from('a', 'root')).toBeNull();
    expect(from('a', 'tip')).toBe('d');
    expect(from('d', 'tip')).toBeNull();
  });

  test('always stays in the forest, and up undoes down', () => {
    const made = madeUpForest(120, 9);
    const its = layoutForest(made, null);
    const direction = fc.constantFrom<Direction>('up', 'down', 'left', 'right', 'root', 'tip');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), direction, (number, way) => {
        const card = cardOf(its, made.nodes[`n${number}`]);
        if (card === null) throw new Error('a turn has no card');
        const next = moveSelection(its, card, way);
        if (next === null) return;
        expect(next).not.toBe(`n${number}`);
        const there = cardOf(its, made.nodes[next]);
        if (there === null) throw new Error('the selection left the forest');
        if (way === 'down') expect(moveSelection(its, there, 'up')).toBe(`n${number}`);
      }),
    );
  });
});
