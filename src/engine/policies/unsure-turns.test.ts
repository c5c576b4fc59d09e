import { expect, test } from 'vitest';
import type { TopicAction } from '../../domain/decision.ts';
import { nodeOf, replyOf } from '../../domain/queries.ts';
import { contextMessages } from '../context-text.ts';
import type { Parameters } from '../parameters.ts';
import { bareHost } from '../testing/bare-host.ts';
import { bagEmbedder, countingChat, tagDecider } from '../testing/plain-models.ts';

/** Decides by tags, and says of every new topic that going on with the active one was as likely as told. */
const doubting = (confidence: number) => {
  const tags = tagDecider();
  return {
    ...tags,
    topic: async (...asked: Args<typeof tags.topic>) => {
      const answer = await tags.topic(...asked);
      const active = asked[0].topics.find((topic) => topic.active)?.treeId ?? null;
      const action: TopicAction = 'continue-topic';
      const alternatives = answer.action === 'create-topic' ? [{ action, target: active, confidence }] : [];
      return { ...answer, confidence: 1 - confidence, alternatives };
    },
  };
};
type Args<F> = F extends (...args: infer A) => unknown ? A : never;

const sentFor = async (confidence: number, parameters: Partial<Parameters> = {}) => {
  const chat = countingChat();
  const host = bareHost({ chat, decide: doubting(confidence) }, { parameters });
  await host.send('#trip one');
  await host.send('two of the trip');
  const id = await host.send('#code three');
  const context = replyOf(nodeOf(host.life.forest, id))?.context;
  const messages = context === null || context === undefined ? [] : contextMessages(host.life.forest, context);
  expect(chat.requests.at(-1)?.messages).toEqual(messages);
  return {
    said: messages.slice(1).flatMap(({ role, content }) => (role === 'user' ? [content] : [])),
    unsure: context?.segments.filter((segment) => segment.kind === 'turn' && segment.unsure === true).length,
  };
};

test('where the decider is unsure, the turns that the other answer needs are sent, too, in order of time', async () => {
  expect(await sentFor(0.4)).toEqual({ said: ['#trip one', 'two of the trip', '#code three'], unsure: 2 });
});

test('where it is sure they are not', async () => {
  expect(await sentFor(0.01, { neededFrom: 0.05 })).toEqual({ said: ['#code three'], unsure: 0 });
  expect(await sentFor(0.4, { neededFrom: 2 })).toEqual({ said: ['#code three'], unsure: 0 });
});

test('what is needed the likeliest comes first into the budget: the root, whichever turn the message goes on from', async () => {
  expect(await sentFor(0.4, { unsureBudget: 8 })).toEqual({ said: ['#trip one', '#code three'], unsure: 1 });
});

const told = async (host: ReturnType<typeof bareHost>) => {
  const tokens = await host.engine.nextTokens();
  const id = await host.send('four');
  const context = replyOf(nodeOf(host.life.forest, id))?.context;
  const message = context?.segments.find(({ kind }) => kind === 'message')?.tokens;
  return {
    unsure: context?.segments.filter((segment) => segment.kind === 'turn' && segment.unsure === true).length,
    told: tokens,
    sent: (context?.tokens ?? 0) - (message ?? 0),
  };
};

test('a doubt stays while the conversation goes on from it, and the next message is told to cost what it costs', async () => {
  const host = bareHost({ decide: doubting(0.4) });
  for (const message of ['#trip one', 'two of the trip', '#code three']) await host.send(message);
  const { unsure, told: tokens, sent } = await told(host);
  expect(unsure).toBe(2);
  expect(tokens).toBe(sent);
});

test('a small doubt is that of its turn alone', async () => {
  const host = bareHost({ decide: doubting(0.2) });
  for (const message of ['#trip one', 'two of the trip', '#code three']) await host.send(message);
  const before = host.life.forest.active?.nodeId ?? '';
  const kept = replyOf(nodeOf(host.life.forest, before))?.context?.segments;
  expect(kept?.some((segment) => segment.kind === 'turn' && segment.unsure === true)).toBe(true);
  const { unsure, told: tokens, sent } = await told(host);
  expect(unsure).toBe(0);
  expect(tokens).toBe(sent);
});

test('a doubt ends where the person has spoken', async () => {
  const host = bareHost({ decide: doubting(0.4) });
  for (const message of ['#trip one', 'two of the trip']) await host.send(message);
  const nodeId = await host.send('#code three');
  host.life.do({ type: 'confirm', nodeId, at: 0, step: 'right' });
  const { unsure, told: tokens, sent } = await told(host);
  expect(unsure).toBe(0);
  expect(tokens).toBe(sent);
});

test('where replies cannot be compared, the rest is weighed, and the context says so', async () => {
  const embed: typeof bagEmbedder.embed = async (texts) => {
    if (texts.some((text) => text.startsWith('I was sent'))) throw new Error('out of memory');
    return bagEmbedder.embed(texts);
  };
  const host = bareHost({ decide: doubting(0.4), embed: { ...bagEmbedder, embed } });
  for (const message of ['#trip one', 'two of the trip']) await host.send(message);
  const context = replyOf(nodeOf(host.life.forest, await host.send('#code three')))?.context;
  expect(context?.segments.filter((segment) => segment.kind === 'turn' && segment.unsure === true)).toHaveLength(2);
  expect(context?.fallbacks).toMatchObject([{ role: 'embed', from: bagEmbedder.name, why: 'out of memory' }]);
});
