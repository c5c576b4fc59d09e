import { describe, expect, test } from 'vitest';
import { type AppState, initialState } from '../../app/state.ts';
import type { Forest } from '../../domain/forest.ts';
import {
  type Folding,
  foldedBelow,
  foldedBesideActive,
  foldedBesideSelected,
  nearPath,
  shownChildren,
  standInFor,
  toggleBelow,
  toggleFolds,
  UNFOLDED,
  unfoldToShow,
} from './folding.ts';
import { cardOf, layoutForest } from './layout.ts';
import { smallForest } from './testing/small-forest.ts';

// The last turn is active, so the path is r, c, d.
const forest = smallForest({ r: null, a: 'r', b: 'a', c: 'r', x: null, y: 'x', d: 'c' });
const collapsed = (...ids: string[]): Folding => ({ collapsed: new Set(ids), near: null });
const shown = (folding: Folding) => layoutForest(forest, null, folding).trees.flatMap(({ tree }) => tree.ids);

describe('folding', () => {
  test('what lies below a folded turn has no card, and is counted', () => {
    const folding = collapsed('a', 'x');
    expect(shown(folding)).toEqual(['r', 'a', 'c', 'd', 'x']);
    expect(foldedBelow(forest, folding, shown(folding))).toEqual(
      new Map([
        ['a', 1],
        ['x', 1],
      ]),
    );
  });
  test('a folded root counts the whole topic but itself', () => {
    const folding = collapsed('r', 'a');
    expect(foldedBelow(forest, folding, shown(folding))).toEqual(new Map([['r', 4]]));
  });
  test('near the path are its own turns and what hangs from them, of no other topic', () => {
    const near = nearPath(forest, []);
    expect(near).toEqual(new Set(['r', 'a', 'c', 'd']));
    const folding = { collapsed: new Set<string>(), near };
    expect(shown(folding)).toEqual(['r', 'a', 'c', 'd']);
    expect(foldedBelow(forest, folding, near)).toEqual(new Map([['a', 1]]));
  });
  test('near the path is also what leads to a selected turn or to one that is referred to', () => {
    expect(nearPath(forest, ['y'])).toEqual(new Set(['r', 'a', 'c', 'd', 'x', 'y']));
    const d = { ...(forest.nodes.d as Forest['nodes'][string]), references: [{ to: 'b', as: 'path', by: 'person' }] };
    const referring = { ...forest, nodes: { ...forest.nodes, d } } as Forest;
    expect(nearPath(referring, []).has('b')).toBe(true);
  });
  test('only what is above a turn opens for it', () => {
    const all = ['r', 'a', 'x'];
    expect(unfoldToShow(forest, all, 'b')).toEqual(['x']);
    expect(unfoldToShow(forest, all, 'a')).toEqual(['a', 'x']);
    expect(unfoldToShow(forest, all, 'x')).toBe(all);
    expect(unfoldToShow(forest, all, 'gone')).toBe(all);
  });
  describe('where a, c and x are folded and the active turn is below c', () => {
    const start = initialState({} as never, 'memory');
    const all = ['a', 'c', 'x'];
    const state = (selectedId: string | null, past: AppState['past'] = null): AppState => ({
      ...start,
      forest,
      past,
      session: { ...start.session, selectedId, collapsed: all },
    });
    // At that moment, y was active.
    const then = { count: 12, forest: smallForest({ r: null, a: 'r', b: 'a', c: 'r', x: null, y: 'x' }) };

    test('a turn that is selected is shown, at whatever moment, and what is above the active one stays folded', () => {
      expect(foldedBesideSelected(state('y'))).toEqual(['a', 'c']);
      expect(foldedBesideSelected(state('b', then))).toEqual(['c', 'x']);
      expect(foldedBesideSelected(state(null))).toBe(all);
      // It is not there yet.
      expect(foldedBesideSelected(state('d', then))).toBe(all);
    });
    test('a turn that becomes active is shown, but not those that were active in a moment looked at', () => {
      expect(foldedBesideActive(state(null))).toEqual(['a', 'x']);
      expect(foldedBesideActive(state('y'))).toEqual(['a', 'x']);
      expect(foldedBesideActive(state(null, then))).toEqual(['a', 'x']);
    });
  });
  test('a turn without a card is stood in for by the nearest above it', () => {
    const layout = layoutForest(forest, null, collapsed('a'));
    const isShown = (node: Forest['nodes'][string]) => cardOf(layout, node) !== null;
    expect(standInFor(forest, isShown, 'b')).toBe('a');
    expect(standInFor(forest, isShown, 'd')).toBe('d');
    expect(standInFor(forest, () => false, 'd')).toBeNull();
  });
  test('unfolded, all children are shown', () => {
    expect(shownChildren(forest, UNFOLDED, 'r')).toEqual(['a', 'c']);
  });
  test('a turn with nothing below it can be neither folded nor unfolded, and keeps what is folded as it is', () => {
    const session = { collapsed: ['a'], nearPath: true };
    const folds = new Map([['a', 1]]);
    expect(toggleBelow(session, forest, ['d', 'b'], folds)).toBeNull();
    expect(toggleBelow(session, forest, [], folds)).toBeNull();
    expect(toggleBelow(session, forest, ['d', 'x'], folds)).toEqual({ collapsed: ['a', 'x'], nearPath: true });
    expect(toggleBelow(session, forest, ['d', 'a'], folds)).toEqual({ collapsed: [], nearPath: true });
  });
  test('unfolding also ends "only near the path" where that is what hides the turns', () => {
    expect(toggleFolds({ collapsed: ['a'], nearPath: true }, ['c'], false)).toEqual({
      collapsed: ['a', 'c'],
      nearPath: true,
    });
    expect(toggleFolds({ collapsed: ['a', 'c'], nearPath: true }, ['c'], true)).toEqual({
      collapsed: ['a'],
      nearPath: true,
    });
    expect(toggleFolds({ collapsed: ['a'], nearPath: true }, ['c'], true)).toEqual({
      collapsed: ['a'],
      nearPath: false,
    });
  });
});
