import { expect, test } from 'vitest';
import { asWritten, contentWords } from './words.ts';

test('stems are named as the text writes their words', () => {
  const text = 'What makes the gears noisy after changing Batteries?';
  const stems = [...contentWords(text)];
  expect(stems).toContain('mak');
  expect(asWritten(stems, text)).toEqual(expect.arrayContaining(['makes', 'gears', 'changing', 'Batteries']));
  expect(asWritten(['unsaid'], text)).toEqual(['unsaid']);
});
