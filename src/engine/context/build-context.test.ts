import { describe, expect, test } from 'vitest';
import { Entry } from '../../domain/entry.ts';
import { violations } from '../../domain/invariants.ts';
import { fallbacksOf, nodeOf, pendingTurn, replyOf } from '../../domain/queries.ts';
import { bareHost, contextOf } from '../testing/bare-host.ts';
import { bagEmbedder, countingChat, firstWords } from '../testing/plain-models.ts';
import { contextMessages } from './context-text.ts';
import { truncation } from './policies/flat-policies.ts';
import { MEMORY_POLICIES } from './policies/memory-policies.ts';
import { policyNamed } from './policies/policies.ts';
import type { Policy } from './policy.ts';

/** An embedder that can be switched off. */
const switched = () => {
  const state = { off: false };
  const embed: typeof bagEmbedder.embed = (texts) =>
    state.off ? Promise.reject(new Error('The worker is gone.')) : bagEmbedder.embed(texts);
  return { state, embedder: { ...bagEmbedder, embed } };
};

const FAILED = { role: 'embed', from: 'bag of words', why: 'The worker is gone.' };

describe.each(MEMORY_POLICIES)('$name without an embedder', (policy) => {
  const talk = async () => {
    const { state, embedder } = switched();
    const chat = countingChat();
    const parameters = { lastTurns: 1, neededFrom: 2 };
    const host = bareHost({ embed: embedder, chat }, { policy, parameters });
    for (const message of ['red apples', 'blue boats']) await host.send(message);
    state.off = true;
    return { host, chat, state };
  };

  test('sends the last turns, and the record says what failed and what stood in', async () => {
    const { host, chat, state } = await talk();
    const { forest, entries } = host.life;
    const id = await host.send('red boats');
    const context = contextOf(forest, id);
    expect(replyOf(nodeOf(forest, id))).toMatchObject({ state: 'done', failure: null });
    expect(context.policy).toBe(truncation.name);
    expect(context.fallbacks).toEqual([{ ...FAILED, to: `truncation instead of ${policy.name}` }]);
    expect(context.segments.map(({ kind }) => kind)).toEqual(['instructions', 'history-left-out', 'turn', 'message']);
    expect(contextMessages(forest, context)).toEqual(chat.requests.at(-1)?.messages);
    expect(fallbacksOf(nodeOf(forest, id)).at(-1)).toEqual(context.fallbacks?.[0]);
    expect(entries.map((entry) => Entry.parse(JSON.parse(JSON.stringify(entry))))).toEqual(entries);
    await expect(host.engine.nextTokens()).resolves.toBeGreaterThan(0);

    state.off = false;
    const next = contextOf(forest, await host.send('green cars'));
    expect(next.policy).toBe(policy.name);
    expect(next.fallbacks).toBeUndefined();
  });

  test('takes a reply that came with its dialogue, with the context that stood in', async () => {
    const { host } = await talk();
    const { life } = host;
    const nodeId = life.id();
    const event = { type: 'message-sent' as const, nodeId, message: 'red boats', given: 'Here.', target: null };
    life.do({ type: 'record', step: life.id(), event });
    const pending = pendingTurn(life.forest);
    if (pending !== null) await host.engine.turn(pending, new AbortController().signal);
    expect(replyOf(nodeOf(life.forest, nodeId))).toMatchObject({ state: 'done', model: 'given', text: 'Here.' });
    expect(contextOf(life.forest, nodeId)).toMatchObject({ policy: 'truncation', fallbacks: [FAILED] });
    expect(violations(life.forest)).toEqual([]);
  });
});

test.each(['focused', 'context-agent', 'vector-rag'])(
  'another reply without an embedder says under %s what stood in',
  async (name) => {
    const { state, embedder } = switched();
    const host = bareHost({ embed: embedder }, { policy: policyNamed(name) });
    const id = await host.send('red apples');
    expect(contextOf(host.life.forest, id).fallbacks).toBeUndefined();
    state.off = true;
    await host.engine.regenerate(id, host.life.id(), new AbortController().signal);
    expect(contextOf(host.life.forest, id).fallbacks).toContainEqual({ ...FAILED, to: 'words and recency alone' });
    expect(fallbacksOf(nodeOf(host.life.forest, id))).toHaveLength(1);
  },
);

test('a preview without an embedder shows what would stand in', async () => {
  const { state, embedder } = switched();
  const host = bareHost({ embed: embedder }, { policy: policyNamed('memtree') });
  await host.send('red apples');
  state.off = true;
  const preview = await host.engine.preview('blue boats', null, new AbortController().signal);
  expect(preview?.context).toMatchObject({ policy: 'truncation', fallbacks: [FAILED] });
});

test('an embedder that never answers is not waited for longer than for any model', async () => {
  const stuck = { ...bagEmbedder, embed: () => new Promise<never>(() => undefined) };
  const host = bareHost({ embed: stuck }, { policy: policyNamed('raptor'), parameters: { patience: 5 } });
  const id = await host.send('red apples');
  expect(contextOf(host.life.forest, id)).toMatchObject({
    policy: 'truncation',
    fallbacks: [{ role: 'embed', why: 'no answer within 0.005 s' }],
  });
});

test.each([
  ['fails', () => Promise.reject(new Error('out of memory')), 'out of memory'],
  ['says nothing', async () => ' ', 'it gave no answer'],
])('a language model that %s leaves the memory to rules, and the record says so once', async (_, write, why) => {
  const summarise = { ...firstWords, write };
  const host = bareHost({ summarise }, { policy: policyNamed('summarised-history') });
  for (const message of ['red apples', 'blue boats', 'green cars', 'red cars']) await host.send(message);
  const context = contextOf(host.life.forest, await host.send('blue cars'));
  expect(context.policy).toBe('summarised-history');
  expect(context.fallbacks).toEqual([
    { role: 'summarise', from: 'first words', to: 'rules that need no language model', why },
  ]);
});

test('a language model that failed while tokens were counted is reported with the message that comes next', async () => {
  const model = { fails: false };
  const write = async () => (model.fails ? Promise.reject(new Error('out of memory')) : 'Fruit.');
  const host = bareHost({ summarise: { ...firstWords, write } }, { policy: policyNamed('memtree') });
  const fallbacks = async (message: string) => contextOf(host.life.forest, await host.send(message)).fallbacks;
  await host.send('red apples');
  await host.send('red apples and pears');
  model.fails = true;
  await host.engine.nextTokens();
  model.fails = false;
  expect(await fallbacks('red apples and plums')).toMatchObject([{ role: 'summarise', why: 'out of memory' }]);
  await host.engine.nextTokens();
  expect(await fallbacks('red plums')).toBeUndefined();
});

describe('what no policy can do without', () => {
  test('a reply fails with words where nobody can count its tokens', async () => {
    const { state, embedder } = switched();
    state.off = true;
    const count = () => Promise.reject(new Error('nobody counts'));
    const chat = { ...countingChat(), tokens: { name: 'dead', count } };
    const host = bareHost({ chat, embed: embedder }, { policy: policyNamed('memtree') });
    const id = await host.send('red apples');
    expect(replyOf(nodeOf(host.life.forest, id))).toMatchObject({ state: 'failed', failure: 'nobody counts' });
  });

  test('a mistake in a policy is told, and not covered up as a model’s', async () => {
    const policy: Policy = { ...truncation, name: 'mistaken', build: () => Promise.reject(new Error('no such cell')) };
    const host = bareHost({}, { policy });
    const id = await host.send('red apples');
    expect(replyOf(nodeOf(host.life.forest, id))).toMatchObject({ state: 'failed', failure: 'no such cell' });
  });
});
