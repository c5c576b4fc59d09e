import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Stretch, wordDiff } from './word-diff.ts';

const only = (stretches: readonly Stretch[], without: Stretch['kind']) =>
  stretches
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join('');

test('says which words came and which went', () => {
  expect(wordDiff('The flat has two rooms. Rent 900.', 'The flat has three rooms. Rent 900.')).toEqual([
    { kind: 'same', text: 'The flat has ' },
    { kind: 'removed', text: 'two ' },
    { kind: 'added', text: 'three ' },
    { kind: 'same', text: 'rooms. Rent 900.' },
  ]);
});

test('both texts can be read from it, to the last space', () => {
  const text = fc.array(fc.constantFrom('a', 'b ', '\n', ' c', 'd  '), { maxLength: 30 }).map((all) => all.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const stretches = wordDiff(before, after);
      expect(only(stretches, 'added')).toBe(before);
      expect(only(stretches, 'removed')).toBe(after);
    }),
  );
});

test('texts too long to be compared word by word replace each other', () => {
  const long = 'word '.repeat(700);
  expect(wordDiff(long, 'short')).toEqual([
    { kind: 'removed', text: long },
    { kind: 'added', text: 'short' },
  ]);
});
