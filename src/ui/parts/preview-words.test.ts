import { expect, test } from 'vitest';
import { edited } from '../../features/edits/testing/edited.ts';
import { previewWords, turnsNamed } from './preview-words.ts';

test('turns are named while they are few, then counted', () => {
  const { life, one, two, three, four, five, six } = edited();
  const named = (...ids: string[]) => turnsNamed(life.forest, ids);
  expect(named(two)).toBe('turn 2');
  expect(named(three, one)).toBe('turns 1 and 3');
  expect(named(one, two, three)).toBe('turns 1, 2 and 3');
  expect(named(one, two, three, four, five)).toBe('turns 1, 2, 3, 4 and 1 other');
  expect(named(one, two, three, four, five, six)).toBe('turns 1, 2, 3, 4 and 2 others');
});

test('a preview says tokens and turns, or why it cannot be', () => {
  const { life, one, two, six } = edited();
  const same = { refusal: null, tokensBefore: 1204, tokensAfter: 1204, entering: [], leaving: [] };
  expect(previewWords(life.forest, same)).toBe('The next message’s context: 1,204 tokens as now.');
  expect(previewWords(life.forest, { ...same, tokensAfter: 980, entering: [six], leaving: [one, two] })).toBe(
    'The next message’s context: 1,204 → 980 tokens · turn 6 comes in · turns 1 and 2 leave.',
  );
  expect(previewWords(life.forest, { ...same, refusal: 'It is there already.' })).toBe('It is there already.');
});
