import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedLinesWords, type DiffPiece, lineDiff, wordDiff } from './text-diff.ts';

const only = (pieces: readonly DiffPiece[], without: DiffPiece['kind']) =>
  pieces
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
      const pieces = wordDiff(before, after);
      expect(only(pieces, 'added')).toBe(before);
      expect(only(pieces, 'removed')).toBe(after);
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

test('a line that was changed is taken out and put in, and the others stay', () => {
  const lines = lineDiff('one\ntwo\nthree', 'one\n2\nthree\nfour');
  expect(lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'same one',
    'removed two',
    'added 2',
    'same three',
    'added four',
  ]);
  expect(changedLinesWords(lines)).toBe('+2 −1 lines');
});

test('either text can be read off the difference', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before, after);
      const without = (kind: string) =>
        lines
          .filter((line) => line.kind !== kind)
          .map((line) => line.text)
          .join('\n');
      expect(without('added')).toBe(before);
      expect(without('removed')).toBe(after);
    }),
  );
});

test('the same text has no difference', () => {
  expect(lineDiff('a\nb', 'a\nb').every(({ kind }) => kind === 'same')).toBe(true);
});
