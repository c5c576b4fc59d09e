import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDataFiles } from '../src/features/evaluate/datasets/data-files.ts';
import type { LabelledDialogue, LabelledTurn } from '../src/features/evaluate/datasets/dialogues.ts';
import { createDialogueMatcher, isDistinctive, normalForm } from '../src/features/evaluate/held-out/seen-dialogues.ts';
import { datasetsIn, interleaveTrees } from '../src/features/evaluate/measurement/datasets.ts';
import { filesUnder } from './dialogues-on-disk.ts';
import { FOLDS, familiesOf, foldsIn, seenIn, unrelatedTo } from './folds.ts';
import { readTrainingSets, withDigressions } from './training-sets.ts';

/** Labelled dialogues that may not be part of the repository. */
const DATA = resolve(import.meta.dirname, '../../shared/data');
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

const thread = (set: string, id: string, ...messages: string[]): LabelledDialogue => ({
  set,
  id,
  group: id,
  labels: 'parents',
  turns: messages.map((message, at) => ({ message, reply: null, parent: at === 0 ? null : at - 1, disputed: false })),
});

const SOUP = 'Which soup can be frozen for a month?';
const TRIP = 'Plan a hiking trip in the Dolomites';
const BIKE = 'My bike squeaks when it is wet outside';

describe('the parts of the cross-validation', () => {
  /** Groups whose names put each in a different fold. */
  const apart = (() => {
    const found = new Map<number, string>();
    for (let at = 0; found.size < FOLDS; at++) {
      const [fold = 0] = foldsIn([])({ group: `g${at}` });
      if (!found.has(fold)) found.set(fold, `g${at}`);
    }
    return [...found.values()];
  })();
  const [one = '', other = '', third = ''] = apart;

  test('dialogues with a message in common are in one, others where their name puts them', () => {
    const said = [thread('ntm', one, SOUP), thread('ntm-more', other, 'Hi', SOUP.toUpperCase())];
    const foldsOf = foldsIn([...said, thread('sgd', third, TRIP)]);
    expect(foldsOf({ group: one })).toEqual(foldsOf({ group: other }));
    expect(foldsOf({ group: third })).toEqual(foldsIn([])({ group: third }));
    expect(foldsOf({ group: third })).not.toEqual(foldsOf({ group: one }));
  });

  test('all trees of a set that is left out whole are in one, with whatever shares a message with one of them', () => {
    const trees = [thread('oasst', one, SOUP), thread('oasst', other, TRIP)];
    const foldsOf = foldsIn([...trees, thread('coppice', third, 'hello', TRIP), thread('cast2022', 'c', BIKE)]);
    expect([one, other, third].map((group) => foldsOf({ group }))).toEqual([[1], [1], [1]]);
    expect(foldsOf({ group: 'c' })).toEqual([0]);
  });

  test('what is put together is in the parts of all its sources, openers of digressions included', () => {
    const main = thread('coppice', one, SOUP, 'without cream', 'for six', 'and bread', 'which one', 'white or dark');
    const opener = thread('cast2022', 'c', BIKE);
    const turn = opener.turns[0] as LabelledTurn;
    const digressing = withDigressions(main, [{ turn, group: 'c' }], 3);
    expect(digressing.turns).toContainEqual(turn);
    const foldsOf = foldsIn([main, opener, digressing]);
    expect(foldsOf(digressing)).toEqual([...foldsOf(main), 0]);
    const trees = [main, thread('coppice', other, TRIP, 'by train')];
    const mixed = interleaveTrees(trees, 'coppice-interleaved', 1);
    expect(foldsIn([...trees, mixed])(mixed)).toHaveLength(2);
  });
});

test('a set that is left out takes with it what has messages of it', () => {
  const main = thread('coppice', 'main', SOUP, 'without cream', 'for six', 'and bread', 'which one', 'white or dark');
  const out = thread('cast2022', 'out', BIKE);
  const digressing = withDigressions(main, [{ turn: out.turns[0] as LabelledTurn, group: 'out' }], 3);
  const all = [main, out, digressing, thread('tiage', 'alike', 'Hello!', `${BIKE}!!`), thread('sgd', 'other', TRIP)];
  const kept = unrelatedTo(all, ({ set }) => set === 'cast2022');
  expect(all.filter(kept).map(({ id }) => id)).toEqual(['main', 'other']);
});

describe('recognising what was trained on', () => {
  const dialogues = [thread('tiage', 'short', 'Hi.', 'Bye.'), thread('tiage', 'long', 'Hi.', SOUP, TRIP)];
  const foldsOf = foldsIn(dialogues);
  const foldOf = createDialogueMatcher(seenIn(dialogues, foldsOf));

  test('by its messages, whatever its name; without a telling one by all of them', () => {
    for (const dialogue of dialogues) expect([foldOf(dialogue)]).toEqual(foldsOf(dialogue));
    expect(foldOf(thread('x', 'y', 'Well.', TRIP))).toBe(foldsOf({ group: 'long' })[0]);
    expect(foldOf(thread('x', 'y', 'Hi.'))).toBeNull();
    expect(foldOf(thread('x', 'y', BIKE))).toBeNull();
  });
});

describe.skipIf(!existsSync(DATA))('on ../shared/data (skipped where that folder is absent)', () => {
  const telltale = ({ turns }: LabelledDialogue) =>
    turns
      .map(({ message }) => message)
      .filter(isDistinctive)
      .map(normalForm);

  test('no weights saw a telling message of what they are measured on', async () => {
    const training = await readTrainingSets(DATA);
    const foldsOf = foldsIn(training);
    const trainedWithout = (fold: number | null) =>
      new Set(training.filter((dialogue) => fold === null || !foldsOf(dialogue).includes(fold)).flatMap(telltale));
    const seenBy = new Map([null, 0, 1, 2, 3, 4].map((fold) => [fold, trainedWithout(fold)]));

    const common: string[] = [];
    const check = (what: string, dialogue: LabelledDialogue, fold: number | null) => {
      const again = telltale(dialogue).filter((message) => seenBy.get(fold)?.has(message));
      if (again.length > 0) common.push(`${what} ${dialogue.id}: ${again.length} messages`);
    };
    // Every training dialogue, mixes included, in the fold that leaves it out.
    for (const dialogue of training) {
      const [fold = 0, ...others] = foldsOf(dialogue);
      expect(others).toEqual([]);
      check(dialogue.set, dialogue, fold);
    }
    // And everything that is measured, with the weights it would be measured with.
    const foldOf = createDialogueMatcher(seenIn(training, foldsOf));
    for (const { name, dialogues } of datasetsIn(readDataFiles(await filesUnder(DATA)))) {
      for (const dialogue of dialogues) check(`measured ${name}`, dialogue, foldOf(dialogue));
    }
    expect(common).toEqual([]);
    expect(seenBy.get(0)?.size).toBeGreaterThan(1000);
  });

  test('every dialogue that is trained on is recognised', async () => {
    const training = await readTrainingSets(DATA);
    const foldsOf = foldsIn(training);
    const foldOf = createDialogueMatcher(seenIn(training, foldsOf));
    const unknown = training.filter((dialogue) => foldOf(dialogue) !== foldsOf(dialogue)[0]);
    expect(unknown.map(({ set, id }) => `${set} ${id}`)).toEqual([]);
  });
});
