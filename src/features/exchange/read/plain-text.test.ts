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

test.each([
  [
    'details of a computer',
    'User: my PC is slow\nSystem: Windows 11\nRAM: 8 GB\nModel: XPS\nAssistant: Restart it.\nUser: Thanks',
    ['user: my PC is slow\nSystem: Windows 11\nRAM: 8 GB\nModel: XPS', 'assistant: Restart it.', 'user: Thanks'],
  ],
  [
    'questions and answers',
    '**You:** an FAQ\n**Claude:** Here:\nQ: Is it free?\nA: Yes.\nYou: yes, you\n**You:** good',
    ['user: an FAQ', 'assistant: Here:\nQ: Is it free?\nA: Yes.\nYou: yes, you', 'user: good'],
  ],
  [
    'the model of a car',
    'System: be brief\nHuman: Which?\nAI: Make: Toyota\nModel: Corolla\nHuman: And?',
    ['aside: be brief', 'user: Which?', 'assistant: Make: Toyota\nModel: Corolla', 'user: And?'],
  ],
  [
    'a name in an answer',
    'Q: who?\nA: Several:\nClaude: of Anthropic\nQ: and?\nA: others',
    ['user: who?', 'assistant: Several:\nClaude: of Anthropic', 'user: and?', 'assistant: others'],
  ],
])('%s: what is no label of this text stays with who said it', (_, text, expected) => {
  expect(said(text)).toEqual(expected);
});

test('instructions in the middle are told by how they are written', () => {
  expect(said('**User:** hi\n**System:** be kind\n**AI:** hello')).toEqual([
    'user: hi',
    'aside: be kind',
    'assistant: hello',
  ]);
  expect(said('User:\nhi\nSystem:\nbe kind\nAI:\nhello')).toEqual(['user: hi', 'aside: be kind', 'assistant: hello']);
});

test.each([
  ['Model: gpt-4o\nUser: hi\nAssistant: hello\nUser: my PC\nSystem: Windows\nAssistant: welcome', 'assistant: gpt-4o'],
  ['Prompt: be kind\nUser: hi\nAssistant: hello\nUser: my PC\nSystem: Windows\nAssistant: welcome', 'user: be kind'],
  [
    'Model: 4o\n\n**You:** hi\n**ChatGPT:** hello\n**You:** my PC\nSystem: Windows\n**ChatGPT:** welcome',
    'assistant: 4o',
  ],
])('a line above the conversation does not hide who speaks in it: %j', (text, above) => {
  expect(said(text)).toEqual([
    above,
    'user: hi',
    'assistant: hello',
    'user: my PC\nSystem: Windows',
    'assistant: welcome',
  ]);
});

test('another assistant may answer a later question, and is told from one that is spoken of', () => {
  const text =
    'Me: q1\nChatGPT: a1\nClaude: of Anthropic\nMe: q2\nClaude: a2\nGemini: of Google\nMe: these?\nClaude: one\nChatGPT: a3\nMe: q4\nGemini: a4';
  expect(said(text)).toEqual([
    'user: q1',
    'assistant: a1\nClaude: of Anthropic',
    'user: q2',
    'assistant: a2\nGemini: of Google',
    'user: these?\nClaude: one',
    'assistant: a3',
    'user: q4',
    'assistant: a4',
  ]);
});

test.each([
  ['code within a line', 'User: how?\n```ls -la```\nAssistant: yes'],
  ['a longer fence around a shorter one', 'User: how?\n````md\n```\nAssistant: no\n```\n````\nAssistant: yes'],
  ['a fence beside the label', 'User: ```js\nuser: 1\n```\nAssistant: yes'],
  ['a fence in a list', 'User: how?\n1. ```sh\n   ls\n   ```\nAssistant: yes'],
])('%s ends where it ends', (_, text) => {
  expect(said(text)?.at(-1)).toBe('assistant: yes');
  expect(said(text)).toHaveLength(2);
});

test('a block of code in a block of code ends before the next label', () => {
  const readme = '```markdown\n# Tool\n```sh\nUser: no\n```\nUser: no\n```';
  expect(said(`User: a README\nAssistant: Here:\n${readme}\nUser: thanks\nAssistant: welcome`)).toEqual([
    'user: a README',
    `assistant: Here:\n${readme}`,
    'user: thanks',
    'assistant: welcome',
  ]);
});

test('a block of code that was cut off hides nothing after the next block', () => {
  const text = 'User: code\nAssistant: Here:\n```js\nf(\nUser: go on\nAssistant: Here:\n```js\nf()\n```\nUser: thanks';
  expect(said(text)?.at(-1)).toBe('user: thanks');
});

test.each(['just some words', 'some words\nUser: hi', 'Assistant: nobody asked', ''])('%j is no dialogue', (text) => {
  expect(spokenLines(text)).toBeNull();
});
