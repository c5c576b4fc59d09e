import { expect, test } from 'vitest';
import type { Found, Hit } from './search.ts';
import { foundWords } from './search-dialog.tsx';

const found: Found = {
  hits: [],
  total: 0,
  done: true,
  turns: 30,
  wordsOnly: 0,
  meaningFailed: null,
  unread: 0,
};

test('what was found is said in one line', () => {
  expect(foundWords(found, false)).toBe('Nothing in 30 turns.');
  expect(foundWords({ ...found, done: false }, true)).toBe('Nothing in 30 turns so far.');
  expect(foundWords({ ...found, total: 2, hits: [{}, {}] as Hit[] }, false)).toBe('2 turns.');
  expect(foundWords({ ...found, total: 9, hits: [{}] as Hit[] }, false)).toBe('9 turns, the first 1 shown.');
});

test('what could not be looked at is said, too', () => {
  expect(foundWords({ ...found, wordsOnly: 3 }, false)).toContain('3 turns could be found by their words only');
  expect(foundWords({ ...found, meaningFailed: 'The model is gone.' }, false)).toBe(
    'Nothing in 30 turns; words only, for meaning could not be compared: The model is gone.',
  );
  expect(foundWords({ ...found, unread: 1 }, false)).toContain('1 conversation could not be read');
});
