import { expect, test } from 'vitest';
import { readFiles } from './read-files.ts';

const refusedOf = (text: string) =>
  readFiles([{ name: 'file.json', text }]).refused.map(({ isOther: _, ...refused }) => refused);
const good = '{"role": "user", "content": "hi"}';

test.each([
  ['nothing at all', '', undefined, /nothing in it/],
  ['white space', ' \n\t', undefined, /nothing in it/],
  ['an empty list', '[]', undefined, /nothing in it/],
  ['prose', 'Dear diary,', 1, /Line 1: expected JSON or a line that begins with “User:”/],
  ['prose in brackets', '{dear diary}', 1, /not JSON.*a name in double quotes, found "dear diary}"/],
  ['JSON of no known form', '{"recipe": ["flour"]}', undefined, /not in a known format/],
  ['numbers', '[1, 2]', undefined, /not in a known format/],
  ['no message by a user', '[{"role": "assistant", "content": "hi"}]', undefined, /at least one message by a user/],
  ['a list that lost a comma', `[\n${good}\n${good}]`, 3, /Line 3: expected a comma or "\]"/],
  ['a list that lost its end', `[\n${good},\n{"role": "user", "cont`, 3, /a closing double quote, found the end/],
  ['a message without words', `${good}\n\n{"role": "user", "content": 7}`, 3, /Line 3: expected a message like/],
  ['a stray item of a list', `[\n${good},\n"hello"\n]`, 3, /Line 3: expected .* found "hello"/],
  ['lines of one talk cut short', `${good}\n${good}\n{"role": "us`, 3, /Line 3: expected a closing double quote/],
] as const)('%s is refused, with the line where there is one to blame', (_, text, line, why) => {
  expect(refusedOf(text)).toEqual([{ name: 'file.json', why: expect.stringMatching(why), ...(line && { line }) }]);
});

test('what does not look like conversations is told from some that are damaged', () => {
  const areOther = (...texts: string[]) =>
    texts.map((text) => readFiles([{ name: 'file', text }]).refused.some(({ isOther }) => isOther));
  expect(areOther('', '[]', 'Dear diary,', '{"recipe": ["flour"]}', '7')).toEqual([true, true, true, true, true]);
  const damaged = [`[\n${good},\n{"role": "us`, `${good}\n{"role": "us`, '{"chunkedPrompt": {'];
  expect(areOther(...damaged)).toEqual([false, false, false]);
});

test('where each line stands for itself, a damaged one is named and left out', () => {
  const { found, refused } = readFiles([
    { name: 'x', text: `{"messages": [${good}]}\n{"messages": [\n{"messages": [${good}]}` },
  ]);
  expect(found).toHaveLength(2);
  expect(refused).toEqual([
    { name: 'x', line: 2, why: expect.stringContaining('Line 2: expected a value, found the end') },
  ]);
});
