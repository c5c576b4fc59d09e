import { describe, expect, test } from 'vitest';
import { violations } from '../../domain/invariants.ts';
import { nodeOf, pathTo } from '../../domain/queries.ts';
import type { ChatModel, ChatRequest, Decider } from '../ports.ts';
import { bareHost } from '../testing/bare-host.ts';
import { bagEmbedder, countingChat, firstWords, namedChat, plainModels, tagDecider } from '../testing/plain-models.ts';

/** Decides by the tag in the message, or by the tag in the reply once there is one. */
const byReply = (confidence = 0.9): Decider => {
  const tags = tagDecider();
  return {
    ...tags,
    reconsider: async ({ message, reply }) => {
      const answer = await tags.topic(/#\w+/.test(reply.message) ? reply : message);
      return { ...answer, confidence };
    },
  };
};

/** Gives these replies, one after the other. */
const saying = (...replies: string[]): ChatModel => ({
  ...countingChat(),
  name: 'saying',
  async *reply(_: ChatRequest) {
    yield replies.shift() ?? 'nothing more';
  },
});

const talk = (decide: Decider, chat: ChatModel, parameters = {}) => {
  const host = bareHost({ decide, chat }, { parameters });
  const path = (id: string) => pathTo(host.life.forest, id).map(({ number }) => number);
  return { ...host, path };
};

describe('a turn whose reply speaks of another topic', () => {
  const replies = ['about #cats', 'about #soup', 'about #cats'] as const;

  test('is moved there, in a step of its own, with what its message had come to', async () => {
    const { life, send, path } = talk(byReply(), saying(...replies));
    await send('#cats eat what');
    await send('#soup needs salt');
    const third = await send('and how often');
    expect(path(third)).toEqual([1, 3]);
    const { trace, topic } = nodeOf(life.forest, third).decision;
    expect(topic).toBe('switch-topic');
    expect(trace?.beforeReply).toMatchObject({ topic: 'continue-topic', confidence: 1 });
    expect(life.forest.active?.nodeId).toBe(third);
    expect(violations(life.forest)).toEqual([]);

    life.do({ type: 'undo' });
    expect(path(third)).toEqual([2, 3]);
    expect(nodeOf(life.forest, third).decision.topic).toBe('continue-topic');
    life.do({ type: 'redo' });
    expect(path(third)).toEqual([1, 3]);
  });

  test('keeps what failed and how long it took when its message was placed', async () => {
    const { life, send } = talk(byReply(), saying(...replies));
    await send('#cats eat what');
    await send('#soup needs salt');
    const third = await send('and how often');
    const placed = life.entries.findLast(({ event }) => event.type === 'turn-placed')?.event;
    const first = placed?.type === 'turn-placed' ? (placed.decision.trace?.timings ?? []) : [];
    const { timings = [] } = nodeOf(life.forest, third).decision.trace ?? {};
    expect(first.length).toBeGreaterThan(0);
    expect(timings.slice(0, first.length)).toEqual(first);
    // What came later also counts as later.
    const end = Math.max(...first.map(({ start, ms }) => start + ms));
    const later = timings.slice(first.length);
    expect(later.length).toBeGreaterThan(0);
    expect(later.filter(({ start }) => start < end)).toEqual([]);

    const failing = { ...byReply(), name: 'failing', topic: () => Promise.reject(new Error('it is gone')) };
    const host = bareHost(
      { decide: failing, chat: saying(...replies) },
      { embedded: { chat: countingChat(), decide: byReply(), summarise: firstWords } },
    );
    for (const message of ['#cats eat what', '#soup needs salt']) await host.send(message);
    const { trace } = nodeOf(host.life.forest, await host.send('and how often')).decision;
    expect(trace?.beforeReply).toBeDefined();
    expect(trace?.fallbacks).toMatchObject([{ role: 'decide', from: 'failing', why: 'it is gone' }]);
  });

  test('names the decider that was chosen, also where another would be asked when that one is unsure', async () => {
    const decide = byReply();
    const embedded = { chat: countingChat(), decide, summarise: firstWords };
    const { life, send } = bareHost({ decide, consult: tagDecider(), chat: saying(...replies) }, { embedded });
    await send('#cats eat what');
    await send('#soup needs salt');
    const third = await send('and how often');
    const placed = life.entries.findLast(({ event }) => event.type === 'turn-placed')?.event;
    const { trace } = nodeOf(life.forest, third).decision;
    expect(trace?.beforeReply).toBeDefined();
    expect(trace?.decider).toContain('where that is unsure');
    expect(trace?.decider).toBe(placed?.type === 'turn-placed' ? placed.decision.trace?.decider : '');
  });

  test('still suggests what its message refers to', async () => {
    const { life, send, path } = talk(byReply(), saying('about #trip', 'about #cats', 'about #soup', 'about #cats'));
    const trip = await send('#trip visa for japan');
    await send('#cats eat what');
    await send('#soup needs salt');
    const fourth = await send('as we said about the visa for japan');
    expect(path(fourth)).toEqual([2, 4]);
    const { trace } = nodeOf(life.forest, fourth).decision;
    expect(trace?.references?.map(({ nodeId }) => nodeId)).toEqual([trip]);
  });

  test('opens one where there is none', async () => {
    const { life, send, path } = talk(byReply(), saying('about #cats', 'about #soup'));
    await send('#cats eat what');
    const second = await send('needs salt');
    expect(path(second)).toEqual([2]);
    expect(nodeOf(life.forest, second).decision.topic).toBe('create-topic');
    expect(life.forest.trees[nodeOf(life.forest, second).treeId]?.title).toBe('needs salt');
  });

  test.each([
    ['the decider is less sure than is asked for', byReply(0.5), saying(...replies), {}],
    ['turns are never moved', byReply(1), saying(...replies), { reconsiderFrom: 2 }],
    ['the decider looks once only', tagDecider(), saying(...replies), {}],
    ['the reply only quotes', byReply(), namedChat('recall'), {}],
  ] as const)('stays where %s', async (_, decide, chat, parameters) => {
    const { life, send, path } = talk(decide, chat, parameters);
    await send('#cats eat what');
    await send('#soup needs salt');
    const third = await send('and how often');
    expect(path(third)).toEqual([2, 3]);
    expect(life.entries.some(({ event }) => event.type === 'turn-reconsidered')).toBe(false);
  });

  test('is moved, too, where the person stopped the reply, and stays where it cannot be looked at again', async () => {
    const stop = new AbortController();
    const stopping = saying(...replies);
    const chat: ChatModel = {
      ...stopping,
      async *reply(request: ChatRequest, signal: AbortSignal) {
        yield* stopping.reply(request, signal);
        if (stop.signal.aborted || request.messages.at(-1)?.content.endsWith('and how often')) stop.abort();
      },
    };
    const stopped = talk(byReply(), chat);
    await stopped.send('#cats eat what');
    await stopped.send('#soup needs salt');
    expect(stopped.path(await stopped.send('and how often', stop.signal))).toEqual([1, 3]);

    const broken = talk({ ...byReply(), reconsider: () => Promise.reject(new Error('gone')) }, saying(...replies));
    await broken.send('#cats eat what');
    await broken.send('#soup needs salt');
    const third = await broken.send('and how often');
    expect(broken.path(third)).toEqual([2, 3]);
    expect(nodeOf(broken.life.forest, third).summary).not.toBeNull();
  });

  test('stays where another embedder was ready before the reply was', async () => {
    const other = { ...bagEmbedder, name: 'another bag' };
    const chat = saying(...replies);
    let models = plainModels({ decide: byReply() });
    const changing: ChatModel = {
      ...chat,
      async *reply(request: ChatRequest, signal: AbortSignal) {
        if (request.messages.at(-1)?.content.endsWith('and how often')) models = { ...models, embed: other };
        yield* chat.reply(request, signal);
      },
    };
    models = { ...models, chat: changing };
    const { life, send } = bareHost({}, { models: () => models });
    await send('#cats eat what');
    await send('#soup needs salt');
    const third = await send('and how often');
    expect(pathTo(life.forest, third).map(({ number }) => number)).toEqual([2, 3]);
    expect(life.entries.some(({ event }) => event.type === 'turn-reconsidered')).toBe(false);
  });

  test('stays where the person put it', async () => {
    const { life, send, path } = talk(byReply(), saying(...replies));
    const first = await send('#cats eat what');
    const second = await send('#soup needs salt');
    const signal = new AbortController().signal;
    const third = await send('and how often', signal, { kind: 'under', nodeId: second });
    expect(path(third)).toEqual([2, 3]);
    expect(first).not.toBe(life.forest.active?.nodeId);
  });
});
