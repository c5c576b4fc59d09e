import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LexicalIndex } from './lexical-index.ts';

const WORDS =
  'rent landlord deposit Lisbon flight hotel soup onion Python traceback Mietvertrag Vertrag inquilino 家賃 住所 병원에서 병원 المستشفى מלון ipv6 the and dog dogs'.split(
    ' ',
  );
const text = fc
  .array(fc.constantFrom(...WORDS), { maxLength: 12 })
  .chain((words) => fc.constantFrom(1, 1, 1, 30).map((times) => `${words.join(' ')}. `.repeat(times)));
const edit = fc.record({
  id: fc.integer({ min: 0, max: 8 }).map((n) => `n${n}`),
  text: fc.option(fc.record({ message: text, reply: text }), { nil: null, freq: 3 }),
});

test('after any edits an index finds what one built anew finds, to the last digit', () => {
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 60 }), text, (edits, query) => {
      const index = new LexicalIndex();
      const now = new Map<string, { message: string; reply: string }>();
      for (const { id, text } of edits) {
        if (text === null) {
          index.delete(id);
          now.delete(id);
        } else {
          index.set(id, text);
          now.set(id, text);
        }
      }
      const anew = new LexicalIndex();
      for (const [id, text] of [...now].reverse()) anew.set(id, text);
      const [found, foundAnew] = [index.search(query, 'en'), anew.search(query, 'en')];
      expect(found.terms).toEqual(foundAnew.terms);
      for (const id of now.keys()) {
        expect(found.of(id)).toEqual(foundAnew.of(id));
        expect(found.termsIn(id)).toEqual(foundAnew.termsIn(id));
      }
      expect(new Set(found.best(99))).toEqual(new Set(foundAnew.best(99)));
      expect(new Set(index.ids())).toEqual(new Set(now.keys()));
    }),
  );
});

test('what is edited so often that the index is made anew is still found', () => {
  const index = new LexicalIndex();
  index.set('kept', { message: 'the hotel in Lisbon', reply: '' });
  for (let i = 0; i < 5000; i++) index.set('edited', { message: `soup number ${i}`, reply: '' });
  expect(index.search('lisbon', 'en').best(9)).toEqual(['kept']);
  expect(index.search('4999', 'en').best(9)).toEqual(['edited']);
  expect(index.search('4998', 'en').best(9)).toEqual([]);
});

const nearest = (texts: string[], query: string, language: string | null): number | undefined => {
  const index = new LexicalIndex();
  for (const [i, message] of texts.entries()) index.set(`${i}`, { message, reply: '' });
  const [best] = index.search(query, language).best(1);
  return best === undefined ? undefined : Number(best);
};

test.each([
  [
    'inflected',
    ['Der Vermieter behält die Kaution', 'Die Suppe ist zu salzig'],
    'was darf mit Kautionen passieren',
    'de',
  ],
  ['mistyped', ['a hotel with a balcony in Lisbon', 'soup without onions'], 'that hotel with the balconny', 'en'],
  ['in a compound', ['im Mietvertrag steht es anders', 'die Suppe ist zu salzig'], 'was steht im Vertrag', 'de'],
  ['without spaces', ['家賃は毎月五日までに払います', '玉ねぎのスープを作りたい'], '家賃はいくら', 'ja'],
  [
    'Korean, with another particle',
    ['지난주에 병원에서 검사를 받았어', '오늘은 양파 수프를 만들고 싶어'],
    '병원은 어디야',
    'ko',
  ],
  ['Korean, in a compound', ['대학병원까지 택시로 갔어', '오늘은 양파 수프를 만들고 싶어'], '병원이 멀었나', 'ko'],
  ['Arabic, with an article', ['قرأت الكتاب يوم الأحد', 'أريد أن أطبخ حساء البصل'], 'كتاب جديد', 'ar'],
  ['Arabic, with a pronoun', ['سيارتي في الورشة', 'أريد أن أطبخ حساء البصل'], 'السيارة', 'ar'],
  ['Hebrew, with an article', ['הלכתי אל המלון ביום ראשון', 'אני רוצה לבשל מרק בצל'], 'מלון', 'he'],
  ['Hebrew, with a preposition', ['נשארנו בבית כל היום', 'אני רוצה לבשל מרק בצל'], 'הבית', 'he'],
  ['Burmese', ['ဆေးရုံကိုသွားခဲ့တယ်', 'ကြက်သွန်ဟင်းချက်ချင်တယ်'], 'ဆေးရုံဘယ်မှာလဲ', 'my'],
  ['without accents', ['la réservation de l’hôtel', 'la soupe à l’oignon'], 'ou est ma reservation', 'fr'],
])('a word that is %s is found', (_, texts, query, language) => {
  expect(nearest(texts, query, language)).toBe(0);
});

test('a long text is found by its passage', () => {
  const filler = 'The stairs are cleaned in turns by all tenants. '.repeat(20);
  const index = new LexicalIndex();
  index.set('n', { message: 'here is the contract', reply: `${filler}A dog needs permission. ${filler}` });
  const hits = index.search('dog', 'en').of('n');
  expect(hits.length).toBeGreaterThan(3);
  const [only, ...others] = hits.filter(({ score }) => score > 0);
  expect(others).toEqual([]);
  expect(only?.part).toBe('reply');
});
