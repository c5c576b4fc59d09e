import { expect, test } from 'vitest';
import { languageOf } from './spoken-language.ts';

test.each([
  ['how long do i boil the eggs for a salad', 'en'],
  ['wie lange muss der braten in den ofen', 'de'],
  ['cuánto tiempo tengo que cocer los huevos', 'es'],
  ['猫一直打喷嚏怎么回事', 'zh'],
  ['почему кот чихает весь день', 'ru'],
])('%s is %s', (text, language) => expect(languageOf(text)).toBe(language));

test('where there are no words, there is no language', () => {
  expect(languageOf('')).toBeNull();
  expect(languageOf('12 + 30')).toBeNull();
});
