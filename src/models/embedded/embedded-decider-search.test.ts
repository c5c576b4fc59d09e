import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentWords, stem } from '../../engine/text/words.ts';
import { beginningOf, wordsFoundIn } from './decider-texts.ts';

const word = fc.oneof(
  fc.constantFrom(
    'Cities',
    'nice',
    'things',
    'thingly',
    'city',
    'running',
    'Ran',
    'classes',
    "Ada's",
    'e',
    '12',
    'tries',
    'tied',
    'simply',
    'flyly',
  ),
  fc.stringMatching(/^[a-zA-Z]{1,4}(?:ies|sses|s|ing|ed|ly|nn|ning|e|y|'s)?$/),
);
const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));

test('every word begins as its stem says', () => {
  fc.assert(
    fc.property(word, (of) => {
      expect(of.toLowerCase().startsWith(beginningOf(stem(of)))).toBe(true);
    }),
  );
});

test('the words found are those that reading all texts finds', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), text, (texts, message) => {
      const words = contentWords(message);
      const all = contentWords(texts.join(' '));
      expect([...wordsFoundIn(texts, (of) => of, words)].sort()).toEqual([...words].filter((of) => all.has(of)).sort());
    }),
    { numRuns: 500 },
  );
});
