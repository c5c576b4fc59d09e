import { describe, expect, test } from 'vitest';
import { fold, frozen } from '../domain/apply.ts';
import type { NodeId } from '../domain/forest.ts';
import type { Intent } from '../domain/handle.ts';
import { nodeOf, replyOf } from '../domain/queries.ts';
import { contextMessages } from './context/context-text.ts';
import { focused } from './context/policies/focused/focused.ts';
import { ALL_POLICIES } from './context/policies/policies.ts';
import type { ChatModel, Embedder, Summariser } from './ports.ts';
import { bareHost, contextOf, segmentsOf, sentInFull } from './testing/bare-host.ts';
import { bagEmbedder, countingChat, firstWords } from './testing/plain-models.ts';

type Host = ReturnType<typeof bareHost>;

const edit = ({ life }: Host, event: (Intent & { type: 'record' })['event']): void => {
  expect(life.do({ type: 'record', step: life.id(), event }).ok).toBe(true);
};

const sentTo = ({ life }: Host, nodeId: NodeId): string =>
  contextMessages(life.forest, contextOf(life.forest, nodeId))
    .map(({ content }) => content)
    .join('\n');

test.each(ALL_POLICIES)('under $name, a turn moved below later ones can be replied to again', async (policy) => {
  const host = bareHost({}, { policy });
  await host.send('#a one');
  const moved = await host.send('#b two');
  const tip = await host.send('#a three');
  host.life.move(moved, tip);
  await host.engine.regenerate(moved, host.life.id(), new AbortController().signal);
  expect(replyOf(nodeOf(host.life.forest, moved))).toMatchObject({ state: 'done', failure: null });
});

describe('a hidden turn', () => {
  test('is never sent, nor is a title made of it; the conversation goes on after it', async () => {
    const host = bareHost();
    const secret = await host.send('#trip secret');
    await host.send('public');
    await host.send('#code elsewhere');
    edit(host, { type: 'turns-hidden', nodeIds: [secret], hidden: true });
    const next = await host.send('and on');
    expect(sentTo(host, next)).toContain('public');
    expect(sentTo(host, next)).not.toContain('secret');
  });

  test('that is active is gone on from all the same', async () => {
    const host = bareHost();
    await host.send('#trip one');
    const hidden = await host.send('two');
    edit(host, { type: 'turns-hidden', nodeIds: [hidden], hidden: true });
    const next = await host.send('three');
    expect(nodeOf(host.life.forest, next).parentId).toBe(hidden);
    expect(sentInFull(host.life.forest, contextOf(host.life.forest, next))).toEqual([1]);
  });

  test('can be replied to again', async () => {
    const host = bareHost();
    await host.send('#trip one');
    const hidden = await host.send('two');
    edit(host, { type: 'turns-hidden', nodeIds: [hidden], hidden: true });
    await host.engine.regenerate(hidden, host.life.id(), new AbortController().signal);
    expect(replyOf(nodeOf(host.life.forest, hidden))).toMatchObject({ state: 'done' });
  });

  test('is neither embedded nor summarised until it is shown again', async () => {
    const embedded: string[] = [];
    const embed: Embedder['embed'] = async (texts) => {
      embedded.push(...texts);
      return bagEmbedder.embed(texts);
    };
    const host = bareHost({ embed: { ...bagEmbedder, embed } });
    const { life, engine } = host;
    // Placed by a tab that was closed before it had more of the turn.
    const hidden = life.say(null, '#trip secret');
    edit(host, { type: 'turns-hidden', nodeIds: [hidden], hidden: true });
    await engine.catchUp(new AbortController().signal);
    await host.send('#code one');
    expect(embedded).toContain('#code one');
    expect(embedded).not.toContain('#trip secret');
    const before = frozen(fold(life.entries));
    edit(host, { type: 'turns-hidden', nodeIds: [hidden], hidden: false });
    await engine.catchUpSince(before);
    expect(embedded).toContain('#trip secret');
    expect(nodeOf(life.forest, hidden).summary?.text).toBe('The user said: #trip secret');
  });

  test('comes back when it is shown again', async () => {
    const host = bareHost();
    const one = await host.send('#trip one');
    edit(host, { type: 'turns-hidden', nodeIds: [one], hidden: true });
    edit(host, { type: 'turns-hidden', nodeIds: [one], hidden: false });
    expect(sentTo(host, await host.send('two'))).toContain('#trip one');
  });
});

describe('the title that a turn is fetched with', () => {
  const title: Summariser['title'] = async ({ message, second }) => `${message} ${second?.message ?? ''}`.trim();
  const chat: ChatModel = {
    ...countingChat(),
    async *reply() {
      yield 'So it is. '.repeat(40);
    },
  };
  const talk = async () => {
    const host = bareHost({ chat, summarise: { ...firstWords, title } }, { policy: focused });
    const first = await host.send('#trip hello');
    const second = await host.send('secret');
    for (const message of ['#code elsewhere', 'three', 'four']) await host.send(message);
    edit(host, { type: 'turn-pinned', nodeId: first, pinned: true });
    expect(sentTo(host, await host.send('five'))).toContain('turn 1, #trip hello secret]');
    return { host, second, treeId: nodeOf(host.life.forest, first).treeId };
  };

  test('is sent without the words of a turn hidden since', async () => {
    const { host, second } = await talk();
    edit(host, { type: 'turns-hidden', nodeIds: [second], hidden: true });
    expect(sentTo(host, await host.send('six'))).not.toContain('secret');
  });

  test('is the one that the topic has now', async () => {
    const { host, treeId } = await talk();
    edit(host, { type: 'topic-titled', treeId, title: 'Abroad', by: 'person' });
    expect(sentTo(host, await host.send('six'))).toContain('turn 1, Abroad]');
  });
});

describe('what the person wants in the context', () => {
  test('a pinned turn of another topic is sent in full, whatever the message', async () => {
    const host = bareHost();
    const pinned = await host.send('#trip allergic to nuts');
    await host.send('#code one');
    edit(host, { type: 'turn-pinned', nodeId: pinned, pinned: true });
    const next = await host.send('two');
    expect(sentInFull(host.life.forest, contextOf(host.life.forest, next))).toEqual([1, 2]);
    expect(segmentsOf(contextOf(host.life.forest, next), 'turn')[0]).toMatchObject({ nodeId: pinned, pinned: true });
  });

  const pinnedOf = async (words: number, window: number, contextBudget: number | null = null) => {
    const chat = countingChat(window);
    const summarise: Summariser = { ...firstWords, summarise: async () => 'A contract.' };
    const host = bareHost({ chat, summarise }, { parameters: { replyReserve: 10, overviewBudget: 0, contextBudget } });
    const pinned = await host.send(`#trip ${'nuts '.repeat(words)}`);
    await host.send('#code one');
    edit(host, { type: 'turn-pinned', nodeId: pinned, pinned: true });
    const next = await host.send('two');
    return { pinned, context: contextOf(host.life.forest, next), forest: host.life.forest };
  };

  test('a pinned turn of another topic is sent in full, though it takes more than half of the room', async () => {
    const { context, forest } = await pinnedOf(220, 400);
    expect(sentInFull(forest, context)).toEqual([1, 2]);
    expect(context.tokens).toBeLessThanOrEqual(390);
  });

  test('a pinned turn of another topic is sent in full, even under a budget without room for it', async () => {
    const { context, forest } = await pinnedOf(20, 400, 5);
    expect(sentInFull(forest, context)).toEqual([1]);
  });

  test('a pinned turn of another topic that the window does not hold is sent as its summary, beside the last exchange', async () => {
    const { context, forest, pinned } = await pinnedOf(400, 400);
    expect(sentInFull(forest, context)).toEqual([2]);
    expect(segmentsOf(context, 'reference-summary')).toMatchObject([{ nodeId: pinned, pinned: true }]);
  });

  const pinnedAbove = async (words: number, contextBudget: number | null = null) => {
    const summarise: Summariser = { ...firstWords, summarise: async () => 'A contract.' };
    const parameters = { replyReserve: 10, contextBudget };
    const host = bareHost({ chat: countingChat(16_384), summarise }, { parameters });
    const pinned = await host.send('nuts '.repeat(words));
    await host.send('one');
    edit(host, { type: 'turn-pinned', nodeId: pinned, pinned: true });
    const narrow = bareHost({ chat: countingChat(400), summarise }, { parameters }, host.life);
    const context = contextOf(host.life.forest, await narrow.send('two'));
    expect(context.tokens).toBeLessThanOrEqual(390);
    return { pinned, context, forest: host.life.forest };
  };

  test.each([
    ['a window', null],
    ['a budget', 30],
  ])('a pinned turn of the path that the window does not hold is sent as its summary under %s', async (_, budget) => {
    const { context, forest, pinned } = await pinnedAbove(400, budget);
    expect(segmentsOf(context, 'turn-summary')).toMatchObject([{ nodeId: pinned }]);
    expect(sentInFull(forest, context)).toEqual([2]);
  });

  test('a pinned turn of the path is sent in full, even under a budget without room for it', async () => {
    const { context, forest } = await pinnedAbove(200, 30);
    expect(sentInFull(forest, context)).toEqual([1]);
  });

  test('pinned turns of the path come before those elsewhere, and none takes more than the window has', async () => {
    const summarise: Summariser = { ...firstWords, summarise: async () => 'A contract.' };
    const host = bareHost(
      { chat: countingChat(400), summarise },
      { parameters: { replyReserve: 10, overviewBudget: 0 } },
    );
    const elsewhere = await host.send(`#trip ${'nuts '.repeat(120)}`);
    const above = await host.send(`#code ${'nuts '.repeat(250)}`);
    await host.send('one');
    for (const nodeId of [elsewhere, above]) edit(host, { type: 'turn-pinned', nodeId, pinned: true });
    const context = contextOf(host.life.forest, await host.send('two'));
    expect(sentInFull(host.life.forest, context)).toEqual([2, 3]);
    expect(segmentsOf(context, 'reference-summary')).toMatchObject([{ nodeId: elsewhere, pinned: true }]);
    expect(context.tokens).toBeLessThanOrEqual(390);
  });

  test('a reference brings the path of the turn that is needed, also for the turns after it', async () => {
    const host = bareHost();
    await host.send('#japan one');
    const japan = await host.send('two');
    await host.send('three');
    const work = await host.send('#work as we said about japan');
    edit(host, { type: 'reference-added', nodeId: work, reference: { to: japan, as: 'path', by: 'person' } });
    const next = await host.send('and then');
    expect(sentInFull(host.life.forest, contextOf(host.life.forest, next))).toEqual([1, 2, 4]);
    expect(segmentsOf(contextOf(host.life.forest, next), 'turn')[0]).toMatchObject({ neededBy: work });
  });

  test('of a path too long for its room, a reference brings the turn itself in full, not those at its beginning', async () => {
    const host = bareHost({ chat: countingChat(400) }, { parameters: { replyReserve: 10 } });
    for (const tag of ['#japan ', '', '', '']) await host.send(`${tag}${'rice '.repeat(60)}`);
    const japan = host.life.forest.active?.nodeId ?? '';
    const work = await host.send('#work as we said about japan');
    edit(host, { type: 'reference-added', nodeId: work, reference: { to: japan, as: 'path', by: 'person' } });
    const context = contextOf(host.life.forest, await host.send('and then'));
    expect(segmentsOf(context, 'turn').filter(({ nodeId }) => nodeId === japan)).toMatchObject([{ neededBy: work }]);
    expect(sentInFull(host.life.forest, context)).not.toContain(1);
  });

  test('a reference may bring the summary alone', async () => {
    const host = bareHost();
    const japan = await host.send('#japan one');
    const work = await host.send('#work as we said about japan');
    edit(host, { type: 'reference-added', nodeId: work, reference: { to: japan, as: 'summary', by: 'person' } });
    const next = await host.send('and then');
    expect(segmentsOf(contextOf(host.life.forest, next), 'reference-summary')).toMatchObject([
      { nodeId: japan, neededBy: work, text: 'Turn 1, in short: The user said: #japan one' },
    ]);
  });

  test('an edited summary is in the next context, though the conversation merely went on', async () => {
    const host = bareHost();
    const japan = await host.send('#japan one');
    await host.send('#work two');
    await host.send('three');
    edit(host, { type: 'summarised', nodeId: japan, text: 'Japan is off.', by: 'person' });
    expect(sentTo(host, await host.send('four'))).toContain('Japan is off.');
  });

  test('a purge since the last message hides no edit from the next context, nor does it take other turns’ words', async () => {
    const host = bareHost();
    const secret = await host.send('#japan secret');
    const japan = await host.send('public');
    expect(host.life.do({ type: 'delete', nodeIds: [secret], alone: true, step: host.life.id() }).ok).toBe(true);
    for (const message of ['#work two', 'three']) await host.send(message);
    const reopened = () => bareHost({}, {}, host.life);
    host.life.purge([secret]);
    expect(sentTo(host, await reopened().send('four'))).toContain('The user said: public');
    edit(host, { type: 'summarised', nodeId: japan, text: 'Japan is off.', by: 'person' });
    host.life.purge([secret]);
    expect(sentTo(host, await reopened().send('five'))).toContain('Japan is off.');
  });

  test('another reply to an earlier turn, or its summary, is in the overview of the next message', async () => {
    let replies = 0;
    const chat: ChatModel = {
      ...countingChat(),
      async *reply() {
        replies += 1;
        yield `Reply ${replies}.`;
      },
    };
    const summarise: Summariser = { ...firstWords, summarise: async ({ message, reply }) => `${message}: ${reply}` };
    const embedded: string[] = [];
    const embed: Embedder['embed'] = async (texts) => {
      embedded.push(...texts);
      return bagEmbedder.embed(texts);
    };
    const host = bareHost({ chat, summarise, embed: { ...bagEmbedder, embed } });
    const { engine, life } = host;
    const japan = await host.send('#japan one');
    await host.send('#work two');
    await host.send('three');
    await engine.regenerate(japan, life.id(), new AbortController().signal);
    const four = await host.send('four');
    expect(sentTo(host, four)).toContain('#japan one: Reply 4.');
    const replyId = nodeOf(life.forest, japan).replies[0]?.id ?? '';
    const before = frozen(fold(life.entries));
    edit(host, { type: 'reply-chosen', nodeId: japan, replyId });
    embedded.length = 0;
    await engine.catchUpSince(before);
    expect(embedded).toEqual(['Reply 1.']);
    expect(sentTo(host, await host.send('five'))).toContain('#japan one: Reply 1.');
  });

  test('a summary reworded is in the context of another reply, too', async () => {
    const host = bareHost();
    const japan = await host.send('#japan one');
    await host.send('#work two');
    const three = await host.send('three');
    edit(host, { type: 'summarised', nodeId: japan, text: 'Japan is off.', by: 'person' });
    await host.engine.regenerate(three, host.life.id(), new AbortController().signal);
    expect(sentTo(host, three)).toContain('Japan is off.');
  });

  test('what the next message would cost follows every edit', async () => {
    const host = bareHost();
    const one = await host.send('#trip one two three four');
    await host.send('five');
    const before = await host.engine.nextTokens();
    edit(host, { type: 'turns-hidden', nodeIds: [one], hidden: true });
    expect(await host.engine.nextTokens()).toBeLessThan(before);
  });

  test('also where it changes what the overview says', async () => {
    const host = bareHost();
    const japan = await host.send('#japan one');
    await host.send('#work two');
    await host.send('three');
    const before = await host.engine.nextTokens();
    edit(host, { type: 'summarised', nodeId: japan, text: 'one two '.repeat(9), by: 'person' });
    expect(await host.engine.nextTokens()).toBeGreaterThan(before);
  });
});
