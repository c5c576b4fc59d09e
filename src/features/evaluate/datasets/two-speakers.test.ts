import { expect, test } from 'vitest';
import { pairUp } from './two-speakers.ts';

const said = (...lines: string[]) => lines.map((line) => ({ speaker: line.slice(0, 1), text: line.slice(2) }));
const pairs = (...sessions: string[][]) =>
  pairUp(sessions.map((session) => said(...session))).turns.map(({ message, reply }) => [message, reply]);

test('a message and what the other says to it are a turn', () => {
  expect(pairs(['a 1', 'b 2', 'a 3', 'b 4'])).toEqual([
    ['1', '2'],
    ['3', '4'],
  ]);
});

test('what one of them says in several utterances is one', () => {
  expect(pairs(['a 1', 'a 2', 'b 3', 'b 4', 'a 5'])).toEqual([
    ['1\n2', '3\n4'],
    ['5', null],
  ]);
});

test('a session is opened by either, and no turn spans two', () => {
  expect(pairs(['a 1', 'b 2', 'a 3'], ['b 4', 'a 5'])).toEqual([
    ['1', '2'],
    ['3', null],
    ['4', '5'],
  ]);
});

test('each utterance is found in its turn, a blank one in none', () => {
  const { turns, turnOf } = pairUp([said('b ', 'a 1', 'b 2'), said('b 3', 'a  ')]);
  expect(turnOf).toEqual([
    [null, 0, 0],
    [1, null],
  ]);
  expect(turns.map(({ reply }) => reply)).toEqual(['2', null]);
});
