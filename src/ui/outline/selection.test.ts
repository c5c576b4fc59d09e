import { expect, test } from 'vitest';
import { Life } from '../../domain/testing/random-life.ts';
import { outlineRows } from './rows.ts';
import { toggled, turnOf, turnsBetween } from './selection.ts';

/** Rows: topic, 1, (3 forked from 1), 2, topic, 4. */
const made = () => {
  const life = new Life();
  const one = life.say(null);
  const two = life.say(one);
  const three = life.say(one);
  const four = life.say(null);
  return { rows: outlineRows(life.forest, new Set()), one, two, three, four };
};

test('a turn is taken in and out again', () => {
  expect(toggled(['a'], 'b')).toEqual(['a', 'b']);
  expect(toggled(['a', 'b'], 'a')).toEqual(['b']);
});

test('a range is the turns shown from row to row, over topics, either way round', () => {
  const { rows, two, three, four } = made();
  expect(turnsBetween(rows, 2, 5)).toEqual([three, two, four]);
  expect(turnsBetween(rows, 5, 2)).toEqual([three, two, four]);
});

test('a topic’s row stands for its first turn', () => {
  const { rows, one, four } = made();
  expect(rows.filter((row) => row.kind === 'topic').map(turnOf)).toEqual([one, four]);
});
