import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffWords, lineDiff } from './line-diff.ts';

test('a line that was changed is taken out and put in, and the others stay', () => {
  const lines = lineDiff('one\ntwo\nthree', 'one\n2\nthree\nfour');
  expect(lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'same one',
    'removed two',
    'added 2',
    'same three',
    'added four',
  ]);
  expect(diffWords(lines)).toBe('+2 −1 lines');
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
