import { expect, test } from 'vitest';
import { glossedForEmbedder, loadGlossary } from '../../engine/text/glossary.ts';
import { answerFit, kindsAnswered, kindsAsked } from './answer-kinds.ts';

const fits = (reply: string, message: string): number => answerFit(kindsAsked(reply), kindsAnswered(message));

test.each([
  ['It is hungry. How often do you feed it?', 'twice a week'],
  ['How long is the run?', 'about 22m'],
  ['Is it dry, and is there a stain left?', 'yes a yellow ring'],
  ['That may be the fuse. Does anything else on that circuit still work?', 'nope all dead'],
  ['When does it start?', 'monday morning'],
])('“%s” is answered by “%s”', (reply, message) => {
  expect(fits(reply, message)).toBe(3);
});

test.each([
  ['**How many guests do you expect?**', 'about 20'],
  ['1. Fine.\n2. How many guests do you expect? 😊', 'about 20'],
  ['Is 2.5 l enough?!', 'no'],
  ['It is *old*. **Does it still start?** ', 'doesnt start'],
])('“%s” is a question whatever stands around it, and answered by “%s”', (reply, message) => {
  expect(fits(reply, message)).toBe(3);
});

test('a clause is an answer, though a question may begin like it', () => {
  expect(fits('When does it hurt?', 'when i bend my knee')).toBe(1);
  expect(fits('Where does it hurt?', 'where the neck meets the shoulder')).toBe(2);
  expect(fits('When does it hurt?', 'when i bend it, is that bad?')).toBe(-1);
  expect(fits('When does it hurt?', 'when should i worry')).toBe(-1);
  expect(fits('When does it hurt?', 'whats that to you')).toBe(-1);
  expect(fits('Have you tried ice?', 'any ideas')).toBe(-1);
  expect(fits('Have you tried ice?', 'any day works')).not.toBe(-1);
});

test('of a reply in another language only the question is put into English', async () => {
  await loadGlossary('de');
  const asked = (reply: string) => kindsAsked(reply, (text) => glossedForEmbedder(text, 'de'));
  const polar = asked('Das dauert 30 Tage, wann immer Sie wollen. Haben Sie einen Balkon?');
  expect(polar).toBe(kindsAsked('Do you have a balcony?'));
  expect(kindsAsked('Do you want the short version: five lines?')).toBe(kindsAsked('Do you want it?'));
  expect(asked('Gern! Wie viele Gäste kommen?')).toBe(kindsAsked('How many guests?'));
  expect(asked('Das dauert 30 Tage.')).toBe(0);
});

test('what may be an answer is less than one, and what gives something else less still', () => {
  expect(fits('What did you glue it with?', 'the spray carpet stuff')).toBe(2);
  expect(fits('Have you tried a magnet?', 'the wall sounds hollow')).toBe(2);
  expect(fits('How many coats does it have?', 'the ceiling is still damp')).toBe(1);
});

test('a question is no answer, and where nothing was asked there is none', () => {
  expect(fits('How many coats does it have?', 'do i need to sand first')).toBe(-1);
  expect(fits('How many coats does it have?', 'and 3 coats, is that enough?')).toBe(-1);
  expect(fits('Two coats, with four hours between them.', 'yes 4 hours')).toBe(0);
  expect(fits('Why? Because it is hungry.', 'twice a week')).toBe(0);
  expect(fits('', 'yes')).toBe(0);
});

test('an asking reply in another script is known by its mark', () => {
  expect(kindsAsked('それは空腹です。 how often feed？')).not.toBe(0);
  expect(kindsAsked('how many؟')).toBe(kindsAsked('how many?'));
});
