import { describe, expect, test } from 'vitest';
import type { Context, Segment } from '../../domain/context.ts';
import { sum } from '../../domain/numbers.ts';
import { pendingTurn, replyOf } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { contextMessages, OVERVIEW_HEAD } from '../context/context-text.ts';
import { contextAgent } from '../context/policies/context-agent.ts';
import { fullHistory } from '../context/policies/flat-policies.ts';
import { ALL_POLICIES, POLICIES, policyNamed } from '../context/policies/policies.ts';
import { bareHost } from '../testing/bare-host.ts';
import { bagEmbedder, countingChat, firstWords, tagDecider } from '../testing/plain-models.ts';
import type { TurnContexts } from './contexts-over-time.ts';
import type { PolicyContext } from './past-contexts.ts';
import { rerun } from './re-run.ts';
import { noPauses, whatIfPartsOf } from './testing/engine-life.ts';
import { AS_IT_WAS } from './what-if.ts';

const MESSAGES = ['#trip red apples', 'blue boats', '#code green cars', 'no, red apples', '#trip blue boats', 'x'];
const never = new AbortController().signal;

const talked = async (policy = contextAgent) => {
  const chat = countingChat();
  // Always the same words, so that conversations under two policies can be compared.
  const { requests } = chat;
  chat.reply = async function* (request) {
    requests.push(request);
    yield 'So it is.';
  };
  const host = bareHost({ chat }, { policy, parameters: { lastTurns: 2, retrievedTurns: 2 } });
  const ids: string[] = [];
  for (const message of MESSAGES) ids.push(await host.send(message));
  const contextsFor = (id: string) => host.engine.contextsFor(host.life.entries, id, POLICIES, never);
  return { host, ids, chat, contextsFor };
};

const bytes = ({ forest, context }: PolicyContext) => contextMessages(forest, context);

const overTime = async ({ host }: Awaited<ReturnType<typeof talked>>) => {
  const turns: TurnContexts[] = [];
  await host.engine.contextsOverTime(host.life.entries, POLICIES, (part) => turns.push(...part), never);
  return turns;
};

describe('for one turn', () => {
  test('each policy would have sent what it does send when the conversation goes by it', async () => {
    const [tree, flat] = [await talked(), await talked(fullHistory)];
    const told = await tree.contextsFor(tree.ids[4] as string);
    expect(told.map(({ policy }) => policy)).toEqual(POLICIES.map(({ name }) => name));
    const would = told.find(({ policy }) => policy === 'full-history') as PolicyContext;
    expect(would.sent).toBe(false);
    expect(bytes(would)).toEqual(flat.chat.requests[4]?.messages);
    expect(told.find(({ sent }) => sent)?.policy).toBe('context-agent');
  });

  test('what was sent is what the chat model received, whatever has changed since', async () => {
    const { host, ids, chat, contextsFor } = await talked();
    const at = ids[3] as string;
    const sentThen = async () => bytes((await contextsFor(at)).find(({ sent }) => sent) as PolicyContext);
    host.life.do({ type: 'delete', nodeIds: [ids[2] as string], alone: true, step: 'gone' });
    expect(await sentThen()).toEqual(chat.requests[3]?.messages);
    host.life.do({ type: 'delete', nodeIds: [at], alone: false, step: 'gone, too' });
    expect(await sentThen()).toEqual(chat.requests[3]?.messages);
  });

  test('counted by another tokenizer, the lines of the overview are what its segment holds besides its heading', async () => {
    const { host, ids } = await talked();
    const letters = { name: 'letters', count: async (texts: readonly string[]) => texts.map(({ length }) => length) };
    const other = bareHost({ chat: { ...countingChat(), tokens: letters } }, {}, host.life);
    const [told] = await other.engine.contextsFor(host.life.entries, ids[4] as string, [contextAgent], never);
    const { context, forest } = told as PolicyContext;
    const segment = context.segments.find(({ kind }) => kind === 'overview') as Extract<Segment, { kind: 'overview' }>;
    const lines = forest.overviews[segment.overviewId]?.lines ?? [];
    expect(context.unit).toBe('letters');
    expect(lines.length).toBeGreaterThan(0);
    for (const { text, tokens } of lines) expect(tokens).toBe(text.length);
    expect(segment.tokens - sum(lines.map(({ tokens }) => tokens))).toBe(OVERVIEW_HEAD.length);
    // Those of the conversation stay as they were counted.
    expect(host.life.forest.overviews[segment.overviewId]?.lines[0]?.tokens).not.toBe(lines[0]?.tokens);
  });

  test('replies count by what they are similar to, as they were at the time', async () => {
    const embed: typeof bagEmbedder = {
      ...bagEmbedder,
      embed: (texts) =>
        bagEmbedder.embed(texts.map((text) => text.replace('stripes', 'zebra').replace('fangs', 'wolf'))),
    };
    const living = async (name: string) => {
      const chat = countingChat();
      const replies = ['zebra', 'lion', 'tiger', 'none', 'zebra', 'wolf', 'bear'];
      chat.reply = async function* () {
        yield replies.shift() ?? '';
      };
      const host = bareHost({ chat, embed }, { policy: policyNamed(name), parameters: { retrievedTurns: 2 } });
      const ids: string[] = [];
      for (const message of ['one', 'two', 'three', 'stripes']) ids.push(await host.send(message));
      // By then another turn has such a reply, and its own has gone.
      await host.engine.regenerate(ids[1] ?? '', 'second', never);
      await host.engine.regenerate(ids[0] ?? '', 'first', never);
      ids.push(await host.send('fangs'));
      return { host, ids };
    };
    const [tree, flat] = [await living('context-agent'), await living('flat-rag')];
    const named = [policyNamed('flat-rag')];
    const over = async ({ host }: typeof tree) => {
      const turns: TurnContexts[] = [];
      await host.engine.contextsOverTime(host.life.entries, named, (part) => turns.push(...part), never);
      return turns.map(({ number, tokens }) => [number, tokens['flat-rag']]);
    };
    for (const [at, reply] of [
      [3, 'zebra'],
      [4, 'wolf'],
    ] as const) {
      const [was] = await flat.host.engine.contextsFor(flat.host.life.entries, flat.ids[at] ?? '', named, never);
      const [would] = await tree.host.engine.contextsFor(tree.host.life.entries, tree.ids[at] ?? '', named, never);
      expect([was?.sent, would?.sent]).toEqual([true, false]);
      expect(bytes(would as PolicyContext)).toEqual(bytes(was as PolicyContext));
      expect(JSON.stringify(bytes(was as PolicyContext))).toContain(reply);
    }
    expect(await over(tree)).toEqual(await over(flat));
  });

  test('nothing was sent for an imported reply', async () => {
    const host = bareHost();
    const event = {
      type: 'message-sent' as const,
      nodeId: 'a',
      message: 'red apples',
      given: 'So it is.',
      target: null,
    };
    host.life.do({ type: 'record', step: 'first', event });
    await host.engine.turn(pendingTurn(host.life.forest) as never, never);
    const told = await host.engine.contextsFor(host.life.entries, 'a', [contextAgent], never);
    expect(told.map(({ policy, sent }) => [policy, sent])).toEqual([['context-agent', false]]);
  });

  test('nothing later is in it, and another reply has the contexts of its own time', async () => {
    const { host, ids, chat, contextsFor } = await talked();
    const numbers = (told: PolicyContext[], policy: string) =>
      told.find((one) => one.policy === policy)?.context.segments.length;
    const before = numbers(await contextsFor(ids[1] as string), 'full-history');
    await host.engine.regenerate(ids[1] as string, 'again', never);
    const told = await contextsFor(ids[1] as string);
    expect(numbers(told, 'full-history')).toBe(before);
    expect(bytes(told.find(({ sent }) => sent) as PolicyContext)).toEqual(chat.requests.at(-1)?.messages);
  });

  test('without an embedder it says that nothing was known of what is near', async () => {
    const embed = { ...bagEmbedder, embed: () => Promise.reject(new Error('it is gone')) };
    const host = bareHost({ embed });
    await host.send('#a one');
    const id = await host.send('#b two');
    const told = await host.engine.contextsFor(host.life.entries, id, POLICIES, never);
    const why = new Map(told.map(({ policy, withoutSimilarity }) => [policy, withoutSimilarity]));
    for (const { name } of POLICIES) expect(why.get(name)).toBe(name === 'context-agent' ? null : 'it is gone');
  });

  test('a turn that has no place has no contexts, and who does not want them any more gets none', async () => {
    const { host, ids, contextsFor } = await talked();
    expect(await contextsFor('nobody')).toEqual([]);
    const signal = AbortSignal.abort(new Error('not any more'));
    await expect(host.engine.contextsFor(host.life.entries, ids[0] as string, POLICIES, signal)).rejects.toThrow(
      'not any more',
    );
  });
});

describe('with memories', () => {
  const watching = (onTaken: (policy: string, turns: number, of: number) => void = () => undefined) => {
    const came: string[] = [];
    const failed: string[] = [];
    const watch = {
      onContext: ({ policy }: PolicyContext) => void came.push(policy),
      onTaken,
      onFailed: (policy: string, why: string) => void failed.push(`${policy}: ${why}`),
    };
    return { came, failed, watch };
  };

  test('each is told as it comes, memories with how far they are, and sends what it would when the conversation goes by it', async () => {
    const memtree = policyNamed('memtree');
    const [tree, other] = [await talked(), await talked(memtree)];
    const taken: string[] = [];
    const { came, watch } = watching((policy, turns, of) => void taken.push(`${policy} ${turns}/${of}`));
    const policies = [contextAgent, memtree];
    const told = await tree.host.engine.contextsFor(
      tree.host.life.entries,
      tree.ids[3] as string,
      policies,
      never,
      watch,
    );
    expect(came).toEqual(['context-agent', 'memtree']);
    expect(taken).toEqual(['memtree 0/3', 'memtree 1/3', 'memtree 2/3', 'memtree 3/3']);
    expect(bytes(told[1] as PolicyContext)).toEqual(other.chat.requests[3]?.messages);
  });

  test('who stops while a memory is made gets no more of it', async () => {
    const { host, ids } = await talked();
    const stop = new AbortController();
    const { came, watch } = watching((_, turns) => {
      if (turns === 1) stop.abort(new Error('enough'));
    });
    const asked = host.engine.contextsFor(host.life.entries, ids[4] as string, ALL_POLICIES, stop.signal, watch);
    await expect(asked).rejects.toThrow('enough');
    expect(came).toEqual(POLICIES.map(({ name }) => name));
  });

  test('where no memory can be made, the others stand', async () => {
    const embed = { ...bagEmbedder, embed: () => Promise.reject(new Error('it is gone')) };
    const host = bareHost({ embed });
    await host.send('#a one');
    const id = await host.send('#b two');
    const { came, failed, watch } = watching();
    await host.engine.contextsFor(host.life.entries, id, [policyNamed('memtree'), contextAgent], never, watch);
    expect([came, failed]).toEqual([['context-agent'], ['memtree: it is gone']]);
  });

  test('the memory before a turn holds the turns before it, and what it recalls is what would be sent', async () => {
    const { host, ids } = await talked();
    const at = ids[3] as string;
    for (const policy of ALL_POLICIES) {
      const memory = await host.engine.memoryFor(host.life.entries, at, policy, never);
      if (memory === null) {
        expect(policy.remember).toBeUndefined();
        continue;
      }
      const held = new Set(memory.cells.flatMap(({ from }) => from));
      expect(held).toEqual(new Set(ids.slice(0, 3)));
      const cells = new Set(memory.cells.map(({ id }) => id));
      expect(cells.size).toBe(memory.cells.length);
      expect(memory.recall.items.every(({ cell }) => cells.has(cell))).toBe(true);
      const [told] = await host.engine.contextsFor(host.life.entries, at, [policy], never);
      const sent = told?.context.segments.flatMap((one) => (one.kind === 'memory' ? [one.text] : [])) ?? [];
      expect(sent.length).toBe(memory.recall.items.length);
    }
    expect(await host.engine.memoryFor(host.life.entries, 'nobody', policyNamed('memtree'), never)).toBeNull();
  });
});

describe('over a conversation', () => {
  test('each turn has the tokens that it has when it is asked about alone', async () => {
    const talk = await talked();
    const { host, ids, contextsFor } = talk;
    host.life.do({
      type: 'record',
      step: 'hidden',
      event: { type: 'turns-hidden', nodeIds: [ids[1] as string], hidden: true },
    });
    ids.push(await host.send('#trip and now'));
    await host.engine.regenerate(ids[2] as string, 'again', never);
    const turns = await overTime(talk);
    expect(turns.map(({ number }) => number).sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    for (const { nodeId, tokens, sent } of turns) {
      const told = await contextsFor(nodeId);
      expect(tokens).toEqual(Object.fromEntries(told.map(({ policy, context }) => [policy, context.tokens])));
      expect(sent).toBe('context-agent');
      expect(tokens[sent ?? '']).toBe(replyOf(host.life.forest.nodes[nodeId] as never)?.context?.tokens);
    }
  });

  test('a turn that is gone is not in it, one without a reply is', async () => {
    const talk = await talked();
    const { host, ids } = talk;
    host.life.do({ type: 'delete', nodeIds: [ids[5] as string], alone: false, step: 'gone' });
    const silent = host.life.say(ids[0] as string);
    const turns = await overTime(talk);
    expect(turns.map(({ nodeId }) => nodeId)).toEqual([...ids.slice(0, 5), silent]);
    expect(turns.at(-1)).toMatchObject({ sent: null, unit: 'words' });
  });

  test('comes in parts, and ends where nobody wants the rest', async () => {
    let clock = 0;
    const talk = await talked();
    const slow = bareHost({}, { now: () => (clock += 5) }, talk.host.life);
    const stop = new AbortController();
    const parts: number[] = [];
    const all = slow.engine.contextsOverTime(
      slow.life.entries,
      POLICIES,
      (part) => {
        parts.push(part.length);
        if (parts.length === 2) stop.abort(new Error('enough'));
      },
      stop.signal,
    );
    await expect(all).rejects.toThrow('enough');
    expect(parts).toHaveLength(2);
  });
});

describe('with a model that is shown pictures', () => {
  const cat = { id: 'cat', name: 'cat.png', mediaType: 'image/png', size: 7 };

  const shown = async (policy = contextAgent, sees = true, { window = 4096, more = '' } = {}) => {
    const chat = { ...countingChat(window), sees };
    chat.reply = async function* () {
      yield 'So it is.';
    };
    const there = async (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, '']));
    const host = bareHost({ chat }, { policy, pictures: there });
    for (const said of ['#a red apples', '#b green cars', '#a blue boats']) {
      const message = `${said} ${more}`.trim();
      const event = { type: 'message-sent' as const, nodeId: host.life.id(), message, given: null, target: null };
      host.life.do({ type: 'record', step: host.life.id(), event: { ...event, attachments: [cat] } });
      await host.engine.turn(pendingTurn(host.life.forest) as never, never);
    }
    return host;
  };
  /** The history gives way to the picture of a message. */
  const narrow = { window: 2300, more: 'more of them '.repeat(120) };

  const counted = async (by: Awaited<ReturnType<typeof bareHost>>, { life } = by) => {
    const turns: TurnContexts[] = [];
    const policies = [contextAgent, fullHistory];
    await by.engine.contextsOverTime(life.entries, policies, (part) => turns.push(...part), never);
    return turns.map(({ tokens }) => policies.map(({ name }) => tokens[name]));
  };

  const sentIn = ({ life }: Awaited<ReturnType<typeof shown>>) =>
    recordsOf(life.forest.nodes).map((node) => replyOf(node)?.context);

  test.each([
    ['', {}],
    [' in a window that they fill', narrow],
  ])('pictures count for every policy, for the one that was used and for the others%s', async (_, size) => {
    const [tree, flat] = [await shown(contextAgent, true, size), await shown(fullHistory, true, size)];
    const tokens = (host: typeof tree) => sentIn(host).map((context) => context?.tokens);
    expect(await counted(tree)).toEqual(tokens(tree).map((count, at) => [count, tokens(flat)[at]]));
    expect(tokens(tree)).not.toEqual(tokens(flat));
  });

  test('nothing was shown to a model that does not see, so nothing would have been', async () => {
    const blind = await shown(contextAgent, false);
    expect((await counted(blind))[2]?.[1]).toBeLessThan(800);
  });

  test.each([
    ['', {}],
    [' in a window that they fill', narrow],
  ])('counted by another tokenizer, the whole history has its pictures as well%s', async (_, size) => {
    const host = await shown(contextAgent, true, size);
    const tokens = { ...countingChat().tokens, name: 'other words' };
    const other = bareHost({ chat: { ...countingChat(host.models.chat.window), tokens } });
    expect(await counted(other, host)).toEqual(await counted(host));
    const last = recordsOf(host.life.forest.nodes).at(-1)?.id ?? '';
    const [sent] = await other.engine.contextsFor(host.life.entries, last, [contextAgent], never);
    const { fullHistoryTokens, plainChatTokens } = sentIn(host).at(-1) as Context;
    expect(sent?.context).toMatchObject({
      fullHistoryTokens,
      ...(plainChatTokens !== undefined && { plainChatTokens }),
    });
  });

  test('run again, they count as they did, also where another model is chosen by now', async () => {
    const [host, blind] = [await shown(), await shown(contextAgent, false)];
    const embedded = { chat: countingChat(), decide: tagDecider(), summarise: firstWords, embed: bagEmbedder };
    const counts = async (of: typeof host, chat = of.models.chat) => {
      const workshop = whatIfPartsOf({ models: { ...of.models, chat }, embedded });
      const { forest } = await rerun(workshop, of.life.entries, AS_IT_WAS, noPauses());
      return recordsOf(forest.nodes).map((node) => replyOf(node)?.context?.tokens);
    };
    const sent = (of: typeof host) => sentIn(of).map((context) => context?.tokens);
    expect(await counts(host)).toEqual(sent(host));
    expect(await counts(host, { ...blind.models.chat, name: 'blind' })).toEqual(sent(host));
    expect(await counts(blind, { ...host.models.chat, name: 'seeing' })).toEqual(sent(blind));
  });
});
