import { expect, test } from 'vitest';
import { initialState } from '../../app/state.ts';
import { fold, frozen } from '../../domain/apply.ts';
import { doneInSteps, reopened, resultOf } from '../../domain/testing/plain-forest.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { syntheticLog } from '../../domain/testing/synthetic-forest.ts';
import type { Command } from '../../ui/commands/command.ts';
import { paletteGroups, refusalNow, turnsFound } from './palette-rows.ts';

const found = (query: string, { forest }: Life) => resultOf(turnsFound(query, forest)).map(({ number }) => number);

const talk = () => {
  const life = new Life();
  const first = life.say(null, 'A week in Lisbon');
  life.say(first, 'Hotels near the river for 4 people');
  life.say(null, 'Sourdough for beginners');
  life.say(null, 'Lisbonites and their café');
  return life;
};

test('turns are found by the beginnings of their words, whole ones and newer ones first, and by number', () => {
  const life = talk();
  expect(found('lisbon', life)).toEqual([1, 4]);
  expect(found('river hot', life)).toEqual([2]);
  expect(found('CAFE', life)).toEqual([4]);
  expect(found('4', life)).toEqual([4, 2]);
  expect(found('go to turn 3', life)[0]).toBe(3);
  expect(found('zebra', life)).toEqual([]);
  expect(found('', life)).toEqual([]);
});

test('in a long conversation turns are found in steps, none of which reads many messages', () => {
  const { forest, reads } = reopened(frozen(fold(syntheticLog(1000, 3))));
  const { result, counts } = doneInSteps(turnsFound('the', forest), () => reads.texts);
  expect(counts.length).toBeGreaterThan(5);
  expect(Math.max(...counts)).toBeLessThan(200);
  expect(result).toHaveLength(8);
});

test('the turns found are listed after the commands and before the search for the words everywhere', () => {
  const life = talk();
  const turns = resultOf(turnsFound('lisbon', life.forest));
  const state = { ...initialState({} as never, 'memory'), forest: life.forest };
  const groups = (shown: typeof turns) =>
    paletteGroups('lisbon', [], [], state, shown).map(({ heading, rows }) => [heading, rows.length]);
  expect(groups(turns)).toEqual([
    ['Turns', 2],
    ['Everywhere', 1],
  ]);
  expect(groups([])).toEqual([['Everywhere', 1]]);
});

test('a command that was refused when the list was made is refused only as long as it has to be', () => {
  const state = initialState({} as never, 'memory');
  const replying = { ...state, phase: 'ready', reaching: 1 } as const;
  const command: Command = {
    id: 'regenerate',
    group: 'Chat',
    words: 'Regenerate the reply',
    unless: ({ reaching }) => (reaching === null ? null : 'Wait for it.'),
    run: () => undefined,
  };
  const listed = [{ command, words: command.words, refusal: 'Wait for it.' }];
  const row = paletteGroups('', listed, [], replying, [])[0]?.rows[0];
  if (row === undefined) throw new Error('no row');
  expect(refusalNow(row, replying)).toBe('Wait for it.');
  expect(refusalNow(row, { ...replying, reaching: null })).toBeNull();
});
