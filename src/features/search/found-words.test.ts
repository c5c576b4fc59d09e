import { expect, test } from 'vitest';
import type { Hit, SearchResults } from './search.ts';
import { failedSearch, resultSummary } from './search-dialog.tsx';

const found: SearchResults = {
  hits: [],
  total: 0,
  done: true,
  turns: 30,
  wordsOnly: 0,
  meaningFailed: null,
  unread: 0,
};

test('what was found is said in one line', () => {
  expect(resultSummary(found, false)).toBe('Nothing in 30 turns.');
  expect(resultSummary({ ...found, done: false }, true)).toBe('Nothing in 30 turns so far.');
  expect(resultSummary({ ...found, total: 2, hits: [{}, {}] as Hit[] }, false)).toBe('2 turns.');
  expect(resultSummary({ ...found, total: 9, hits: [{}] as Hit[] }, false)).toBe('9 turns, the first 1 shown.');
});

test('what could not be looked at is said, too', () => {
  expect(resultSummary({ ...found, wordsOnly: 3 }, false)).toContain('3 turns searched by words only');
  expect(resultSummary({ ...found, meaningFailed: 'The model is gone.' }, false)).toBe(
    'Nothing in 30 turns; searched by words only, because meaning could not be compared: The model is gone.',
  );
  expect(resultSummary({ ...found, unread: 1 }, false)).toContain('1 conversation could not be read');
});

test('a search that failed shows what it had found, and nothing of one for other words', () => {
  const before = { found, of: 'lisbon', busy: true, failure: null };
  expect(failedSearch(before, 'lisbon', 'No worker.')).toEqual({
    found,
    of: 'lisbon',
    busy: false,
    failure: 'No worker.',
  });
  expect(failedSearch(before, 'lisbon flat', 'No worker.')).toMatchObject({ found: null, of: 'lisbon flat' });
});
