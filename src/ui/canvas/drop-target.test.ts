import { describe, expect, test } from 'vitest';
import { carriedInWords, dropOn, familyOf, targetInWords } from './drop-target.ts';
import { smallForest } from './testing/small-forest.ts';

const forest = smallForest({ a: null, b: 'a', c: 'b', d: 'b', x: null });
const drop = (ids: string[], over: string | null) => dropOn(forest, ids, familyOf(forest, ids), over);

describe('dropping turns', () => {
  test('under a turn of another topic, or on open ground', () => {
    expect(drop(['b'], 'x')).toEqual({ target: { kind: 'under', nodeId: 'x' }, moving: ['b'], refusal: null });
    expect(drop(['b'], null)).toEqual({ target: { kind: 'new-topic' }, moving: ['b'], refusal: null });
  });
  test('is refused on the turn itself, below it, and where it hangs already; each says why', () => {
    expect(drop(['b'], 'b').refusal).toBe('Turn 2 cannot hang from itself.');
    expect(drop(['b'], 'c').refusal).toBe('Turn 3 is a descendant of what you drag: it would hang from itself.');
    expect(drop(['b'], 'a').refusal).toBe('Turn 2 hangs from turn 1 already.');
    expect(drop(['a'], null).refusal).toBe('Turn 1 begins a topic already.');
    expect(drop(['c', 'd'], 'b').refusal).toBe('They hang from turn 2 already.');
  });
  test('of several, those go that are not there yet, and what hangs from another of them goes along', () => {
    expect(drop(['c', 'x'], 'b')).toMatchObject({ moving: ['x'], refusal: null });
    expect(drop(['b', 'c'], 'x')).toMatchObject({ moving: ['b'], refusal: null });
  });
  test('words say what goes where', () => {
    const family = familyOf(forest, ['b']);
    expect(family).toEqual(new Set(['b', 'c', 'd']));
    expect(carriedInWords(forest, ['b'], family)).toBe('Turn 2 with 2 below');
    expect(carriedInWords(forest, ['c', 'd'], familyOf(forest, ['c', 'd']))).toBe('2 turns');
    expect(targetInWords(forest, drop(['b'], 'x'))).toBe('under turn 5');
    expect(targetInWords(forest, drop(['b'], null))).toBe('to a topic of its own');
  });
});
