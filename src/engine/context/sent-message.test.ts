import { describe, expect, test } from 'vitest';
import type { Attachment } from '../../domain/attachment.ts';
import { Entry } from '../../domain/entry.ts';
import { nodeOf, pathTo, pendingTurn } from '../../domain/queries.ts';
import type { ChatModel, ChatRequest } from '../ports.ts';
import { bareHost, contextOf, segmentsOf, sentInFull } from '../testing/bare-host.ts';
import { countingChat } from '../testing/plain-models.ts';
import { TokenCache } from '../text/token-cache.ts';
import { contextMessages, picturedTurn, segmentText } from './context-text.ts';
import { fetchedFor } from './policies/focused/compose.ts';
import { pathForms } from './policies/focused/turn-forms.ts';
import { MEMORY_POLICIES } from './policies/memory-policies.ts';
import { POLICIES, policyNamed } from './policies/policies.ts';
import { briefMessage, markShownPictures, sentMessage } from './sent-message.ts';
import { sumTokens } from './tokens.ts';

const file = (name: string, text: string): Attachment => ({
  id: `id-${name}`,
  name,
  mediaType: 'text/plain',
  size: text.length,
  text,
});
const cat: Attachment = { id: 'id-cat', name: 'cat.png', mediaType: 'image/png', size: 7 };
const lost: Attachment = { id: null, name: 'lost.png', mediaType: 'image/png', size: 0 };

/** A file of that many paragraphs, one of which is about zebras. */
const longFile = (
  paragraphs: number,
  zebra = 'The zebra Zoe lives in the northern paddock, and eats forty kilos of hay in a week, as her keeper says. ',
  other = (i: number) =>
    `Paragraph ${i} is about animal${i} and what it does all day long in the fields and woods of that year. `,
): Attachment =>
  file(
    'animals.txt',
    Array.from({ length: paragraphs }, (_, i) => (i === paragraphs - 3 ? zebra : other(i)).repeat(4)).join('\n\n'),
  );

/** Replies at some length, so that a path with a few turns outgrows its budget. */
const talkative = <T extends ChatModel>(chat: T): T => ({
  ...chat,
  async *reply(request: ChatRequest, signal: AbortSignal) {
    for await (const _ of chat.reply(request, signal));
    yield 'Thanks for sending these, I have read them all. '.repeat(13);
  },
});

/** A conversation whose messages come with files. */
const hostOf = (chat: ChatModel & { requests: unknown[] }, policy = 'focused', pictures: readonly string[] = []) => {
  const host = bareHost(
    { chat },
    {
      policy: policyNamed(policy),
      parameters: { replyReserve: 20 },
      pictures: async (ids) =>
        Object.fromEntries(ids.filter((id) => pictures.includes(id)).map((id) => [id, `data:image/png;base64,${id}`])),
    },
  );
  const send = async (message: string, attachments: Attachment[]) => {
    const nodeId = host.life.id();
    const event = { type: 'message-sent' as const, nodeId, message, given: null, target: null };
    host.life.do({ type: 'record', step: host.life.id(), event: { ...event, attachments } });
    await host.engine.turn(pendingTurn(host.life.forest) as never, new AbortController().signal);
    return { nodeId, context: contextOf(host.life.forest, nodeId), forest: host.life.forest };
  };
  return { host, send };
};

test('a message is sent with what was read from its files, each under its name; in brief with their names', () => {
  const said = { message: 'Look', attachments: [file('a.txt', 'one two'), cat] };
  expect(sentMessage(said)).toBe('Look\n\n[a.txt]\none two\n\n[picture cat.png, not shown to this model]');
  expect(sentMessage(said, new Set(['id-cat']))).toBe('Look\n\n[a.txt]\none two\n\n[picture cat.png]');
  expect(briefMessage(said)).toBe('Look [with a.txt, cat.png]');
  // Sent without words, the names are the message.
  expect(briefMessage({ ...said, message: 'a.txt, cat.png' })).toBe('a.txt, cat.png');
  expect(sentMessage({ message: 'Look' })).toBe('Look');
  expect(sentMessage({ message: 'Look', attachments: [{ ...cat, made: true }] })).toBe('Look');
});

test('a picture that is shown is marked so, whatever signs its name has', () => {
  const said = { message: 'Look', attachments: [{ ...cat, name: 'cat $& $$.png' }] };
  expect(markShownPictures(sentMessage(said), said, new Set(['id-cat']))).toBe('Look\n\n[picture cat $& $$.png]');
});

test('of pictures with the same name, the one that is shown is marked, whichever it is', () => {
  const attachments = [null, 'one', 'two', 'three'].map((id) => ({ ...cat, id, name: 'image.png' }));
  const said = { message: 'Look', attachments };
  const [shown, unseen] = ['[picture image.png]', '[picture image.png, not shown to this model]'];
  for (const ids of [['two'], ['one', 'three'], ['three']]) {
    const marked = markShownPictures(sentMessage(said), said, new Set(ids));
    expect(marked).toBe(sentMessage(said, new Set(ids)));
    const marks = attachments.map(({ id }) => (ids.includes(id ?? '') ? shown : unseen));
    expect(marked.split('\n\n')).toEqual(['Look', ...marks]);
  }
});

test('a responder that quotes is told the message as it was written, without its files', async () => {
  const chat = countingChat();
  await hostOf(chat).send('What does it say?', [file('a.txt', 'Apples are red.')]);
  expect(chat.requests.at(-1)?.quotable().message).toBe('What does it say?');
});

describe.each(POLICIES)('$name', ({ name }) => {
  test('sends a short file whole, byte for byte what its context says, and counts it', async () => {
    const chat = countingChat();
    const { send } = hostOf(chat, name);
    const { context, forest, nodeId } = await send('What does it say?', [file('a.txt', 'Apples are red.')]);
    const sent = chat.requests.at(-1)?.messages ?? [];
    expect(contextMessages(forest, context)).toEqual(sent);
    expect(sent.at(-1)?.content).toBe('What does it say?\n\n[a.txt]\nApples are red.');
    const message = context.segments.at(-1);
    expect(message && segmentText(forest, message)).toBe(sentMessage(nodeOf(forest, nodeId)));
    expect(message?.tokens).toBe(9);
    expect(context.fullHistoryTokens).toBeGreaterThanOrEqual(9);
  });

  test('sends of a file that does not fit the passages that the message is about, and says what it left out', async () => {
    const chat = countingChat(900);
    const { send } = hostOf(chat, name);
    const { context, forest } = await send('How much hay does the zebra eat?', [longFile(60), cat]);
    const sent = chat.requests.at(-1)?.messages ?? [];
    expect(contextMessages(forest, context)).toEqual(sent);
    const last = sent.at(-1)?.content ?? '';
    expect(last).toMatch(/^How much hay does the zebra eat\?\n\n\[animals\.txt\]\n/);
    expect(last).toContain('The zebra Zoe lives in the northern paddock');
    expect(last).toMatch(/\[… [\d,]+ words left out …\]/);
    expect(last).toContain('[picture cat.png, not shown to this model]');
    expect(context.tokens).toBeLessThanOrEqual(900 - 20);
  });

  test.each([
    [
      'Chinese',
      '斑马一周吃多少干草？',
      '北边围场里的斑马每周需要四十公斤干草，饲养员是这样记录的。',
      (i: number) => `第${i}段写的是另一种动物整天在田野和树林里做的事情，没有别的内容。`,
    ],
    [
      'Thai',
      'ม้าลายกินหญ้าแห้งเท่าไร',
      'คอกทางเหนือมีม้าลายที่ต้องใช้หญ้าแห้งสี่สิบกิโลต่อสัปดาห์ ผู้ดูแลบันทึกไว้',
      (i: number) => `ย่อหน้าที่${i}พูดถึงสัตว์ตัวอื่นในป่าและทุ่งนาตลอดทั้งปี`,
    ],
    [
      'Korean',
      '얼룩말은 건초를 얼마나 먹어요?',
      '북쪽 울타리의 얼룩말에게 일주일에 건초가 사십 킬로 필요하다고 사육사가 적었다. ',
      (i: number) => `${i}번째 단락에는 다른 동물이 들판에서 하루 종일 무엇을 하는지 적혀 있다. `,
    ],
  ])('finds them in %s', async (_, question, zebra, other) => {
    const characters = {
      name: 'characters',
      count: async (texts: readonly string[]) => texts.map((text) => text.length),
    };
    const chat = { ...countingChat(3000), tokens: characters };
    await hostOf(chat, name).send(question, [longFile(60, zebra, other)]);
    expect(chat.requests.at(-1)?.messages.at(-1)?.content).toContain(zebra.trim());
  });

  test('sends the last exchange whole beside the passages of a file that does not fit', async () => {
    const { send } = hostOf(talkative(countingChat(900)), name);
    await send('Which animal do you recommend for our paddock?', []);
    const { context, forest } = await send('Does this agree with the zebra that you recommend?', [longFile(60)]);
    expect(sentInFull(forest, context)).toEqual([1]);
    const said = contextMessages(forest, context).at(-1)?.content;
    expect(said).toContain('The zebra Zoe lives in the northern paddock');
    expect(context.tokens).toBeGreaterThan(0.75 * 900);
    expect(context.tokens).toBeLessThanOrEqual(900 - 20);
  });

  test('sends of many short files that do not fit together those that the message is about, whole, and says what it left out', async () => {
    const { send } = hostOf(countingChat(900), name);
    const note = (at: number) => `${'The keeper writes down what happens on the farm. '.repeat(4)}Note ${at}.`;
    const files = Array.from({ length: 40 }, (_, at) => file(`note-${at}.txt`, note(at)));
    const zebra = 'The zebra Zoe eats forty kilos of hay in a week. '.repeat(4);
    files[30] = file('zebra.txt', zebra);
    const { context, forest } = await send('How much hay does the zebra eat?', files);
    const last = contextMessages(forest, context).at(-1)?.content ?? '';
    expect(last).toContain(`[zebra.txt]\n${zebra}`);
    expect(last).toContain(`[note-0.txt]\n${note(0)}`);
    expect(last).toMatch(/\[note-39\.txt\]\n\[… 38 words left out …\]/);
    expect(context.tokens).toBeLessThanOrEqual(900 - 20);
  });

  test('sends nothing of a short file that does not fit, and says so', async () => {
    const { send } = hostOf(countingChat(100), name);
    const { context, forest } = await send('What is in it?', [file('a.txt', 'one two three '.repeat(35))]);
    expect(contextMessages(forest, context).at(-1)?.content).toBe(
      'What is in it?\n\n[a.txt]\n[… 105 words left out …]',
    );
    expect(context.tokens).toBeLessThanOrEqual(100 - 20);
  });

  test('sends a passage of a file rather than the last exchange where only one of them fits', async () => {
    const { send } = hostOf(talkative(countingChat(230)), name);
    await send('Which animal do you recommend for our paddock?', []);
    const { context, forest } = await send('And what does the zebra eat?', [longFile(60)]);
    expect(contextMessages(forest, context).at(-1)?.content).toContain('The zebra Zoe lives in the northern paddock');
    expect(context.tokens).toBeLessThanOrEqual(230 - 20);
  });
});

test.each(['focused', 'context-agent', 'full-history'])(
  '%s says what it left out beside the last exchange and the passages of a file that does not fit',
  async (name) => {
    for (let window = 245; window <= 260; window++) {
      const chat = countingChat(window);
      const { send } = hostOf(chat, name);
      for (const words of [62, 62, 62, 62, 62, 30]) await send('word '.repeat(words), []);
      const sentences = Array.from({ length: 200 }, (_, at) => `Sentence ${at} of the file says x${at}.`);
      const { context, forest } = await send('Which of them', [file('a.txt', sentences.join(' '))]);
      expect(sentInFull(forest, context)).toContain(6);
      expect(
        chat.requests
          .at(-1)
          ?.messages.map(({ content }) => content)
          .join('\n'),
      ).toMatch(/\bturns?\b.*left out/i);
      expect(context.tokens).toBeLessThanOrEqual(window - 20);
    }
  },
);

test('a message that alone is too long goes whole, and nothing of its files', async () => {
  const chat = countingChat(200);
  const { send } = hostOf(chat);
  const { context } = await send('word '.repeat(300).trim(), [longFile(9)]);
  const last = chat.requests.at(-1)?.messages.at(-1)?.content ?? '';
  expect(last).toMatch(/^(?:word ){299}word\n\n\[animals\.txt\]\n\[… \d+ words left out …\]$/);
  expect(context.segments.at(-1)).toMatchObject({ kind: 'message', text: last });
});

test('focused finds a file’s passage again for a later question, though the file no longer fits', async () => {
  const chat = countingChat(900);
  const { send } = hostOf(chat);
  await send('Here are notes on animals.', [longFile(60)]);
  for (const message of ['What is a fork point?', 'And a branch?', 'Thanks.']) await send(message, []);
  const { context, forest } = await send('What does the zebra Zoe eat in the northern paddock?', []);
  const text = contextMessages(forest, context)
    .map(({ content }) => content)
    .join('\n');
  expect(text).toContain('forty kilos of hay');
  expect(context.tokens).toBeLessThanOrEqual(900 - 20);
});

test('focused sends no more of what came before a file that is cut than there is', async () => {
  const { host, send } = hostOf(countingChat(900));
  await send('#a Zebras and quokkas', []);
  await send('#b Quokkas of zanzibar', []);
  const { context, forest, nodeId } = await send('#a Which zebras and quokkas of zanzibar are in it?', [longFile(60)]);
  const [instructions, ...others] = context.segments;
  const [whole = 0] = await host.models.chat.tokens.count([sentMessage(nodeOf(forest, nodeId))]);
  const before = context.fullHistoryTokens - (instructions?.tokens ?? 0) - whole;
  expect(sumTokens(others.slice(0, -1))).toBeLessThanOrEqual(before);
});

test('focused finds a passage of a file that fitted whole, long after the path has left it behind', async () => {
  const { send } = hostOf(talkative(countingChat(8192)));
  await send('Here are notes on animals.', [longFile(60)]);
  for (const message of ['What is a fork point?', 'Are the notes on animals long?', 'Thanks.']) await send(message, []);
  const { context, forest } = await send('What does the zebra Zoe eat in the northern paddock?', []);
  expect(JSON.stringify(contextMessages(forest, context))).toContain('forty kilos of hay');
});

test('the message of a turn with files in a line, as older contexts have it, does not stand for its files', async () => {
  const { host, send } = hostOf(countingChat(8192));
  const { nodeId: first } = await send('Here are notes on animals.', [longFile(60)]);
  const { nodeId: last, forest } = await send('What does the zebra Zoe eat?', []);
  const composition = {
    forest,
    path: pathTo(forest, last),
    needs: { of: () => ({ message: 1, reply: 0, why: [] }), ids: new Set([first]) },
    lasting: new Map([[first, [{ part: 'message', reason: 'constraint', need: 1, isWhole: true } as const]]]),
    retrieved: [],
    limits: { total: 4000, pinned: 4000, path: 0, elsewhere: 4000, elsewhereFrom: 0 },
    tokens: new TokenCache(host.models.chat.tokens),
  };
  const line = { kind: 'turn-line' as const, nodeId: first, text: '[Turn 1, user: Here are notes]', tokens: 7 };
  expect(await fetchedFor(composition, [line])).toMatchObject([{ kind: 'fetched', nodeId: first }]);
});

describe.each(MEMORY_POLICIES)('$name', ({ name }) => {
  test('sends the file of an earlier turn that it calls whole, and calls none whole whose file has no room', async () => {
    const later = async (attached: Attachment, window: number) => {
      const { send } = hostOf(countingChat(window), name);
      await send('Summarise this', [attached]);
      const { context } = await send('Summarise this again', []);
      expect(context.tokens).toBeLessThanOrEqual(window - 20);
      return segmentsOf(context, 'memory');
    };
    const short = await later(file('a.txt', 'Apples are red.'), 900);
    const hasWhole = !['thread-memory', 'tacitree'].includes(name);
    expect(short.some(({ whole }) => whole)).toBe(hasWhole);
    for (const { whole, text } of short) expect(text.includes('\n\n[a.txt]\nApples are red.')).toBe(whole === true);
    const long = await later(longFile(60), 900);
    expect(long.some(({ text }) => text.includes('Summarise this [with animals.txt]'))).toBe(true);
    expect(long.some(({ whole }) => whole)).toBe(false);
  });
});

test('the files of turns that a memory recalls take only the room that all it recalls leaves, the newest first', async () => {
  const { send } = hostOf(countingChat(900), 'memgpt');
  const [one, two] = [8, 6].map((paragraphs) => longFile(paragraphs));
  await send('Read the first', [one as Attachment]);
  const { nodeId } = await send('Read the second', [two as Attachment]);
  const { context, forest } = await send('And what is in them?', []);
  const sent = segmentsOf(context, 'memory');
  expect(sent.map(({ whole }) => whole)).toEqual([undefined, true]);
  expect(sent[0]?.text).toContain('Read the first [with animals.txt]');
  expect(sent[1]?.text).toBe(`User: ${sentMessage(nodeOf(forest, nodeId))}\nAssistant: I was sent 2 messages.`);
});

describe('pictures', () => {
  const seeing = (window = 4096) => ({ ...countingChat(window), sees: true });

  test('go to a model that sees, as their bytes, are counted, and are told in the words', async () => {
    const chat = seeing();
    const { send, host } = hostOf(chat, 'focused', ['id-cat']);
    const { context, forest } = await send('What is this?', [cat, lost]);
    const request = chat.requests.at(-1);
    expect(contextMessages(forest, context)).toEqual(request?.messages);
    expect(request?.messages.at(-1)).toEqual({
      role: 'user',
      content: 'What is this?\n\n[picture cat.png]\n\n[picture lost.png, not shown to this model]',
      pictures: [cat],
    });
    expect(request?.pictures).toEqual({ 'id-cat': 'data:image/png;base64,id-cat' });
    expect(context.pictures).toEqual({ ids: ['id-cat'], tokens: 800 });
    expect(context.tokens).toBe(context.segments.reduce((sum, { tokens }) => sum + tokens, 800));
    expect(host.life.entries.map((entry) => Entry.parse(JSON.parse(JSON.stringify(entry))))).toEqual(host.life.entries);
  });

  test('are in every form of a turn that focused may send: none sends its words alone', async () => {
    const { host, send } = hostOf(talkative(seeing()), 'focused', ['id-cat']);
    const { forest, nodeId } = await send('Here is Mimi, the tabby from the harbour.', [cat]);
    const need = { message: 0.5, reply: 0.1, why: [] };
    const turn = { node: nodeOf(forest, nodeId), need, found: undefined };
    const forms = await pathForms(turn, new TokenCache(host.models.chat.tokens));
    expect(forms.length).toBeGreaterThan(1);
    for (const { segment } of forms) expect(picturedTurn(forest, segment)).not.toBeNull();
  });

  test('of turns before are shown again with them, the newest where there is no room for all', async () => {
    const dog = { ...cat, id: 'id-dog', name: 'dog.png' };
    const chat = seeing();
    const { send } = hostOf(chat, 'full-history', ['id-cat', 'id-dog']);
    await send('A cat', [cat]);
    await send('A dog', [dog]);
    await send('Which is bigger?', []);
    expect(Object.keys(chat.requests.at(-1)?.pictures ?? {}).sort()).toEqual(['id-cat', 'id-dog']);
    const { context } = await hostOf(seeing(1000), 'full-history', ['id-cat']).send('A cat', [cat]);
    expect(context.pictures?.ids).toEqual(['id-cat']);

    const narrow = seeing(1100);
    const small = hostOf(narrow, 'full-history', ['id-cat', 'id-dog']);
    await small.send('A cat', [cat]);
    await small.send('A dog', [dog]);
    await small.send('Which is bigger?', []);
    expect(narrow.requests.at(-1)?.messages.map(({ pictures }) => pictures?.map(({ name }) => name))).toEqual([
      undefined,
      undefined,
      undefined,
      ['dog.png'],
      undefined,
      undefined,
    ]);
  });

  test.each(POLICIES)(
    'of the message itself take room from the history under $name, but never more than half',
    async ({ name }) => {
      const more = ['id-1', 'id-2', 'id-3', 'id-4'];
      const { send } = hostOf(seeing(2020), name, ['id-cat', ...more]);
      for (let turn = 1; turn <= 12; turn++) await send('apples '.repeat(160), []);
      const { context, forest } = await send('What is this?', [cat]);
      expect(context.pictures).toEqual({ ids: ['id-cat'], tokens: 800 });
      expect(context.tokens).toBeLessThanOrEqual(2000);
      expect(sentInFull(forest, context)).toContain(12);
      const several = await send(
        'And these?',
        more.map((id) => ({ ...cat, id })),
      );
      expect(several.context.tokens - 4 * 800).toBeLessThanOrEqual(1000);
      expect(several.context.segments.length).toBeGreaterThan(2);
    },
  );

  test('whose bytes are gone, or to a model that does not see, are told as not shown', async () => {
    for (const [chat, there] of [
      [seeing(), []],
      [countingChat(), ['id-cat']],
    ] as const) {
      const { context } = await hostOf(chat, 'focused', there).send('What is this?', [cat]);
      expect(context.pictures).toBeUndefined();
      expect(chat.requests.at(-1)?.pictures).toBeUndefined();
      expect(chat.requests.at(-1)?.messages.at(-1)).toEqual({
        role: 'user',
        content: 'What is this?\n\n[picture cat.png, not shown to this model]',
      });
    }
  });
});
