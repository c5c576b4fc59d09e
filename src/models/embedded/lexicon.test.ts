import { describe, expect, test } from 'vitest';
import { kinshipTo, knownWords, type Lexicon, NO_SUBJECT, shippedLexicon } from './lexicon.ts';

const kinship = (lexicon: Lexicon, message: string, texts: readonly string[]) => {
  const known = texts.map((text) => knownWords(lexicon, text));
  return kinshipTo(lexicon, knownWords(lexicon, message))({ all: new Set(known.flat()), last: new Set(known.at(-1)) });
};

describe('kinship', () => {
  test('tells what belongs to what, without a word in common', async () => {
    const lexicon = await shippedLexicon();
    const snake = ['my ball python refuses to eat, and the terrarium is new'];
    const taxes = ['which expenses can i claim on my tax return'];
    const near = kinship(lexicon, 'what should the thermostat be at?', snake);
    expect(near.whole).toBeGreaterThan(2 * kinship(lexicon, 'what should the thermostat be at?', taxes).whole);
    expect(lexicon.subjects[near.subject]).toMatch(/snake|reptile|terrarium/);
    expect(kinship(lexicon, 'is that a deduction?', taxes).whole).toBeGreaterThan(
      2 * kinship(lexicon, 'is that a deduction?', snake).whole,
    );
  });

  test('tells a word that has nothing to do with it from those that have', async () => {
    const lexicon = await shippedLexicon();
    const party = ['birthday party for my six year old', 'how many balloons and goody bags'];
    const near = kinship(lexicon, 'cake and candles', party);
    const partly = kinship(lexicon, 'cake and gearbox', party);
    expect(partly.least).toBeLessThan(near.least);
    expect(partly.each).toBeLessThan(near.each);
    expect(kinship(lexicon, 'cake candles balloons', party).sum).toBeGreaterThan(near.sum);
    expect(near.common).toBeGreaterThan(kinship(lexicon, 'gearbox oil', party).common);
  });

  test('knows no numbers', async () => {
    expect(knownWords(await shippedLexicon(), '2024 747 1984')).toEqual([]);
  });

  test('is that of the last turn, too', async () => {
    const lexicon = await shippedLexicon();
    const turns = ['my sourdough starter smells of acetone', 'what is the capital of Peru?'];
    const near = kinship(lexicon, 'how much rye flour per feeding', turns);
    expect(near.last).toBeLessThan(near.whole);
    expect(near.eachLast).toBeLessThan(near.each);
    expect(kinship(lexicon, 'zzyzx qwrtp', turns).subject).toBe(NO_SUBJECT);
  });
});
