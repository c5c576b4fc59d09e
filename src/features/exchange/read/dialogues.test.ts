import { expect, test } from 'vitest';
import { dialoguesIn } from '../../../app/testing/conversation-files.ts';
import type { Dialogue } from '../../../engine/ports.ts';

const turns = (value: unknown, name = ''): Dialogue['turns'][] =>
  dialoguesIn(name, typeof value === 'string' ? value : JSON.stringify(value)).map((dialogue) => dialogue.turns);
const asLines = (items: readonly unknown[]) => items.map((item) => JSON.stringify(item)).join('\n');

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const talk = [user('hi'), assistant('hello')];
const oneTurn = [{ message: 'hi', reply: 'hello' }];

test.each([
  ['a JSON list', talk],
  ['a JSON list over many lines', JSON.stringify(talk, null, 2)],
  ['a line each', asLines(talk)],
  [
    'a line each, with blank lines, Windows line ends and a byte order mark',
    `\uFEFF${asLines(talk).replace('\n', '\r\n\r\n')}\r\n`,
  ],
  [
    'with instructions and tools around them',
    [
      { role: 'system', content: 'be kind' },
      user('hi'),
      assistant(null),
      { role: 'tool', content: '{}' },
      assistant('hello'),
    ],
  ],
  ['content in parts', [user([{ type: 'text', text: 'hi' }]), assistant([{ type: 'output_text', text: 'hello' }])]],
  ['{messages}', { messages: talk, model: 'any' }],
])('messages are read: %s', (_, given) => {
  expect(turns(given)).toEqual([oneTurn]);
});

test.each([
  ['a list of {messages}', [{ messages: talk }, { messages: talk }]],
  ['lines of {messages}', asLines([{ messages: talk }, { messages: talk }])],
  ['a list of lists', [talk, talk]],
  ['lines of lists', asLines([talk, talk])],
])('several dialogues are read: %s', (_, given) => {
  expect(turns(given)).toEqual([oneTurn, oneTurn]);
});

test('a picture among the parts leaves a mark', () => {
  const content = [
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url: 'data:' } },
  ];
  expect(turns([user(content)])).toEqual([[{ message: 'What is this?\n\n[image_url]', reply: null }]]);
});

test('user turns of several conversations are read, the checkpoint question is no turn', () => {
  const conversation = (id: string) => ({
    conversation_id: id,
    user_turns: [
      { turn_id: 1, content: `${id} one` },
      { turn_id: 2, content: `${id} two` },
    ],
    checkpoint_question: 'Does it hold?',
  });
  const read = [
    [
      { message: 'a one', reply: null },
      { message: 'a two', reply: null },
    ],
    [
      { message: 'b one', reply: null },
      { message: 'b two', reply: null },
    ],
  ];
  expect(turns(asLines([conversation('a'), conversation('b')]))).toEqual(read);
  expect(turns([conversation('a'), conversation('b')])).toEqual(read);
});

test('of a ChatGPT export the path shown last is taken, without what was not part of the talk', () => {
  const message = (role: string, text: string, more: object = {}) => ({
    author: { role },
    recipient: 'all',
    content: { content_type: 'text', parts: [text] },
    metadata: {},
    ...more,
  });
  const mapping = {
    root: { parent: null, message: null },
    system: { parent: 'root', message: message('system', '') },
    hidden: {
      parent: 'system',
      message: message('user', 'x', { metadata: { is_visually_hidden_from_conversation: true } }),
    },
    ask: { parent: 'hidden', message: message('user', 'hi') },
    call: { parent: 'ask', message: message('assistant', 'search()', { recipient: 'browser' }) },
    think: {
      parent: 'call',
      message: message('assistant', '', { content: { content_type: 'thoughts', thoughts: [] } }),
    },
    reply: { parent: 'think', message: message('assistant', 'hello') },
    other: { parent: 'ask', message: message('assistant', 'another reply') },
  };
  expect(turns([{ title: 'Greeting', current_node: 'reply', mapping }])).toEqual([oneTurn]);
  expect(turns([{ title: 'Greeting', mapping }])).toEqual([[{ message: 'hi', reply: 'another reply' }]]);
});

test('a ChatGPT export whose messages go in a circle ends', () => {
  const message = { author: { role: 'user' }, content: { content_type: 'text', parts: ['hi'] } };
  const mapping = { a: { parent: 'b', message }, b: { parent: 'a', message: null } };
  expect(turns([{ current_node: 'a', mapping }])).toEqual([[{ message: 'hi', reply: null }]]);
});

test('of a message tree the best-ranked path is taken', () => {
  const reply = (text: string, rank: number | null, more: object = {}) => ({
    text,
    role: 'assistant',
    rank,
    replies: [],
    ...more,
  });
  const prompt = {
    text: 'hi',
    role: 'prompter',
    replies: [reply('unranked', null), reply('second', 1), reply('gone', 0, { deleted: true }), reply('hello', 0)],
  };
  expect(turns(asLines([{ message_tree_id: 'x', prompt }]))).toEqual([oneTurn]);
});

test('a message tree may be as deep as it likes', () => {
  let message: object = { text: 'end', role: 'prompter' };
  for (let depth = 0; depth < 2000; depth++) {
    message = { text: 'on', role: depth % 2 === 0 ? 'assistant' : 'prompter', replies: [message] };
  }
  expect(turns({ prompt: message })[0]).toHaveLength(1001);
});

test.each([
  [
    'speakers and utterances',
    {
      dialogue_id: '1',
      turns: [
        { speaker: 'USER', utterance: 'hi' },
        { speaker: 'SYSTEM', utterance: 'hello' },
      ],
    },
  ],
  ['prompts and answers', { whole_conv: [{ name: 'c1', 'user prompt': 'hi', 'assistant answer': 'hello' }] }],
  [
    'ShareGPT',
    {
      conversations: [
        { from: 'system', value: 'x' },
        { from: 'human', value: 'hi' },
        { from: 'gpt', value: 'hello' },
      ],
    },
  ],
])('%s are read', (_, item) => {
  expect(turns([item, item])).toEqual([oneTurn, oneTurn]);
});

test('labelled text is read', () => {
  expect(turns('User: hi\nAssistant: hello')).toEqual([oneTurn]);
});
