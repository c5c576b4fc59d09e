import fc from 'fast-check';
import { expect, test } from 'vitest';
import { termsOf } from './terms.ts';

const words = (text: string, language: string | null = 'en') => [...termsOf(text, language).words.keys()];

test('words of grammar never count, whatever the language', () => {
  expect(words('how do i get it out of the oven')).toEqual(['get', 'oven']);
  expect(words('oder reicht das schon', 'de')).toEqual(['reicht']);
  expect(words('y también para los niños', 'es')).toEqual(['nino']);
});

test('accents that people leave out make no other word', () => {
  expect(words('jalapeño', 'es')).toEqual(words('jalapeno', 'es'));
});

test('scripts without spaces are cut into pairs of characters', () => {
  expect(words('兵马俑', 'zh')).toEqual(expect.arrayContaining(['兵马', '马俑']));
  expect(words('ありがとう', 'ja')).toEqual([]);
});

test('inflection and compounds leave pieces in common', () => {
  const pieces = (text: string) => termsOf(text, 'de').pieces;
  const shared = [...pieces('schweinebraten').keys()].filter((piece) => pieces('bratens').has(piece));
  expect(shared).toEqual(expect.arrayContaining(['brat', 'rate', 'aten']));
});

test('a word that everybody says weighs less than a rare one, and a name more', () => {
  const { words: weights } = termsOf('buy a dehumidifier from DeLonghi', 'en');
  const [common = 0, rare = 0, name = 0] = ['buy', 'dehumidifier', 'delonghi'].map((word) => weights.get(word) ?? 0);
  expect(common).toBeLessThan(rare);
  expect(name).toBeGreaterThan(rare);
});

test('any text has terms of positive weight', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom('en', 'de', 'zh', 'xx', null), (text, language) => {
      const terms = termsOf(text, language);
      for (const weight of [...terms.words.values(), ...terms.pieces.values()]) expect(weight).toBeGreaterThan(0);
    }),
  );
});

test('marks that follow emoji and digits are no words', () => {
  expect(words('thanks ❤️ ✈️ 1️⃣')).toEqual(['1']);
});

test('a French or Italian word is the same with and without an elided article', () => {
  expect(words("l’hôtel d'Annecy et l'école", 'fr')).toEqual(['hotel', 'annecy', words('école', 'fr')[0]]);
});

test('of a message in capitals, no word counts as a name', () => {
  expect(termsOf('HOW DO I PRINT A PHOTO', 'en')).toEqual(termsOf('how do i print a photo', 'en'));
  expect(termsOf('NASA', 'en').words.get('nasa')).toBe(2);
  expect(termsOf('NBA、CBA、UFC 哪个好看', 'zh').words.get('ufc')).toBe(2);
});

test('ß is ss', () => {
  expect(words('Straße', 'de')).toEqual(words('Strasse', 'de'));
});
