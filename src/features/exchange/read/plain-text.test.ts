import { expect, test } from 'vitest';
import { spokenLines } from './read-files.ts';

const said = (text: string) => spokenLines(text)?.map(({ by, text: words }) => `${by}: ${words.trim()}`);

test.each([
  ['User: hi\nAssistant: hello\nthere', ['user: hi', 'assistant: hello\nthere']],
  ['\n\n**You:** hi\n\n**ChatGPT:** hello', ['user: hi', 'assistant: hello']],
  ['You said:\nhi\n\nChatGPT said:\nhello', ['user: hi', 'assistant: hello']],
  ['## Human: hi\r\n## AI: hello\r\n', ['user: hi', 'assistant: hello']],
  ['Q: why?\nA: because', ['user: why?', 'assistant: because']],
  ['System: be kind\nUser: hi', ['aside: be kind', 'user: hi']],
])('%j is read', (text, expected) => {
  expect(said(text)).toEqual(expected);
});

test('a label inside a block of code is code', () => {
  const text = 'User: this?\n```yaml\nuser: root\n```\nAssistant: yes';
  expect(said(text)).toEqual(['user: this?\n```yaml\nuser: root\n```', 'assistant: yes']);
});

test.each(['just some words', 'some words\nUser: hi', 'Assistant: nobody asked', ''])('%j is no dialogue', (text) => {
  expect(spokenLines(text)).toBeNull();
});
