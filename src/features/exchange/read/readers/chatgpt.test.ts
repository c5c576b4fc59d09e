import { expect, test } from 'vitest';
import { forestOf } from '../entries-of.ts';
import { readFiles } from '../read-files.ts';
import { filesIn, shapes, toolOf } from '../testing/shapes.ts';

/** A conversation of ChatGPT: each message answers the one before it. */
const chatGptOf = (...messages: { role: string; content: object; metadata?: object }[]): string =>
  JSON.stringify({
    conversation_id: 'c',
    mapping: Object.fromEntries(
      messages.map(({ role, ...message }, at) => [
        `m${at}`,
        { id: `m${at}`, parent: at === 0 ? null : `m${at - 1}`, message: { author: { role }, ...message } },
      ]),
    ),
  });
const words = (...parts: unknown[]) => ({ content_type: 'text', parts });
const several = (...parts: unknown[]) => ({ content_type: 'multimodal_text', parts });
const drawing = (id: string) => ({ content_type: 'image_asset_pointer', asset_pointer: `sediment://${id}` });

test('ChatGPT: what it has stored for all conversations is no reply', () => {
  const node = (id: string, parent: string | null, role: string, content: object) => ({
    id,
    parent,
    message: { author: { role }, content },
  });
  const text = JSON.stringify({
    mapping: {
      m: node('m', null, 'assistant', { content_type: 'model_editable_context', model_set_context: 'Likes trees.' }),
      u: node('u', 'm', 'user', { content_type: 'text', parts: ['One'] }),
      a: node('a', 'u', 'assistant', { content_type: 'text', parts: ['A'] }),
    },
  });
  expect(shapes(text)).toEqual([['One > A']]);
});

test('ChatGPT: the text of an attached document, and pictures of its pages, are no part of the answer', () => {
  const metadata = { attachments: [{ id: 'file-1', name: 'oaks.pdf' }] };
  const text = chatGptOf(
    { role: 'user', content: words('Sum it up'), metadata },
    {
      role: 'tool',
      content: several('Cite it as 【1†source】.', 'Oaks grow slowly.', drawing('page_1')),
      metadata: { command: 'context_stuff', is_visually_hidden_from_conversation: false },
    },
    { role: 'assistant', content: words('They are slow.') },
  );
  expect(shapes(text)).toEqual([
    ['Sum it up > <think> Cite it as 【1†source】.  Oaks grow slowly. </think>  They are slow.'],
  ]);
  expect(filesIn(text)).toEqual(['oaks.pdf']);
});

test('ChatGPT: a picture that a tool made is an answer, and what the tool says of it is not', () => {
  const text = chatGptOf(
    { role: 'user', content: words('Draw a fox') },
    {
      role: 'tool',
      content: several(drawing('file_7'), 'The user sees it.'),
      metadata: { attachments: [{ id: 'file_8', name: 'sketch.svg' }] },
    },
  );
  expect(shapes(text)).toEqual([['Draw a fox > <think> The user sees it. </think>  [image file_7]  [sketch.svg]']]);
  expect(filesIn(text)).toEqual(['image file_7*', 'sketch.svg*']);
  const without = chatGptOf(
    { role: 'user', content: words('Draw a fox') },
    { role: 'tool', content: several('It failed.') },
    { role: 'assistant', content: words('I could not.') },
  );
  expect(shapes(without)).toEqual([['Draw a fox > <think> It failed. </think>  I could not.']]);
});

test('ChatGPT: a chart that a program drew is part of the answer, and what the program printed is not', () => {
  const ran = (...messages: object[]) => ({
    role: 'tool',
    content: { content_type: 'execution_output', text: 'done' },
    metadata: { aggregate_result: { messages } },
  });
  const text = chatGptOf(
    { role: 'user', content: words('Plot it') },
    ran({ message_type: 'stream', text: 'done' }),
    ran({ message_type: 'image', image_url: 'file-service://file-9' }, { message_type: 'image', image_url: null }),
    { role: 'assistant', content: words('Here is the chart.') },
  );
  expect(shapes(text)).toEqual([
    ['Plot it > <think> [execution_output] done  [execution_output] done </think>  [image file-9]  Here is the chart.'],
  ]);
  expect(filesIn(text)).toEqual(['image file-9*']);
});

test('ChatGPT: marks of sources go, and the sources stand below', () => {
  const node = (id: string, parent: string | null, role: string, text: string, metadata = {}) => ({
    id,
    parent,
    children: [],
    message: { id, author: { role }, content: { content_type: 'text', parts: [text] }, recipient: 'all', metadata },
  });
  const mapping = {
    u: node('u', null, 'user', 'News?'),
    a: node('a', 'u', 'assistant', 'Rain \uE200cite\uE202turn0search0\uE201 today【1†source】.', {
      content_references: [{ type: 'webpage', url: 'https://a.example', title: 'A' }],
    }),
  };
  expect(
    shapes(
      JSON.stringify([
        { conversation_id: 'c', title: null, mapping },
        { title: 'an empty shell', mapping: {} },
      ]),
    )[0],
  ).toEqual(['News? > Rain  today.  Sources: - [A](https://a.example)']);
});

test('ChatGPT: names and links in an answer stay words', () => {
  const mark = (...parts: string[]) => `\uE200${parts.join('\uE202')}\uE201`;
  const answer = [
    `It is ${mark('entity', '["city","Paris","capital of [France]"]')}${mark('cite', 'turn0search0')}.`,
    `See ${mark('url', 'the manual', 'https://a.example/m')} or ${mark('url', 'its page', 'turn0search1')}.`,
    `${mark('image_group', '{"query":["Paris"]}')}${mark('entity', '["city"')}Bye.`,
  ];
  const text = chatGptOf(
    { role: 'user', content: words('Capital?') },
    { role: 'assistant', content: words(answer.join(' ')) },
  );
  expect(shapes(text)).toEqual([['Capital? > It is Paris. See [the manual](https://a.example/m) or its page. Bye.']]);
});

test('DeepSeek: edited messages and answers written again, thoughts and what was searched', () => {
  const node = (
    id: string,
    parent: string,
    children: string[],
    inserted_at: string,
    fragments: object[],
    more = {},
  ) => ({
    id,
    parent,
    children,
    message: { files: [], model: 'deepseek-reasoner', inserted_at, fragments, ...more },
  });
  const said = (type: string, content: string) => ({ type, content });
  const searched = { type: 'SEARCH', content: null, results: [{ title: 'Hazel', url: 'https://a.example' }] };
  const mapping = {
    root: { id: 'root', parent: null, children: ['1', '5'], message: null },
    '1': node('1', 'root', ['2', '3'], '2025-03-30T04:49:36.505000+08:00', [said('REQUEST', 'Which trees?')], {
      files: [{ id: 'file-1', file_name: 'wood.pdf' }],
    }),
    '2': node('2', '1', [], '2025-03-30T04:49:40+08:00', [said('THINK', 'hm'), said('RESPONSE', 'Oak.')]),
    '3': node('3', '1', ['4'], '2025-03-30T04:50:00+08:00', [searched, said('RESPONSE', 'Hazel.')]),
    '4': node('4', '3', [], '2025-03-30T04:51:00+08:00', [said('REQUEST', 'Why?')]),
    '5': node('5', 'root', [], '2025-03-30T04:48:00+08:00', [said('REQUEST', 'Hello')]),
  };
  const item = { id: 'c', title: 'Trees', inserted_at: '2025-03-30T04:49:36+08:00', updated_at: '', mapping };
  const text = JSON.stringify([item]);
  expect(toolOf(text)).toBe('DeepSeek');
  expect(shapes(text)).toEqual([
    [
      'Hello',
      'Which trees? > <think> hm </think>  Oak. | <think> Hazel  https://a.example </think>  Hazel.*',
      '2 › Why?',
    ],
  ]);
  const [found] = readFiles([{ name: 'x', text }]).found;
  const [, first] = found === undefined ? [] : forestOf(found.conversation, 0).turns.turns;
  expect(first).toMatchObject({
    at: Date.UTC(2025, 2, 29, 20, 49, 36, 505),
    attachments: [{ name: 'wood.pdf' }],
    replies: [{ model: 'deepseek-reasoner' }, {}],
  });
});
