import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFormats } from './formats.ts';

const formats = createFormats();
const failureOf = (text: string) => {
  const parsed = formats.parse('file.json', text);
  return parsed.ok ? null : parsed.failure;
};
const good = '{"role": "user", "content": "hi"}';

test.each([
  ['nothing at all', '', 'empty', null, /nothing in it/],
  ['white space', ' \n\t', 'empty', null, /nothing in it/],
  ['an empty list', '[]', 'empty', null, /nothing in it/],
  ['prose', 'Dear diary,', 'not-json', 1, /expected JSON or a line that begins with "User:"/],
  ['prose in brackets', '{dear diary}', 'not-json', 1, /a name in double quotes, found "dear diary}"/],
  ['JSON of no known form', '{"recipe": ["flour"]}', 'unknown-format', 1, /"messages".*"user_turns".*"User:"/],
  ['numbers', '[1, 2]', 'unknown-format', 1, /no form that is known/],
  [
    'no message by a user',
    '[{"role": "assistant", "content": "hi"}]',
    'broken',
    null,
    /at least one message by a user/,
  ],
] as const)('%s is refused', (_, text, kind, line, message) => {
  expect(failureOf(text)).toEqual({ kind, line, message: expect.stringMatching(message) });
});

test.each([
  [
    'a wrong type in JSON lines',
    `${good}\n\n${good}\n{"role": "user", "content": 7}`,
    4,
    '"content" to be a string, found 7',
  ],
  ['a missing field in JSON lines', `${good}\n{"role": "user"}`, 2, '"content" to be a string, found nothing'],
  [
    'a role nobody has',
    `[${good},\n{"role": "wizard", "content": ""}]`,
    2,
    '"role" to be "user", "assistant", "system"',
  ],
  [
    'a wrong type in a JSON list',
    `[\n${good},\n{\n"role": "user",\n"content": []\n},\n{"role": 1}]`,
    7,
    '"role" to be',
  ],
  ['a stray item', `[\n${good},\n"hello"\n]`, 3, 'this to be an object, found "hello" (at [1])'],
  ['a missing comma', `[\n${good}\n${good}]`, 3, 'a comma or "]"'],
  ['a lost end', `[\n${good},\n{"role": "user", "cont`, 3, 'a closing double quote, found the end'],
  ['a lost end of JSON lines', `${good}\n${good}\n{"role": "us`, 3, 'a closing double quote, found the end'],
  ['a first line that is broken', `{"role": "user", "content": }\n${good}`, 1, 'a value'],
  [
    'an inner place on one line',
    `{"messages": [${good}, {"role": "user", "content": 7}]}`,
    1,
    '(at messages[1].content)',
  ],
  ['messages that are none', '{\n"messages": "hi"\n}', 2, '"messages" to be a list, found "hi"'],
  [
    'a user turn without words',
    `{"user_turns": [{"content": "a"}]}\n{"user_turns": [{}]}`,
    2,
    '"content" to be a string',
  ],
  [
    'an utterance that is none',
    '[{"dialogue_id": "1", "turns": [\n{"speaker": "USER", "utterance": null}]}]',
    2,
    '"utterance"',
  ],
  [
    'a tree with a bad reply',
    '{"prompt": {"text": "a", "role": "prompter", "replies": [\n{"role": "assistant"}]}}',
    2,
    '"text" to be a string',
  ],
  ['a mapping without authors', '[{"mapping": {"x":\n{"message": {"content": {}}}}}]', 2, '"author" to be an object'],
] as const)('%s is named with its line', (_, text, line, what) => {
  const failure = failureOf(text);
  expect(failure).toMatchObject({ kind: 'broken', line });
  expect(failure?.message).toContain(`Line ${line}: expected ${what.startsWith('(') ? '' : what}`);
  expect(failure?.message).toContain(what);
});

test('a file that is too large is refused unread', () => {
  expect(failureOf(`[${' '.repeat(20 * 1024 * 1024)}]`)).toMatchObject({
    kind: 'too-large',
    message: expect.stringContaining('20 MB'),
  });
});

test('whatever is given, parsing answers and never throws', { timeout: 60_000 }, () => {
  const key = fc.constantFrom(
    'role',
    'content',
    'messages',
    'mapping',
    'turns',
    'dialogue_id',
    'prompt',
    'replies',
    'coppice',
    'version',
    'user_turns',
    'whole_conv',
    'conversations',
    '__proto__',
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('user', 'conversation', 1, null),
      fc.array(tie('tree')),
      fc.dictionary(key, tie('tree')),
    ),
  }));
  const text = fc.oneof(
    fc.string(),
    tree.map((value) => JSON.stringify(value)),
    fc.array(tree).map((items) => items.map((item) => JSON.stringify(item)).join('\n')),
  );
  fc.assert(
    fc.property(text, (given) => {
      const parsed = formats.parse('', given);
      if (!parsed.ok) expect(parsed.failure.message).toMatch(/\.$/);
    }),
    { numRuns: 300 },
  );
});
