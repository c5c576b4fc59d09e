import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GLOSSED } from '../ports.ts';
import { type Glossary, glossedForCues, glossedForEmbedder, inEnglish, loadGlossary } from './glossary.ts';

const english = async (language: string, text: string) => inEnglish(text, (await loadGlossary(language)) as Glossary);

test('everyday words are put into English, whatever their endings', async () => {
  expect(await english('de', 'wie lange muss der braten in den ofen?')).toMatch(/how .*roast.* oven\?/);
  expect(await english('es', 'mi gato estornuda')).toMatch(/cat sneeze/);
  expect(await english('ru', 'кошки чихают')).toMatch(/cat sneeze/);
});

test('an article is no pronoun: nothing is referred back to', async () => {
  expect(await english('fr', 'le filtre est propre')).toBe('the filter is clean');
  expect(await english('es', 'el gato no come')).toMatch(/^the cat/);
  expect(await english('it', 'gli occhiali')).toMatch(/^the /);
});

test('a compound is put into English part by part', async () => {
  expect(await english('de', 'kinderzimmertür')).toMatch(/^child.* room/);
  expect(await english('de', 'zahnarzttermin')).toBe('dentist appointment');
});

test('German without its dots is the same, and “ue” that is none stays', async () => {
  for (const [written, meant] of [
    ['kuehlschrank piept', 'kühlschrank piept'],
    ['der kaese ist alt', 'der käse ist alt'],
    ['bin so muede', 'bin so müde'],
    ['die schluessel', 'die schlüssel'],
    ['kuechentuer', 'küchentür'],
    ['fuer koeche', 'für köche'],
  ] as const) {
    expect(await english('de', written)).toBe(await english('de', meant));
    expect(await english('de', written)).not.toContain(written);
  }
  expect(await english('de', 'neue steuer')).toMatch(/^new tax/);
});

test('the German polite form means nobody else', async () => {
  expect(await english('de', 'Was empfehlen Sie mir? Ich kenne Ihre Preise, und danke Ihnen.')).not.toMatch(
    /she|her|they|them/,
  );
  expect(await english('de', 'was empfehlen sie mir')).toMatch(/you recommend/);
  expect(await english('de', 'Geben Sie mir Ihren Rat')).toMatch(/^give you .*your/);
  expect(await english('de', 'Meine Frau kommt. Sie mag ihre Katze')).toMatch(/she .*her/);
  expect(await english('de', 'ich glaube sie mag das')).toMatch(/she/);
});

test.each([
  ['de', 'ein haus am rande der stadt'],
  ['fr', 'en passant par Lyon'],
  ['es', 'si de paso puedo ver Toledo'],
  ['nl', 'oh ja dank je'],
  ['id', 'oh iya makasih'],
])('words that change the subject only at its edge do not within one, in %s: %s', async (language, text) => {
  expect(await english(language, text)).not.toContain('by the way');
});

test.each([
  ['de', 'am rande bemerkt, wie alt werden katzen'],
  ['fr', 'soit dit en passant, mon chat tousse'],
  ['es', 'dicho sea de paso, mi gato tose'],
  ['nl', 'oh ja trouwens, mijn kat hoest'],
  ['id', 'oh iya btw kucing saya batuk'],
])('those that do by themselves do, in %s: %s', async (language, text) => {
  expect(await english(language, text)).toContain('by the way');
});

test('words stand without spaces in some languages', async () => {
  expect(await english('zh', '猫一直打喷嚏')).toMatch(/cat.*sneeze/);
  expect(await english('ja', '猫がくしゃみをする')).toMatch(/cat/);
});

test('names and numbers may stand in the middle of such words', async () => {
  expect(await english('zh', '我的iphone15换电池')).toMatch(/iphone15 .*battery/);
  expect(await english('zh', 'sim卡')).toMatch(/sim/);
  expect(await english('ja', 'excelで表を作る')).toMatch(/^excel .*table/);
});

test('what is written together with a word does not hide it', async () => {
  expect(await english('ko', 'usb케이블')).toBe('usb cable');
  expect(await english('ar', 'والمدرسة؟')).toMatch(/school\?$/);
});

test('an apostrophe within a word is part of it, however it is typed', async () => {
  for (const mark of ["'", '’', 'ʼ']) {
    expect(await english('uk', `комп${mark}ютер зламався`)).toMatch(/^computer /);
    expect(await english('uk', `моєї сім${mark}ї`)).toMatch(/family/);
  }
});

test('names and English words stay', async () => {
  expect(await english('de', 'samsung a52 netflix')).toBe('samsung a52 netflix');
});

test('a language without a glossary has none', async () => {
  expect(await loadGlossary('en')).toBeNull();
  expect(await loadGlossary('xx')).toBeNull();
  expect(await loadGlossary(null)).toBeNull();
});

test('every glossary is read, has words of grammar and a thousand others, and takes any text', async () => {
  expect(Object.keys(import.meta.glob('./glossaries/*.json')).map((path) => path.slice(-7, -5))).toEqual([...GLOSSED]);
  for (const language of GLOSSED) {
    const glossary = (await loadGlossary(language)) as Glossary;
    expect(glossary.words.size, language).toBeGreaterThan(100);
    expect(glossary.stems.size, language).toBeGreaterThan(1000);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(typeof inEnglish(text, glossary)).toBe('string');
      }),
      { numRuns: 30 },
    );
  }
});

test('an answer keeps its mark where cues are looked for', async () => {
  for (const [language, answer] of [
    ['de', 'Nein, lieber Nudeln'],
    ['ar', 'لا، أريد الأحمر'],
    ['hi', 'नहीं, लाल वाला'],
    ['hi', 'नहीं। लाल वाला'],
  ] as const) {
    await loadGlossary(language);
    expect(glossedForCues(answer, language)).toMatch(/^no, /);
  }
  expect(glossedForCues('Lieber Nudeln', 'de')).toBe(glossedForEmbedder('Lieber Nudeln', 'de'));
  expect(glossedForCues('No, pasta please', 'en')).toBe('No, pasta please');
});
