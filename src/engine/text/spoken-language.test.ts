import { expect, test } from 'vitest';
import { Life } from '../../domain/testing/random-life.ts';
import { languageOfTurns, languageSpoken } from './spoken-language.ts';

test('what somebody writes in is told from their last messages', () => {
  const spanish = ['¿cuánto tiempo tengo que cocer los huevos?', 'y luego, ¿los meto en agua fría o los dejo así?'];
  expect(languageSpoken(spanish)).toBe('es');
  const english = Array.from({ length: 8 }, (_, at) => `and how long do i boil the eggs for ${at} people`);
  expect(languageSpoken([...spanish, ...english])).toBe('en');
});

test('a pasted text in another language is not what the person writes', () => {
  const letter =
    'Sehr geehrte Frau Müller, hiermit kündige ich den Mietvertrag meiner Wohnung zum nächstmöglichen Termin und bitte Sie um eine schriftliche Bestätigung.';
  const asked = [`translate this to english please: ${letter}`, `what does this letter say\n\n${letter}\n${letter}`];
  const after = 'thanks! different topic: what gift should i get my kid';
  for (const message of asked) {
    expect(languageSpoken([message, after])).toBe('en');
    expect(languageSpoken([message, after, 'nothing bad for the teeth'])).toBe('en');
  }
  expect(
    languageSpoken([
      'wie lange muss der braten in den ofen',
      `und was heißt das: ${'the lease ends in may '.repeat(9)}`,
    ]),
  ).toBe('de');
});

test('who changes to another language is heard within two messages', () => {
  const english = ['how long do i boil the eggs', 'and what about the potatoes', 'which of them should be first'];
  const german = ['wie lange muss der schweinebraten in den ofen', 'und mit kruste oder ohne, was meinst du dazu'];
  expect(languageSpoken([...english, ...german])).toBe('de');
  expect(languageSpoken([...german, ...german, 'how long does it take to boil the eggs'])).toBe('en');
  expect(languageSpoken([...english, 'danke'])).toBe('en');
  expect(languageSpoken([...german, 'ok thanks'])).toBe('de');
});

test('each turn keeps the language it was written in, and what said too little has that of the first that tells', () => {
  const life = new Life();
  const say = (message: string) => life.say(null, message);
  say('mein fahrrad quietscht');
  say('und die bremse muss ich auch noch einstellen, wie geht das');
  for (let at = 0; at < 9; at++) say(`and how long do i boil the eggs for ${at} people`);
  const languages = languageOfTurns(life.forest, 'en');
  expect([1, 2, 3, 11].map((number) => languages({ number }))).toEqual(['de', 'de', 'en', 'en']);
});

test('what no turn tells is told by the message that is yet to be placed, or not at all', () => {
  const life = new Life();
  for (const message of ['ok', 'weiter']) life.say(null, message);
  for (const latest of ['de', null]) {
    const languages = languageOfTurns(life.forest, latest);
    expect([2, 1].map((number) => languages({ number }))).toEqual([latest, latest]);
  }
});

test('English of names and terms, almost without grammar, is not another language', () => {
  const tasks = ['Set up a login page.', 'Write tests for the parser.'];
  const terms = [
    'Add pagination controls in customer tables.',
    'Implement continuous deployment in container clusters.',
  ];
  expect(languageSpoken([...tasks, ...terms])).toBe('en');
});

test('a few letters do not tell, unless each says as much as a word', () => {
  expect(languageSpoken([])).toBeNull();
  expect(languageSpoken(['ok', 'danke'])).toBeNull();
  expect(languageSpoken(['猫一直打喷嚏怎么回事', '它要不要去看兽医'])).toBe('zh');
});

test('code and figures are no language', () => {
  const code = 'total = 0\nfor row in csv.DictReader(f):\n    total += float(row["Amount"])\nprint(total)';
  expect(languageSpoken([code, '```\nwie lange muss der braten in den ofen, und bei welcher hitze\n```'])).toBeNull();
  expect(languageSpoken([`my script dies on some rows of the bank export, any idea why?\n\n${code}`])).toBe('en');
});

test.each([
  ['en', 'find me some movies online, I enjoy those featuring a good detective'],
  ['en', 'need a plumber in san francisco, where would you look?'],
  ['no', 'hvordan lager jeg boller i ovn for en stor familie i helgen'],
  ['pl', 'my nie wiemy jak to zrobić i kiedy by tam pojechać'],
  ['nl', 'wat is de beste tijd of dag om te gaan hardlopen, we willen met zijn tweeën'],
])('English is told by its grammar, and nothing else is taken for it: %s, “%s”', (language, message) => {
  expect(languageSpoken([message])).toBe(language);
});
