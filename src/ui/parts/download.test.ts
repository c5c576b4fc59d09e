import { expect, test } from 'vitest';
import { fileName } from './download.ts';

test('a file name keeps the letters of any language with their marks, and nothing else', () => {
  expect(fileName('What is “new”, 2025?')).toBe('what-is-new-2025');
  for (const word of ['हिन्दी', 'ภาษาไทยที่นี่', 'e\u0301te\u0301']) expect(fileName(`${word}!`)).toBe(word);
  expect(fileName('…')).toBe('conversation');
});
