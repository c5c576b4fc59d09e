import { expect, test } from 'vitest';
import { recordsOf } from '../../domain/table.ts';
import { policyNamed } from '../context/policies/policies.ts';
import { bareHost, sentInFull } from '../testing/bare-host.ts';
import { bagEmbedder, countingChat } from '../testing/plain-models.ts';
import { type Cost, NO_COST } from '../text/token-cache.ts';
import type { TurnContexts } from './contexts-over-time.ts';
import { sortedImport } from './testing/engine-life.ts';

const never = new AbortController().signal;
const NAMES = ['context-agent', 'full-history', 'flat-rag', 'memory-stream', 'dh-rag'];

const talked = async (names = NAMES, parts: Parameters<typeof bareHost>[0] = {}) => {
  const chat = countingChat();
  chat.reply = async function* () {
    yield 'So it is.';
  };
  const host = bareHost({ chat, ...parts });
  for (const message of ['red apples', 'blue boats today', '#code green cars']) await host.send(message);
  const failures: string[] = [];
  const run = async (onFailed?: (policy: string, why: string) => void) => {
    const turns: TurnContexts[] = [];
    const policies = names.map(policyNamed);
    await host.engine.contextsOverTime(host.life.entries, policies, (part) => turns.push(...part), never, onFailed);
    return turns;
  };
  return { host, run, failures };
};

const counted = ({ calls, read }: Cost | undefined = NO_COST) => [calls, read];

test('a policy is charged for what its bookkeeping asks of models between two contexts', async () => {
  const { run } = await talked();
  const [first, second, third] = await run();
  expect(counted(first?.costs['full-history'])).toEqual([0, 0]);
  expect(third?.costs['full-history']).toEqual(NO_COST);
  // Each message is embedded once, by itself.
  expect(counted(second?.costs['flat-rag'])).toEqual([1, 3]);
  // Only the message: nothing was said before it.
  expect(counted(first?.costs['context-agent'])).toEqual([1, 2]);
  // The message, its topic, the summary of “red apples, So it is.” and the title of its topic.
  expect(counted(second?.costs['context-agent'])).toEqual([4, 3 + 2 * 5]);
  expect(counted(third?.costs['context-agent'])).toEqual([3, 3 + 6]);
  // “User: blue boats today, Assistant: So it is.” and the message.
  expect(counted(third?.costs['memory-stream'])).toEqual([2, 8 + 3]);
  // The host's clock is a count of its readings.
  expect(third?.costs['memory-stream']?.ms).toBeGreaterThan(0);
});

test('memories pay alike for what one had embedded before the other, and alike when asked again', async () => {
  const both = await talked(['memory-stream', 'raptor']);
  const turned = await talked(['raptor', 'memory-stream']);
  const costs = (turns: readonly TurnContexts[]) =>
    turns.map((turn) => [counted(turn.costs['memory-stream']), counted(turn.costs.raptor)]);
  const found = costs(await both.run());
  expect(costs(await turned.run())).toEqual(found);
  expect(costs(await both.run())).toEqual(found);
});

test('what a language model is given to read for a memory is counted, too', async () => {
  const write = async () => 'Noted well.';
  const summarise = { name: 'writer', summarise: write, title: write, write };
  const { run } = await talked(['summarised-history', 'memory-stream'], { summarise });
  const third = (await run())[2];
  // One call to embed it, one to rate its importance.
  expect(third?.costs['memory-stream']?.calls).toBe(3);
  expect(third?.costs['memory-stream']?.read).toBeGreaterThan(11 + 8);
});

test('where a language model fails, what stands in for it is told with the turns it counts for, until it is tried again', async () => {
  const failed = { role: 'summarise', from: 'writer', to: 'rules that need no language model', why: 'it is off' };
  let fails = true;
  const write = async () => {
    if (fails) throw new Error('it is off');
    return 'Noted well.';
  };
  const say = async () => 'Said.';
  const summarise = { name: 'writer', summarise: say, title: say, write };
  const { run, host } = await talked(['memory-stream', 'full-history'], { summarise });
  const told = async () => (await run()).map(({ fallbacks }) => fallbacks);
  const [, , third = ''] = recordsOf(host.life.forest.nodes).map(({ id }) => id);
  const policy = policyNamed('memory-stream');
  const alone = async () => {
    const [found] = await host.engine.contextsFor(host.life.entries, third, [policy], never);
    const memory = await host.engine.memoryFor(host.life.entries, third, policy, never);
    return [found?.context.fallbacks ?? [], memory?.fallbacks];
  };
  expect((await told()).at(-1)).toEqual({ 'memory-stream': [failed] });
  expect(await alone()).toEqual([[failed], [failed]]);
  fails = false;
  expect(await alone()).toEqual([[failed], [failed]]);
  host.engine.retryMemories();
  expect(await told()).toEqual([{}, {}, {}]);
  expect(await alone()).toEqual([[], []]);
});

test('a memory whose model fails is told of once, and the others go on', async () => {
  const embed = { ...bagEmbedder, embed: () => Promise.reject(new Error('it is gone')) };
  const { run, failures } = await talked(['memory-stream', 'full-history'], { embed });
  const turns = await run((policy, why) => failures.push(`${policy}: ${why}`));
  expect(failures).toEqual(['memory-stream: it is gone']);
  expect(turns.map(({ tokens }) => Object.keys(tokens))).toEqual(Array(3).fill(['full-history']));
  await expect(run()).rejects.toThrow('it is gone');
});

test('what was sent is counted like the others, though another tokenizer counted it then', async () => {
  const { run, host } = await talked(['context-agent', 'full-history']);
  const before = await run();
  expect(before.map(({ sent, unit }) => [sent, unit])).toEqual(Array(3).fill(['context-agent', 'words']));
  const { tokens: words } = countingChat();
  const thrice = {
    name: 'thirds of words',
    count: async (texts: readonly string[]) => (await words.count(texts)).map((count) => 3 * count),
  };
  const { engine } = bareHost({ chat: { ...countingChat(), tokens: thrice } });
  const turns: TurnContexts[] = [];
  const policies = ['context-agent', 'full-history'].map(policyNamed);
  await engine.contextsOverTime(host.life.entries, policies, (part) => turns.push(...part), never);
  expect(turns.map(({ unit }) => unit)).toEqual(Array(3).fill('thirds of words'));
  for (const [at, { tokens, sentTokens }] of turns.entries()) {
    expect(tokens['context-agent']).toBe(3 * (before[at]?.tokens['context-agent'] ?? 0));
    expect(sentTokens).toBe(tokens['context-agent']);
    expect(tokens['full-history']).toBe(3 * (before[at]?.tokens['full-history'] ?? 0));
  }
  const told = await engine.contextsFor(host.life.entries, turns[2]?.nodeId ?? '', policies, never);
  expect(told.map(({ sent }) => sent)).toEqual([true, false]);
  for (const { policy, context } of told) {
    expect(context).toMatchObject({ unit: 'thirds of words', tokens: turns[2]?.tokens[policy] });
    expect(context.fullHistoryTokens).toBe(turns[2]?.tokens['full-history']);
  }
});

test('vectors are made as the turns come to it, and not of all before the first', async () => {
  const said = bareHost({ chat: countingChat() });
  for (let i = 1; i <= 100; i++) await said.send(`${i} apples`);
  let made = 0;
  const embed: typeof bagEmbedder = {
    ...bagEmbedder,
    name: 'another',
    embed: async (texts) => {
      made += texts.length;
      return bagEmbedder.embed(texts);
    },
  };
  const { engine } = bareHost({ chat: countingChat(), embed });
  const madeBefore = new Map<number, number>();
  const numbers: number[] = [];
  const onTurns = (part: readonly TurnContexts[]) => numbers.push(...part.map(({ number }) => number));
  await engine.contextsOverTime(
    said.life.entries,
    [policyNamed('flat-rag')],
    onTurns,
    never,
    undefined,
    ({ number }) => {
      madeBefore.set(number, made);
      return true;
    },
  );
  expect(numbers).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  // Of each message and its reply.
  expect(made).toBe(200);
  expect(madeBefore.get(1)).toBe(0);
  expect(madeBefore.get(50)).toBeLessThan(200);
  expect(madeBefore.get(100)).toBe(200);
});

test('replies are read where a policy retrieves by them, and not again if their vectors are known', async () => {
  let read: readonly string[] = [];
  const chat = countingChat();
  chat.reply = async function* () {
    yield 'So it is.';
  };
  const vectors = {
    readVectors: async (_: string, hashes: readonly string[]) => {
      read = [...read, ...hashes];
      return hashes.map(() => undefined);
    },
    saveVectors: async () => undefined,
  };
  const said = bareHost({ chat });
  for (const message of ['red apples', 'blue boats', 'green cars']) await said.send(message);
  const { engine, life } = bareHost({ chat }, { vectors }, said.life);
  const last = recordsOf(life.forest.nodes).at(-1)?.id ?? '';
  const readBy = async (name: string) => {
    read = [];
    await engine.contextsOverTime(life.entries, [policyNamed(name)], () => undefined, never);
    await engine.contextsFor(life.entries, last, [policyNamed(name)], never);
    return read.length;
  };
  // The messages alone.
  expect(await readBy('full-history')).toBe(3);
  await engine.catchUp(never);
  expect(await readBy('flat-rag')).toBe(0);
});

test('without the vectors of replies, messages are still compared', async () => {
  const { host } = await talked();
  const embed: typeof bagEmbedder = {
    ...bagEmbedder,
    embed: async (texts) => {
      if (texts.includes('So it is.')) throw new Error('it is gone');
      return bagEmbedder.embed(texts);
    },
  };
  const { engine } = bareHost({ embed });
  const last = recordsOf(host.life.forest.nodes).at(-1)?.id ?? '';
  const policies = ['flat-rag', 'vector-rag'].map(policyNamed);
  const told = await engine.contextsFor(host.life.entries, last, policies, never);
  expect(told.map(({ withoutSimilarity }) => withoutSimilarity)).toEqual([null, null]);
});

test('what would have been sent of an import that was sorted into topics is sent by these', async () => {
  const host = bareHost();
  const ids = await sortedImport(host, ['#boat one', 'two', '#code three', 'four', '#boat five']);
  const policies = ['context-agent', 'full-history'].map(policyNamed);
  const told = await host.engine.contextsFor(host.life.entries, ids[4] ?? '', policies, never);
  expect(told.map(({ forest, context }) => sentInFull(forest, context))).toEqual([
    [1, 2],
    [1, 2, 3, 4],
  ]);
  const turns: TurnContexts[] = [];
  await host.engine.contextsOverTime(host.life.entries, policies, (part) => turns.push(...part), never);
  expect(turns.map(({ nodeId }) => nodeId)).toEqual(ids);
  for (const { policy, context } of told) expect(turns[4]?.tokens[policy]).toBe(context.tokens);
});
