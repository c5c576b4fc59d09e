import { expect, test } from 'vitest';
import { isDataFile, readDataFiles } from './data-files.ts';

const line = (id: string, ...turns: object[]) => JSON.stringify({ id, source: 'made', turns });
const read = (text: string) => readDataFiles([{ path: 'rewrites/made.jsonl', text }]).rewrites;

test('a conversation is one thread, each message beside its rewrite', () => {
  expect(isDataFile('rewrites/made.jsonl')).toBe(true);
  const [first, second] = read(
    [
      line(
        'one',
        { message: 'Who built the bridge?', rewrite: 'Who built the bridge?', reply: 'Ada did.' },
        { message: 'When?', rewrite: 'When did Ada build the bridge?', reply: null },
      ),
      line('two', { message: 'Hi', rewrite: 'Hi', reply: 'Hello.' }),
    ].join('\n'),
  );
  expect(first?.turns.map(({ message, rewrite, reply, parent }) => [message, rewrite, reply, parent])).toEqual([
    ['Who built the bridge?', 'Who built the bridge?', 'Ada did.', null],
    ['When?', 'When did Ada build the bridge?', null, 0],
  ]);
  expect(second?.id).toBe('two');
});

test('a broken file is named with its line', () => {
  expect(() =>
    read(`${line('one', { message: 'Hi', rewrite: 'Hi', reply: null })}\n${line('two', { message: 'Hi' })}`),
  ).toThrow(/^rewrites\/made\.jsonl: Line 2: /);
  expect(() => read(line('empty'))).toThrow(/Line 1: the conversation empty has no turns/);
});
