import { expect, test } from 'vitest';
import { pendingTurn } from '../../domain/queries.ts';
import { memoryPolicy } from '../context/policies/memory-policies.ts';
import { policyNamed } from '../context/policies/policies.ts';
import type { ChatModel } from '../ports.ts';
import { bareHost, contextOf, segmentsOf } from '../testing/bare-host.ts';
import { countingChat, firstWords } from '../testing/plain-models.ts';
import type { Memory } from './memory.ts';

/** Twelve words. */
const TEXTS = ['one red boat', 'two blue boats', 'three green boats'].map((words) => `${words} `.repeat(4).trim());

/** Recalls three texts of twelve words each, whatever was said. */
const threeRated = (rate: (at: number) => number | null): Memory<null> => ({
  name: 'three',
  empty: null,
  take: async () => null,
  recall: async () => ({
    items: TEXTS.map((text, at) => ({
      cell: `${at}`,
      name: `text ${at}`,
      text,
      from: [],
      score: rate(at),
    })),
  }),
  cells: () => [],
});
const three = threeRated((at) => at);

const sentWith = async (contextBudget: number | null, memory = three) => {
  const policy = memoryPolicy('three', 'Three turns.', async () => memory);
  const host = bareHost({}, { policy, parameters: { contextBudget } });
  await host.send('hello');
  const context = contextOf(host.life.forest, await host.send('and now'));
  return {
    texts: segmentsOf(context, 'memory').map(({ text }) => text),
    leftOut: segmentsOf(context, 'history-left-out').map(({ text }) => text),
  };
};

test('a language model is not asked what to recall for a message that is not yet written', async () => {
  const asking: Memory<null> = {
    ...three,
    recall: async (_, { message }, { ask }) => {
      await ask?.('Which?', message);
      return { items: [] };
    },
  };
  const asked: string[] = [];
  const write = async (_: string, text: string) => {
    asked.push(text);
    return 'none';
  };
  const policy = memoryPolicy('asking', 'Asks.', async () => asking, { asksToRecall: true });
  const host = bareHost({ summarise: { ...firstWords, write } }, { policy });
  await host.send('hello');
  await host.engine.nextTokens();
  await host.send('and now');
  expect(asked).toEqual(['hello', 'and now']);
});

test('for a message with a file, what is recalled is what is near to it as it is taken in', async () => {
  const queries: string[] = [];
  const taken: string[] = [];
  const vectors: (readonly number[])[] = [];
  const listening: Memory<null> = {
    ...three,
    take: async (_, { message }, { embed }) => {
      taken.push(message);
      vectors.push([...((await embed([message]))[0] ?? [])]);
      return null;
    },
    recall: async (_, { message, vector }) => {
      queries.push(message);
      vectors.push([...vector]);
      return { items: [] };
    },
  };
  const host = bareHost({}, { policy: memoryPolicy('listening', 'Listens.', async () => listening) });
  const file = { id: 'lease', name: 'lease-2024.pdf', mediaType: 'application/pdf', size: 7, text: 'The rent is due.' };
  const said = { nodeId: 'first', message: 'compare these', given: null, target: null, attachments: [file] };
  host.life.do({ type: 'record', step: 'first', event: { type: 'message-sent', ...said } });
  await host.engine.turn(pendingTurn(host.life.forest) as never, new AbortController().signal);
  await host.send('and now');
  expect(queries).toEqual(['compare these [with lease-2024.pdf]', 'and now']);
  expect(taken).toEqual(queries.slice(0, 1));
  expect(vectors[1]).toEqual(vectors[0]);
});

test('one head stands over all that is recalled', async () => {
  const { texts, leftOut } = await sentWith(null);
  const [first, ...rest] = TEXTS;
  expect(texts).toEqual([`From earlier in this conversation:\n${first}`, ...rest]);
  expect(leftOut).toEqual([]);
});

test('no head stands over a memory that says nothing', async () => {
  const failing: ChatModel = {
    ...countingChat(),
    async *reply() {
      yield '';
      throw new Error('it broke down');
    },
  };
  const host = bareHost({ chat: failing }, { policy: policyNamed('thread-memory') });
  await host.send('👍');
  const context = contextOf(host.life.forest, await host.send('and now'));
  expect(segmentsOf(context, 'memory')).toEqual([]);
});

test('a budget pays for the head once, and else for their own words', async () => {
  // Three times twelve words, plus five for the head.
  const { texts, leftOut } = await sentWith(41);
  expect(texts).toHaveLength(3);
  expect(leftOut).toEqual([]);
});

test('of what does not fit, the highest rated stays, in its place, and the rest is counted', async () => {
  // The line about what is left out takes eight words.
  const { texts, leftOut } = await sentWith(40);
  expect(texts).toEqual([`From earlier in this conversation:\n${TEXTS[1]}`, TEXTS[2]]);
  expect(leftOut).toEqual(['1 memory of earlier turns is left out.']);
});

test('of what is not rated, the newest stays', async () => {
  const { texts } = await sentWith(
    40,
    threeRated(() => null),
  );
  expect(texts).toEqual([`From earlier in this conversation:\n${TEXTS[1]}`, TEXTS[2]]);
});
