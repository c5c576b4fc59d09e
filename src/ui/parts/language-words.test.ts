import { expect, test } from 'vitest';
import { spokenName, spokenNames } from './language-words.ts';

test('languages go by their names', () => {
  expect(spokenName('es')).toBe('Spanish');
  expect(spokenNames(['en'])).toBe('English');
  expect(spokenNames(['en', 'de'])).toBe('English and German');
});
