import { expect, test } from 'vitest';
import { forestOf } from './entries-of.ts';
import { readFiles } from './read-files.ts';
import { filesIn, shapes, toolOf } from './testing/shapes.ts';

/* Files built by hand from what is known about formats without a sample that may be kept. */

const lines = (...items: unknown[]): string => items.map((item) => JSON.stringify(item)).join('\n');

test('llama.cpp: siblings, thoughts, two sessions in a file', () => {
  const session = (id: string) => ({
    harness: 'llama.app',
    type: 'session',
    currNode: '',
    id,
    lastModified: 1784000004000,
    name: `Chat ${id}`,
  });
  const message = (convId: string, id: string, parent: string | null, role: string, content: string, more = {}) => ({
    type: 'message',
    message: {
      id,
      convId,
      type: parent === null ? 'root' : 'text',
      role,
      content,
      timestamp: 1784000000000,
      parent,
      children: [],
      ...more,
    },
  });
  const text = lines(
    session('1'),
    message('1', 'r', null, 'system', ''),
    message('1', 'u', 'r', 'user', 'Hi'),
    message('1', 'a', 'u', 'assistant', 'Hello.'),
    message('1', 'b', 'u', 'assistant', 'Hi there.', { reasoningContent: 'greet' }),
    message('1', 'v', 'r', 'user', 'Another start'),
    session('2'),
    message('2', 'r', null, 'system', ''),
    message('2', 'u', 'r', 'user', 'Bye', { extra: [{ type: 'textFile', name: 'a.txt', content: 'x' }] }),
  );
  expect(toolOf(text)).toBe('llama.cpp');
  expect(shapes(text)).toEqual([['Hi > Hello. | <think> greet </think>  Hi there.*', 'Another start'], ['Bye']]);
});

test('SillyTavern: swipes, and a branch in a file of its own joins the chat', () => {
  const header = (main?: string) => ({
    user_name: 'unused',
    character_name: 'unused',
    chat_metadata: main === undefined ? {} : { main_chat: main },
  });
  const said = (mes: string, is_user: boolean, minute: number, more = {}) => ({
    name: is_user ? 'Ann' : 'Bo',
    is_user,
    is_system: false,
    mes,
    send_date: `2024-01-02T10:0${minute}:00Z`,
    ...more,
  });
  const swiped = said('It rains.', false, 2, { swipes: ['It is dry.', 'It rains.'], swipe_id: 1 });
  const main = lines(header(), said('Hello!', false, 0), said('Weather?', true, 1), swiped, said('Pity.', true, 3));
  const branch = lines(
    header('main'),
    said('Hello!', false, 0),
    said('Weather?', true, 1),
    swiped,
    said('Good!', true, 4),
  );
  expect(toolOf(main)).toBe('SillyTavern');
  expect(shapes(main, branch)).toEqual([
    ['(The assistant began.) > Hello!', '1 › Weather? > It is dry. | It rains.*', '2 › Pity.', '2 › Good!'],
  ]);
});

test('SillyTavern: messages hidden from the model are messages, and its own notices are not', () => {
  const text = lines(
    { chat_metadata: {} },
    { name: 'Ann', is_user: true, is_system: true, mes: 'Hello', extra: {} },
    { name: 'Bo', is_user: false, is_system: true, mes: 'Good day.' },
    { name: 'System', is_user: false, is_system: true, mes: 'Welcome!', extra: { type: 'welcome' } },
    { name: 'Ann', is_user: true, mes: 'Bye' },
  );
  expect(shapes(text)).toEqual([['Hello > Good day.', '1 › Bye']]);
});

test('SillyTavern: a branch whose message says something else keeps it, also where there are no dates', () => {
  const chat = (last: string) =>
    lines(
      { chat_metadata: {} },
      { name: 'Ann', is_user: true, mes: 'Hello' },
      { name: 'Bo', is_user: false, mes: last },
    );
  expect(shapes(chat('Good day.'), chat('Go away.'))).toEqual([['Hello > Good day.* | Go away.']]);
});

test('a damaged line of a chat is left out and told, the rest is read', () => {
  const text = `${lines({ chat_metadata: {} }, { name: 'Ann', is_user: true, mes: 'Hello' })}\n{"name": "Bo", "mes`;
  const { found, refused } = readFiles([{ name: 'chat', text }]);
  expect(found).toHaveLength(1);
  expect(refused).toEqual([
    {
      name: 'chat',
      line: 3,
      why: 'A line is damaged and left out; the rest was read. Line 3: expected a closing double quote, found the end.',
    },
  ]);
});

test('LM Studio: versions of an answer, thoughts in steps', () => {
  const step = (text: string, type?: string) => ({
    type: 'contentBlock',
    content: [{ type: 'text', text }],
    ...(type && { style: { type } }),
  });
  const text = JSON.stringify({
    name: 'Trip',
    createdAt: 1700000000000,
    messages: [
      {
        versions: [{ type: 'singleStep', role: 'user', content: [{ type: 'text', text: 'Where to?' }] }],
        currentlySelected: 0,
      },
      {
        versions: [
          { type: 'multiStep', role: 'assistant', steps: [step('hm', 'thinking'), step('Rome.')] },
          { type: 'multiStep', role: 'assistant', steps: [step('Oslo.')] },
        ],
        currentlySelected: 0,
      },
      {
        versions: [{ type: 'singleStep', role: 'user', content: [{ type: 'text', text: 'When?' }] }],
        currentlySelected: 0,
      },
    ],
  });
  expect(toolOf(text)).toBe('LM Studio');
  expect(shapes(text)).toEqual([['Where to? > <think> hm </think>  Rome.* | Oslo.', '1 › When?']]);
});

test('chat-ui: the parent is the last of the ancestors', () => {
  const text = JSON.stringify([
    {
      _id: 'c',
      title: 'T',
      rootMessageId: 'r',
      messages: [
        { id: 'r', from: 'system', content: '', ancestors: [], children: ['u'] },
        { id: 'u', from: 'user', content: 'One', ancestors: ['r'], children: ['a', 'b'] },
        { id: 'a', from: 'assistant', content: 'A', ancestors: ['r', 'u'] },
        { id: 'b', from: 'assistant', content: 'B', ancestors: ['r', 'u'] },
        { id: 'v', from: 'user', content: 'Two', ancestors: ['r', 'u', 'a'] },
      ],
    },
  ]);
  expect(toolOf(text)).toBe('chat-ui');
  expect(shapes(text)).toEqual([['One > A* | B', '1 › Two']]);
});

test('instructions and models that are said once for a conversation are kept', () => {
  const readOf = (item: object) => {
    const [found] = readFiles([{ name: 'x', text: JSON.stringify(item) }]).found;
    if (found === undefined) throw new Error('nothing was found');
    const { instructions, turns } = forestOf(found.conversation, 0);
    return [found.tool, instructions, turns.turns[0]?.replies[0]?.model];
  };
  const said = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
  ];
  const shared = said.map(({ role, content }) => ({ from: role === 'user' ? 'human' : 'gpt', value: content }));
  const one = { model: { id: 'm' }, prompt: 'Be brief.', messages: said };
  expect(readOf({ version: 4, history: [one] })).toEqual(['chatbot-ui', 'Be brief.', 'm']);
  expect(readOf({ conversations: shared, system: 'Be brief.', tools: '[{"name":"f"}]' })).toEqual([
    'ShareGPT',
    'Be brief.\n\n[tools]\n[{"name":"f"}]',
    null,
  ]);
  expect(
    readOf({ messages: [{ role: 'system', content: 'Be brief.' }, ...said], system: 'Be brief.', model: 'm' }),
  ).toEqual(['messages', 'Be brief.', 'm']);
  const chat = said.map(({ role, content }) => ({ from: role, content }));
  expect(readOf({ model: 'm', preprompt: 'Be brief.', messages: chat })).toEqual(['chat-ui', 'Be brief.', 'm']);
  const chunks = said.map(({ role, content }) => ({ role: role === 'user' ? 'user' : 'model', text: content }));
  expect(readOf({ chunkedPrompt: { chunks }, runSettings: { model: 'm' } })).toEqual(['AI Studio', null, 'm']);
});

test('instructions that stand outside the messages are no part of the key', () => {
  const keyOf = (item: object) => {
    const [found] = readFiles([{ name: 'x', text: JSON.stringify(item) }]).found;
    return found === undefined ? null : forestOf(found.conversation, 0).key;
  };
  const said = [{ role: 'user', content: 'Hi' }];
  const told = [{ role: 'system', content: 'Be kind.' }, ...said];
  for (const messages of [said, told]) {
    const key = keyOf({ messages });
    expect(key).toMatch(/^messages:/);
    expect(keyOf({ messages, system: 'Be brief.', tools: '[{"name":"f"}]' })).toBe(key);
  }
  expect(keyOf({ messages: told })).not.toBe(keyOf({ messages: said }));
});

test('Open WebUI: tool calls are kept with what they were asked and answered', () => {
  const output = [
    { type: 'function_call', call_id: 'c', name: 'weather', arguments: '{"city":"Rome"}' },
    { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'sunny' }] },
  ];
  const content = '<details type="tool_calls"><summary>Tool Executed</summary></details>\nIt is sunny.';
  const messages = {
    u: { parentId: null, childrenIds: ['a'], role: 'user', content: 'And today?' },
    a: { parentId: 'u', childrenIds: [], role: 'assistant', content, output },
  };
  expect(shapes(JSON.stringify({ chat: { history: { messages } } }))).toEqual([
    ['And today? > <think> [weather]  {"city":"Rome"}  sunny </think>  It is sunny.'],
  ]);
});

test('Chatbox: the tails of forks hang from the message that was forked', () => {
  const message = (id: string, role: string, said: string) => ({
    id,
    role,
    contentParts: [{ type: 'text', text: said }],
    timestamp: 1700000000000,
  });
  const text = JSON.stringify({
    id: 's',
    name: 'S',
    messages: [message('u', 'user', 'One'), message('a', 'assistant', 'A')],
    messageForksHash: {
      u: {
        position: 0,
        lists: [
          { id: 'l0', messages: [] },
          { id: 'l1', messages: [message('b', 'assistant', 'B')] },
        ],
      },
    },
  });
  expect(toolOf(text)).toBe('Chatbox');
  expect(shapes(text)).toEqual([['One > A* | B']]);
});

test('Open WebUI: answers of several models, edited first messages, thoughts as HTML, a stale list of children', () => {
  const message = (id: string, parentId: string | null, role: string, content: string, more = {}) => ({
    id,
    parentId,
    childrenIds: [],
    role,
    content,
    timestamp: 1700000000,
    ...more,
  });
  const messages = [
    message('u', null, 'user', 'One', { childrenIds: ['a', 'gone'] }),
    message(
      'a',
      'u',
      'assistant',
      '<details type="reasoning" done="true"><summary>Thought</summary>\n&gt; hm &amp; so\n</details>\nA',
      { model: 'm1' },
    ),
    message('b', 'u', 'assistant', 'B', { model: 'm2' }),
    message('w', null, 'user', 'One, again'),
  ];
  const text = JSON.stringify([
    {
      id: 'c',
      title: 'T',
      chat: { history: { currentId: 'missing', messages: Object.fromEntries(messages.map((one) => [one.id, one])) } },
    },
  ]);
  expect(toolOf(text)).toBe('Open WebUI');
  expect(shapes(text)).toEqual([['One > <think> hm & so </think>  A | B*', 'One, again']]);
});

test.each([
  [
    'NextChat',
    {
      'chat-next-web-store': {
        sessions: [
          {
            id: 's',
            topic: 'T',
            messages: [
              { role: 'user', content: 'Hi' },
              { role: 'assistant', content: 'Yo' },
            ],
          },
        ],
      },
    },
  ],
  [
    'BetterChatGPT',
    {
      version: 1,
      chats: [
        {
          title: 'T',
          messages: [
            { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
            { role: 'assistant', content: 'Yo' },
          ],
        },
      ],
    },
  ],
  [
    'TypingMind',
    {
      data: {
        chats: [
          {
            chatTitle: 'T',
            messages: [
              { role: 'user', content: 'Hi' },
              { role: 'assistant', content: 'Yo' },
            ],
          },
        ],
      },
    },
  ],
  [
    'big-AGI',
    {
      conversations: [
        {
          id: 'c',
          userTitle: 'T',
          messages: [
            { role: 'user', fragments: [{ part: { text: 'Hi' } }] },
            { role: 'assistant', fragments: [{ part: { text: 'Yo' } }] },
          ],
        },
      ],
    },
  ],
  [
    'messages',
    {
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Yo' },
      ],
    },
  ],
])('%s: messages in a row', (tool, file) => {
  expect(toolOf(JSON.stringify(file))).toBe(tool);
  expect(shapes(JSON.stringify(file))).toEqual([['Hi > Yo']]);
});

test('looms: every continuation is a turn', () => {
  const tree = JSON.stringify({
    root: {
      id: 'r',
      text: 'Once',
      children: [
        { id: 'a', text: ' upon', children: [] },
        { id: 'b', text: ' more', children: [] },
      ],
    },
    selected_node_id: 'b',
  });
  const nodes = JSON.stringify({
    current: 'b',
    hoisted: [],
    nodes: { r: { text: 'Once', parentId: null }, b: { text: ' more', parentId: 'r' } },
  });
  expect([toolOf(tree), toolOf(nodes)]).toEqual(['Loom', 'Loomsidian']);
  expect(shapes(tree)).toEqual([['Once', '1 ›  upon', '1 ›  more']]);
  expect(shapes(nodes)).toEqual([['Once', '1 ›  more']]);
});

test('threads with parents: ConvoKit, Potato, any id with a parent', () => {
  const convokit = lines(
    { id: '1', speaker: 'ann', conversation_id: '1', 'reply-to': null, timestamp: 1, text: 'Hi' },
    { id: '2', speaker: 'bo', conversation_id: '1', 'reply-to': '1', timestamp: 2, text: 'Yo' },
    { id: '3', user: 'cy', root: '3', reply_to: null, text: 'Else' },
  );
  const potato = JSON.stringify([
    {
      id: 't',
      title: 'T',
      thread: [
        { id: '1', speaker: 'ann', text: 'Hi' },
        { id: '2', speaker: 'bo', text: 'Yo', reply_to: '1' },
      ],
    },
  ]);
  const generic = lines({ id: 1, parent: null, text: 'Hi' }, { id: 2, parent: 1, text: 'Yo' });
  expect([toolOf(convokit), toolOf(potato), toolOf(generic)]).toEqual(['ConvoKit', 'threads', 'threads']);
  expect(shapes(convokit)).toEqual([['ann: Hi', '1 › bo: Yo'], ['cy: Else']]);
  expect(shapes(potato)).toEqual([['ann: Hi', '1 › bo: Yo']]);
  expect(shapes(generic)).toEqual([['Hi', '1 › Yo']]);
});

test('messages of OpenAI’s API: reasoning and tool calls go with the answer', () => {
  const call = { id: 'c', type: 'function', function: { name: 'weather', arguments: '{"at":"Rome"}' } };
  const text = lines({
    messages: [
      { role: 'user', content: 'Rain?' },
      { role: 'assistant', content: null, reasoning_content: 'I have to look.', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: 'dry' },
      { role: 'assistant', content: 'No.', reasoning: 'It is dry.' },
    ],
  });
  const [[shape] = []] = shapes(text);
  for (const words of ['I have to look.', '[weather]', '{"at":"Rome"}', 'It is dry.', 'No.'])
    expect(shape).toContain(words);
});

test('preference pairs: both answers, the chosen one shown', () => {
  const trl = lines({ prompt: 'Sky?', chosen: 'Blue.', rejected: 'Green.' });
  const whole = (answer: string) => [
    { role: 'user', content: 'Sky?' },
    { role: 'assistant', content: answer },
  ];
  const repeated = lines({ chosen: whole('Blue.'), rejected: whole('Green.') });
  const parts = lines({
    chosen_messages: [
      { role: 'user', content: [{ type: 'text', value: 'Sky?' }] },
      { role: 'assistant', content: [{ type: 'text', value: 'Blue.' }] },
    ],
    rejected_messages: [
      { role: 'user', content: [{ type: 'text', value: 'Sky?' }] },
      { role: 'assistant', content: [{ type: 'text', value: 'Green.' }] },
    ],
  });
  const both = lines({ prompt: 'Sky?', chosen: whole('Blue.'), rejected: whole('Green.') });
  for (const text of [trl, repeated, both, parts]) expect(shapes(text)).toEqual([['Sky? > Blue.* | Green.']]);
});

/** A conversation of Grok: each response answers the one before it. */
const grokOf = (...responses: object[]): string =>
  JSON.stringify({
    conversations: [
      {
        conversation: { id: 'c', title: 'T' },
        responses: responses.map((response, at) => ({
          response: { _id: `r${at}`, parent_response_id: at === 0 ? null : `r${at - 1}`, ...response },
        })),
      },
    ],
  });

test('Grok: a question that is only a picture is a turn, and what was sent and drawn is listed', () => {
  const text = grokOf(
    { sender: 'human', message: 'Draw a fox', file_attachments: [] },
    {
      sender: 'ASSISTANT',
      message: '',
      generated_image_urls: ['https://a.example/users/1/fox.jpg?key=2'],
    },
    { sender: 'human', message: '', file_attachments: ['0f1e-photo'] },
    { sender: 'ASSISTANT', message: 'A cat.' },
  );
  expect(toolOf(text)).toBe('Grok');
  expect(shapes(text)).toEqual([['Draw a fox > [fox.jpg]', '1 › 0f1e-photo > A cat.']]);
  expect(filesIn(text)).toEqual(['fox.jpg*']);
});

test('Grok: marks of sources go, and documents in an answer stand under their titles', () => {
  const card = (id: number) =>
    `<grok:render card_id="2f${id}" type="render_inline_citation">\n<argument name="citation_id">${id}</argument>\n</grok:render>`;
  const artifact = (title: string, type: string, content: string) =>
    `<xaiArtifact artifact_id="1" title="${title}" contentType="${type}">\n${content}\n</xaiArtifact>`;
  const said = (message: string) => {
    const text = grokOf({ sender: 'human', message }, { sender: 'ASSISTANT', message });
    const [found] = readFiles([{ name: 'x', text }]).found;
    const [turn] = found === undefined ? [] : forestOf(found.conversation, 0).turns.turns;
    return [turn?.message, turn?.replies[0]?.text];
  };
  const sourced = `It rains.${card(1)} It pours.${card(2)}${card(3)}<grok:render card_id="a" /> See \`<xaiArtifact>\`.`;
  expect(said(sourced)).toEqual([sourced, 'It rains. It pours. See `<xaiArtifact>`.']);
  const documents = [
    'Here:',
    artifact('a > b.py', 'text/python', 'if a < b: pass'),
    artifact('Plan', 'text/markdown', '# Plan'),
    artifact('a.php', 'text/php', '```php\n<?php\n```'),
  ];
  expect(said(documents.join('\n\n'))[1]?.split('\n\n')).toEqual([
    'Here:',
    '[a > b.py]',
    '```python\nif a < b: pass\n```',
    '[Plan]',
    '# Plan',
    '[a.php]',
    '```php\n<?php\n```',
  ]);
});

test('AI Studio: pictures in the file are kept, also one that is a whole answer, and files elsewhere are named', () => {
  const cat = { mimeType: 'image/png', data: btoa('a cat') };
  const fox = { mimeType: 'image/jpeg', data: btoa('a fox') };
  const chunks = [
    { role: 'user', text: 'What is it?', inlineFile: cat, parts: [{ inlineData: cat }] },
    { role: 'user', driveAudio: { id: 'sound-1' } },
    { role: 'model', text: 'A cat.' },
    { role: 'user', text: 'Draw a fox' },
    { role: 'model', text: '', parts: [{ text: '' }, { inlineData: fox }] },
    { role: 'user', text: 'Thanks', youtubeVideo: { id: 'film-1' } },
  ];
  const text = JSON.stringify({ chunkedPrompt: { chunks } });
  expect(shapes(text)).toEqual([
    ['What is it?', '1 › sound-1 > A cat.', '2 › Draw a fox > [image.jpeg]', '3 › Thanks'],
  ]);
  const [found] = readFiles([{ name: 'x', text }]).found;
  const files = found?.conversation.messages.flatMap(({ attachments = [] }) => attachments);
  expect(files?.map(({ name, data }) => [name, data])).toEqual([
    ['image.png', `data:image/png;base64,${btoa('a cat')}`],
    ['sound-1', undefined],
    ['image.jpeg', `data:image/jpeg;base64,${btoa('a fox')}`],
    ['film-1', undefined],
  ]);
});

test('IRC: a log is known by the same key in whatever folder it is given', () => {
  const keysIn = (folder: string) =>
    readFiles([
      { name: `${folder}day.ascii.txt`, text: '[10:00] <ann> Hi\n[10:01] <bo> Hello' },
      { name: `${folder}day.annotation.txt`, text: '0 0 -\n0 1 -' },
    ]).found.map(({ conversation }) => [forestOf(conversation, 0).key, conversation.title]);
  for (const folder of ['', 'irc/', 'talks/irc/']) expect(keysIn(folder)).toEqual([['irc:day', 'day']]);
  expect(keysIn('talks/a.zip › irc/')).toEqual(keysIn('a.zip › irc/'));
});

test('an export of Coppice among other files is refused with what to do', () => {
  const text = lines({ coppice: 'conversation', version: 1, title: 'T', exportedAt: 0, entries: 0 });
  expect(readFiles([{ name: 'x', text }]).refused).toMatchObject([{ why: expect.stringContaining('Coppice export') }]);
});

test('one broken conversation never loses the others', () => {
  const good = {
    conversation_id: 'c',
    mapping: {
      u: { id: 'u', message: { author: { role: 'user' }, content: { content_type: 'text', parts: ['Hi'] } } },
    },
  };
  const { found, refused } = readFiles([
    { name: 'all.json', text: JSON.stringify([{ title: 'no mapping' }, good, { mapping: 7 }, null]) },
  ]);
  expect(found.map(({ conversation }) => forestOf(conversation, 0).turns.turns.length)).toEqual([1, 0]);
  expect(refused).toEqual([
    { name: 'all.json', why: '2 entries contain no conversation and are left out; the rest was read.' },
  ]);
});

test('a file is known by its content and not by its name', () => {
  expect(
    readFiles([
      { name: 'x.png', text: '[]' },
      { name: 'y', text: 'just words' },
      { name: 'z.json', text: '' },
    ]).refused.map(({ name }) => name),
  ).toEqual(['x.png', 'y', 'z.json']);
});
