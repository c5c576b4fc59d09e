import { describe, expect, test } from 'vitest';
import { familiesOf, isDistinctive, normalForm } from './seen-dialogues.ts';

const dialogue = (group: string, ...messages: string[]) => ({
  group,
  turns: messages.map((message) => ({ message, reply: null, parent: null, disputed: false })),
});

/** Families of more than one group. */
const families = (...dialogues: ReturnType<typeof dialogue>[]) => {
  const found = new Map<string, string[]>();
  for (const [group, family] of familiesOf(dialogues)) found.set(family, [...(found.get(family) ?? []), group]);
  return [...found.values()].filter((groups) => groups.length > 1);
};

describe('groups of dialogues with texts in common', () => {
  test('have a telling message in common, whatever its case, punctuation and space', () => {
    const one = dialogue('a', 'Plan a hiking trip in the Dolomites!', 'Thanks.');
    const other = dialogue('b', 'Hello', 'plan a  hiking trip, in the “Dolomites”');
    expect(families(one, other, dialogue('c', 'Plan a birthday party for ten children'))).toEqual([['a', 'b']]);
  });

  test('or one that is worded almost alike: eight in ten of all pairs of words', () => {
    // 10 and 11 pairs with 10 in common: 10/11.
    const long = 'please add the ability to create new books with the put method';
    expect(families(dialogue('a', long.slice(7)), dialogue('b', long))).toEqual([['a', 'b']]);
    // 11 pairs each; with a different last word: 10/12. With two different words in the middle: 8/14.
    expect(families(dialogue('a', long), dialogue('b', long.replace('method', 'way')))).toEqual([['a', 'b']]);
    expect(families(dialogue('a', long), dialogue('b', long.replace('create new', 'delete old')))).toEqual([]);
  });

  test('not what anyone says', () => {
    expect(isDistinctive('Yes, that sounds good.')).toBe(false);
    expect(isDistinctive('-------- how are you? --------')).toBe(false);
    expect(families(dialogue('a', 'Yes, that sounds good.'), dialogue('b', 'yes that sounds good'))).toEqual([]);
  });

  test('are in one family with those of those', () => {
    const [trip, soup, bike] = [
      'Plan a hiking trip in the Dolomites',
      'Which soup can be frozen for a month?',
      'My bike squeaks when it is wet outside',
    ];
    const all = [dialogue('d', bike), dialogue('c', soup, bike), dialogue('b', trip, soup), dialogue('a', trip)];
    expect(families(...all, dialogue('e', 'Who composed the barber of Seville?'))).toEqual([['d', 'c', 'b', 'a']]);
    expect(familiesOf(all).get('d')).toBe('a');
  });

  test('in scripts without spaces, too', () => {
    const said = '我想下个月带父母去北京旅游五天，请帮我安排一个不太累的行程';
    expect(families(dialogue('a', said), dialogue('b', `${said}。`))).toEqual([['a', 'b']]);
    expect(families(dialogue('a', said), dialogue('b', `${said}吧`))).toEqual([['a', 'b']]);
    expect(normalForm('Ｃａｆé  №1')).toBe('café no1');
  });
});
