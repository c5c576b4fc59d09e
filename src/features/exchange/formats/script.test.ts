import { expect, test } from 'vitest';
import { dialoguesOf, type SpokenLine, turnsOf } from './form.ts';

/** `u:` and `a:` before what the user and the assistant say. */
const lines = (...said: string[]): SpokenLine[] =>
  said.map((line) => ({ by: line.startsWith('u:') ? 'user' : 'assistant', text: line.slice(2) }));

test('a message and the reply to it are a turn', () => {
  expect(turnsOf(lines('u:hi', 'a:hello', 'u:bye', 'a:see you'))).toEqual([
    { message: 'hi', reply: 'hello' },
    { message: 'bye', reply: 'see you' },
  ]);
});

test('where replies are given, what was said in a row is one turn', () => {
  expect(turnsOf(lines('u:one', 'u:two', 'a:first', 'a:second', 'u:three'))).toEqual([
    { message: 'one\n\ntwo', reply: 'first\n\nsecond' },
    { message: 'three', reply: null },
  ]);
});

test('where no reply is given, every message is a turn for the chat role', () => {
  expect(turnsOf(lines('u:one', 'u:two'))).toEqual([
    { message: 'one', reply: null },
    { message: 'two', reply: null },
  ]);
});

test('a greeting before the first message and lines without words are left out', () => {
  expect(turnsOf(lines('a:welcome', 'u: ', 'u:hi', 'a:', 'a:hello'))).toEqual([{ message: 'hi', reply: 'hello' }]);
});

test('a dialogue is titled by the file it fills, by its own title, or by how it begins', () => {
  const script = { title: null, lines: lines('u:hi') };
  const titles = (name: string, scripts: Parameters<typeof dialoguesOf>[1]) =>
    dialoguesOf(name, scripts).map(({ title }) => title);
  expect(titles('my trip.json', [script])).toEqual(['my trip']);
  expect(titles('', [script])).toEqual(['hi']);
  expect(titles('all.json', [script, { title: 'Named', lines: lines('u:x') }])).toEqual(['hi', 'Named']);
  expect(titles('', [{ title: null, lines: lines(`u:${'word '.repeat(40)}`) }])[0]).toMatch(/^(word ){10,}word…$/);
  expect(titles('', [{ title: 'Nobody speaks', lines: [] }])).toEqual([]);
});
