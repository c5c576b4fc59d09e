import { describe, expect, test } from 'vitest';
import { antecedent, openPronouns, personsIn } from './pronouns.ts';

const antecedentIn = (message: string, text: string) => antecedent(openPronouns(personsIn(message)), personsIn(text));

describe('whom a message means by “he” or “she”', () => {
  test.each([
    ['Does he need binoculars?', 'Gift ideas for my dad, who turns 70', 2],
    ['does she like it', 'My dad’s birthday', -1],
    ['What if he says no?', 'How do I tell my boss that I want Fridays off', 1],
    ['what if he says no', 'he is old school', 3],
    ['Can I go with her?', 'How do I get a passport for Anna? She is two.', 3],
    ['is it over for her', 'who was the queen of Egypt', 2],
    ['where did he live', 'Who invented the telegraph?', 1],
    ['what if he says no', 'My monstera has yellow leaves', -1],
    ['does she like it', 'a gift for my gf', 2],
    ['what if he says no', 'my bf’s birthday', 2],
    ['does she like it', 'my nan is ninety', 2],
    ['does she like it', 'is gf bread healthy', -1],
    ['does she like it', 'the value is nan', -1],
    ['does she like it', 'a latency of 300 ms', -1],
    ['does she like it', 'a queen size bed', -1],
    ['what if he says no', 'sheets for a king bed', -1],
    ['what if he says no', 'who was the king of Spain', 2],
  ])('%s — %s', (message, text, expected) => {
    expect(antecedentIn(message, text)).toBe(expected);
  });

  test.each(['How long does it take?', 'my brother says he can not come', 'My boss is angry. What does she want?'])(
    'is not asked of one that says it itself, or means nobody: %s',
    (message) => {
      expect(openPronouns(personsIn(message))).toBe(0);
      expect(antecedentIn(message, 'he')).toBe(0);
    },
  );

  test('a possessive and an apostrophe of whichever kind are the same word', () => {
    for (const text of ["my wife's car", 'my wife’s car', 'the wives’ cars, my wife', 'WIFE']) {
      expect(personsIn(text)).toBe(personsIn('wife'));
    }
    expect(personsIn('he’s late')).toBe(personsIn("HE'S late"));
  });
});
