import { describe, expect, test } from 'vitest';
import { RECALL } from '../domain/forest.ts';
import { nodeOf } from '../domain/queries.ts';
import { recordsOf } from '../domain/table.ts';
import { contextMessages, NO_ANSWER } from './context/context-text.ts';
import { ALL_POLICIES } from './context/policies/policies.ts';
import { sendableAgain } from './context/visible-forest.ts';
import type { SummaryInput } from './ports.ts';
import { bareHost, contextOf, segmentsOf } from './testing/bare-host.ts';
import { countingChat, firstWords, namedChat } from './testing/plain-models.ts';

const going = () => new AbortController().signal;
const MESSAGES = ['#trip red apples', 'blue boats', '#code green cars', '#trip red apples'];

/** A conversation begun without a language model and continued with one. */
const begunByRecall = async (policy: (typeof ALL_POLICIES)[number]) => {
  const digested: SummaryInput[] = [];
  const summarise = {
    ...firstWords,
    summarise: async (turn: SummaryInput) => {
      digested.push(turn);
      return firstWords.summarise(turn);
    },
  };
  const before = bareHost({ chat: namedChat(RECALL), summarise }, { policy });
  for (const message of MESSAGES) await before.send(message);
  const chat = countingChat();
  const after = bareHost({ chat, summarise }, { policy }, before.life);
  const id = await after.send('red apples, once more');
  return { ...after, chat, id, digested };
};

describe.each(ALL_POLICIES)('under $name, what recall quoted', (policy) => {
  test('is in no request to a language model', async () => {
    const { chat, digested } = await begunByRecall(policy);
    const sent = chat.requests.flatMap(({ messages }) => messages.map(({ content }) => content)).join('\n');
    expect(sent).not.toContain('after “');
    for (const { reply } of digested) expect(reply).not.toContain('after “');
  });

  test('leaves a mark beside the message, and what is shown is what is sent', async () => {
    const { chat, life, id } = await begunByRecall(policy);
    const context = contextOf(life.forest, id);
    const turns = segmentsOf(context, 'turn');
    expect(turns.every(({ unanswered }) => unanswered === true)).toBe(true);
    const shown = contextMessages(life.forest, context);
    expect(shown).toEqual(chat.requests[0]?.messages);
    expect(shown.filter(({ content }) => content === NO_ANSWER)).toHaveLength(turns.length);
    // One token per word.
    const words = chat.requests[0]?.messages.flatMap(({ content }) => content.toLowerCase().match(/[a-z0-9]+/g) ?? []);
    expect(words).toHaveLength(context.tokens);
  });
});

test.each(ALL_POLICIES)(
  'under $name, a reply that ended before its first word leaves roles alternating',
  async (policy) => {
    const chat = countingChat();
    const silent: typeof chat = {
      ...chat,
      async *reply(request, signal) {
        if (chat.requests.length !== 1) return yield* chat.reply(request, signal);
        chat.requests.push(request);
      },
    };
    const { send, life } = bareHost({ chat: silent }, { policy });
    for (const message of ['one', 'two', 'three', 'four']) await send(message);
    for (const [at, { messages }] of chat.requests.entries()) {
      const [system, ...roles] = messages.map(({ role }) => role);
      expect(system).toBe('system');
      expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')));
      const turn = recordsOf(life.forest.nodes)[at];
      expect(contextMessages(life.forest, contextOf(life.forest, turn?.id ?? ''))).toEqual(messages);
    }
  },
);

test('an older context that held such quotes is shown as it was, and not sent again', async () => {
  const host = bareHost({ chat: namedChat(RECALL) });
  for (const message of ['one', 'two']) await host.send(message);
  const id = host.life.forest.active?.nodeId ?? '';
  const { segments, ...rest } = contextOf(host.life.forest, id);
  const older = {
    ...rest,
    segments: segments.map((segment) => {
      if (segment.kind !== 'turn') return segment;
      const { unanswered: _, ...before } = segment;
      return before;
    }),
  };
  expect(contextMessages(host.life.forest, older).map(({ content }) => content)).toContain('recall after “”');
  expect(sendableAgain(host.life.forest, older)).toBe(false);
  expect(sendableAgain(host.life.forest, contextOf(host.life.forest, id))).toBe(true);
});

test('a system prompt of the person’s own keeps what explains the overview', async () => {
  const chat = countingChat();
  const host = bareHost({ chat });
  const settings = { ...host.life.forest.replySettings, systemPrompt: 'Answer in rhyme.' };
  host.life.do({ type: 'record', step: host.life.id(), event: { type: 'reply-settings-set', settings } });
  const id = await host.send('one');
  expect(nodeOf(host.life.forest, id).message).toBe('one');
  expect(chat.requests[0]?.messages[0]?.content).toMatch(/^Answer in rhyme\.\n\nWhat is listed as elsewhere/);
  await host.engine.regenerate(id, 'again', going());
  expect(chat.requests[1]?.messages).toEqual(chat.requests[0]?.messages);
});
