import { describe, expect, test } from 'vitest';
import { violations } from '../domain/invariants.ts';
import { nodeOf, replyOf } from '../domain/queries.ts';
import { contextMessages } from './context/context-text.ts';
import { bareHost, contextOf, segmentsOf } from './testing/bare-host.ts';
import { bagEmbedder, countingChat, firstWords, tagDecider } from './testing/plain-models.ts';

const traceOf = (host: ReturnType<typeof bareHost>, id: string) => nodeOf(host.life.forest, id).decision.trace;

describe('a turn', () => {
  test('the first one plants a topic without asking anybody', async () => {
    const host = bareHost();
    const id = await host.send('hello #trip');
    const node = nodeOf(host.life.forest, id);
    expect(node).toMatchObject({ parentId: null, number: 1, decision: { topic: 'create-topic', branch: null } });
    expect(traceOf(host, id)).toMatchObject({ topic: { rule: 'first-turn' }, branch: { rule: 'new-topic' } });
    expect(replyOf(node)).toMatchObject({ state: 'done', text: 'I was sent 2 messages.', model: 'counting' });
    expect(node.summary).toMatchObject({ text: 'The user said: hello #trip', by: 'first words' });
    expect(host.life.forest.trees[node.treeId]?.title).toBe('hello #trip');
  });

  test('a switch lands on the most recently active node of its topic', async () => {
    const host = bareHost();
    await host.send('#trip one');
    const second = await host.send('sea food');
    await host.send('#code other');
    const back = await host.send('#trip again');
    expect(nodeOf(host.life.forest, back)).toMatchObject({ parentId: second, decision: { topic: 'switch-topic' } });
    expect(violations(host.life.forest)).toEqual([]);
  });

  test('what the chat model receives is the context that is kept, byte for byte', async () => {
    const chat = countingChat();
    const host = bareHost({ chat });
    const ids: string[] = [];
    for (const message of ['#trip one', 'two', '#code three', 'four', '#trip five', 'six'])
      ids.push(await host.send(message));
    ids.forEach((id, i) => {
      const reply = replyOf(nodeOf(host.life.forest, id));
      expect(reply?.context && contextMessages(host.life.forest, reply.context)).toEqual(chat.requests[i]?.messages);
    });
  });

  test('the context is the path in full, the rest as summaries, and less than the whole', async () => {
    const chat = countingChat();
    const host = bareHost({ chat });
    for (const message of ['#trip one', '#code three', 'four', '#trip five']) await host.send(message);
    const sent = chat.requests.at(-1)?.messages.map(({ role, content }) => `${role}: ${content}`) ?? [];
    expect(sent[0]).toContain('Topic “#code three”: The user said: #code three The user said: four');
    expect(sent[0]).not.toContain('#trip one');
    expect(sent.slice(1)).toEqual(['user: #trip one', 'assistant: I was sent 2 messages.', 'user: #trip five']);
  });

  test('while the conversation continues the front of the context stays word for word the same', async () => {
    const chat = countingChat();
    const host = bareHost({ chat });
    for (const message of ['#trip one', '#code two', 'three', 'four', '#trip five']) await host.send(message);
    const fronts = chat.requests.map(({ messages }) => messages[0]?.content);
    expect(fronts[2]).toBe(fronts[1]);
    expect(fronts[3]).toBe(fronts[1]);
    expect(fronts[4]).not.toBe(fronts[3]);
  });
});

test('a reply holds its chat model while its context is built, and lets it go', async () => {
  const chat = countingChat();
  const seen: string[] = [];
  let holds = 0;
  const held = {
    ...chat,
    hold: () => {
      holds += 1;
      return () => {
        holds -= 1;
      };
    },
    tokens: {
      ...chat.tokens,
      count: (texts: readonly string[]) => {
        seen.push(`counts, held ${holds}`);
        return chat.tokens.count(texts);
      },
    },
    reply: (...asked: Parameters<typeof chat.reply>) => {
      seen.push(`replies, held ${holds}`);
      return chat.reply(...asked);
    },
  };
  await bareHost({ chat: held }).send('#trip one');
  expect(new Set(seen)).toEqual(new Set(['counts, held 1', 'replies, held 1']));
  expect(holds).toBe(0);
});

describe('the branch gate', () => {
  const twoTurns = async (branch: 'create-branch' | 'continue-branch' | 'switch-branch') => {
    const decide = tagDecider(branch);
    const host = bareHost({ decide });
    const ids = [
      await host.send('red apples grow here'),
      await host.send('blue boats sail'),
      await host.send('green cars drive'),
    ];
    return { host, ids, decide };
  };

  test('stays shut below θ', async () => {
    const { host, decide } = await twoTurns('create-branch');
    const id = await host.send('something else entirely');
    expect(traceOf(host, id)?.branch.rule).toBe('below-threshold');
    expect(decide.asked).toEqual([]);
  });

  test('opens for a proper ancestor, and forks from it', async () => {
    const { host, ids, decide } = await twoTurns('create-branch');
    const id = await host.send('red apples grow here too');
    expect(decide.asked).toHaveLength(1);
    expect(nodeOf(host.life.forest, id)).toMatchObject({ parentId: ids[0], decision: { branch: 'create-branch' } });
    expect(traceOf(host, id)?.fork.point).toBe(ids[0]);
  });

  test('asks the same and decides the same whatever the trace keeps', async () => {
    const messages = ['red apples grow here', 'blue boats sail', 'green cars drive', 'red apples grow here too'];
    const livesWith = async (k: number) => {
      const decide = tagDecider('create-branch');
      const host = bareHost({ decide }, { parameters: { k } });
      const ids: string[] = [];
      for (const message of messages) ids.push(await host.send(message));
      const places = ids.map((id) => ids.indexOf(nodeOf(host.life.forest, id).parentId ?? ''));
      const rules = ids.map((id) => traceOf(host, id)?.branch.rule);
      const asked = decide.asked.map(({ places: offered }) => offered.map(({ from }) => ids.indexOf(from.nodeId)));
      return { kept: traceOf(host, ids.at(-1) ?? '')?.fork.candidates.length, decided: { places, rules, asked } };
    };
    const [one, many] = [await livesWith(1), await livesWith(50)];
    expect([one.kept, many.kept]).toEqual([1, 3]);
    expect(many.decided.places).toEqual([-1, 0, 1, 0]);
    expect(one.decided).toEqual(many.decided);
  });

  test('spares the direct parent unless the message revises something', async () => {
    const { host, ids } = await twoTurns('create-branch');
    const spared = await host.send('blue boats sail');
    expect(traceOf(host, spared)?.branch.rule).toBe('direct-parent');
    host.life.do({ type: 'undo' });
    const revising = await host.send('blue boats sail instead');
    expect(nodeOf(host.life.forest, revising).parentId).toBe(ids[1]);
  });

  test('does not spare it from a revision in another language', async () => {
    const host = bareHost({ decide: tagDecider('create-branch') });
    await host.send('rote äpfel wachsen bei uns im garten, was meinst du dazu');
    const parent = await host.send('blaue boote segeln über das große meer');
    await host.send('grüne autos fahren auf der straße nach hause');
    const spared = await host.send('blaue boote segeln über das große meer');
    expect(traceOf(host, spared)?.branch.rule).toBe('direct-parent');
    host.life.do({ type: 'undo' });
    const revising = await host.send('stattdessen blaue boote segeln über das große meer');
    expect(nodeOf(host.life.forest, revising).parentId).toBe(parent);
  });

  test('a fork from a tip of another branch goes on there', async () => {
    const { host, ids } = await twoTurns('create-branch');
    const fork = await host.send('red apples grow here too');
    const back = await host.send('green cars drive');
    expect(fork).not.toBe(back);
    expect(nodeOf(host.life.forest, back)).toMatchObject({ parentId: ids[2], decision: { branch: 'switch-branch' } });
    expect(traceOf(host, back)?.branch.settled).toMatch(/no turns after it/);
  });
});

describe('a model that fails', () => {
  test('in deciding is replaced by the embedded decider, and the trace says so', async () => {
    const broken = { ...tagDecider(), name: 'broken', topic: () => Promise.reject(new Error('out of memory')) };
    const host = bareHost({ decide: broken });
    await host.send('#trip one');
    const id = await host.send('#trip two');
    expect(traceOf(host, id)?.fallbacks).toEqual([
      { role: 'decide', from: 'broken', to: 'tags', why: 'out of memory' },
    ]);
    expect(nodeOf(host.life.forest, id).decision.topic).toBe('continue-topic');
  });

  test('in deciding by naming a topic that does not exist is replaced too', async () => {
    const lying = {
      ...tagDecider(),
      name: 'lying',
      topic: async () => ({
        action: 'switch-topic' as const,
        target: 'nowhere',
        confidence: 1,
        reasons: [],
        raw: '',
        decider: 'lying',
      }),
    };
    const host = bareHost({ decide: lying });
    await host.send('#trip one');
    const id = await host.send('two');
    expect(traceOf(host, id)?.fallbacks[0]?.why).toMatch(/does not exist/);
  });

  test('by never answering is given up on', async () => {
    const silent = { ...tagDecider(), name: 'silent', topic: () => Promise.race<never>([]) };
    const host = bareHost({ decide: silent }, { parameters: { patience: 5 } });
    await host.send('#trip one');
    const id = await host.send('two');
    expect(traceOf(host, id)?.fallbacks[0]?.why).toMatch(/no answer within/);
  });

  test('in embedding leaves the turn to words and recency', async () => {
    const embed = { ...bagEmbedder, embed: () => Promise.reject(new Error('no vector')) };
    const host = bareHost({ embed });
    await host.send('#trip one');
    const id = await host.send('two');
    expect(traceOf(host, id)).toMatchObject({ fallbacks: [{ role: 'embed' }], branch: { rule: 'no-retrieval' } });
    expect(violations(host.life.forest)).toEqual([]);
  });

  test('in replying keeps what came and says why', async () => {
    const chat = {
      ...countingChat(),
      async *reply() {
        yield 'half';
        throw new Error('the GPU is gone');
      },
    };
    const host = bareHost({ chat });
    const id = await host.send('hello');
    expect(replyOf(nodeOf(host.life.forest, id))).toMatchObject({
      state: 'failed',
      text: 'half',
      failure: 'the GPU is gone',
    });
    expect(nodeOf(host.life.forest, id).summary).not.toBeNull();
  });
});

describe('stopping and going on', () => {
  test('a stopped reply keeps what came, and goes on from there', async () => {
    const stop = new AbortController();
    const pieces = ['one ', 'two ', 'three'];
    const chat = {
      ...countingChat(),
      async *reply({ begun }: { begun: string }) {
        for (const piece of begun === '' ? pieces : [pieces[2] as string]) {
          yield piece;
          if (begun === '' && piece === 'two ') stop.abort();
        }
      },
    };
    const host = bareHost({ chat });
    const id = await host.send('count', stop.signal);
    expect(replyOf(nodeOf(host.life.forest, id))).toMatchObject({ state: 'stopped', text: 'one two ' });
    await host.engine.resume(id, new AbortController().signal);
    expect(replyOf(nodeOf(host.life.forest, id))).toMatchObject({ state: 'done', text: 'one two three' });
  });

  test('regenerating keeps the reply that was, and can be undone', async () => {
    const host = bareHost();
    const id = await host.send('hello');
    await host.engine.regenerate(id, 'again', new AbortController().signal);
    expect(nodeOf(host.life.forest, id).replies).toHaveLength(2);
    host.life.do({ type: 'undo' });
    expect(nodeOf(host.life.forest, id).replies).toHaveLength(1);
    expect(replyOf(nodeOf(host.life.forest, id))?.state).toBe('done');
  });
});

describe('a context that has to be bounded', () => {
  test('where no summary fits its line, the overview has the beginning of the nearest', async () => {
    const chat = countingChat();
    const host = bareHost({ chat }, { parameters: { overviewLineBudget: 14 } });
    const long = 'and then the train along the river to the vineyards and back by bus in the evening';
    for (const message of [`#trip one ${long}`, '#code two']) await host.send(message);
    const overview = chat.requests.at(-1)?.messages[0]?.content.split('\n').at(-1);
    expect(overview).toBe('- Topic “#trip one and”: The user said: #trip one and then the train …');
  });

  test('a line of the overview names the turns whose summaries it lists, and only where some are only counted', async () => {
    const lineWithin = async (overviewLineBudget: number) => {
      const host = bareHost({}, { parameters: { overviewLineBudget } });
      const turns: string[] = [];
      for (const message of ['#trip by train', 'red apples there', 'blue boats there']) {
        turns.push(await host.send(message));
      }
      const context = contextOf(host.life.forest, await host.send('#code blue boats'));
      const [segment] = segmentsOf(context, 'overview');
      return { turns, line: host.life.forest.overviews[segment?.overviewId ?? '']?.lines[0] };
    };
    const { turns, line } = await lineWithin(16);
    expect(line).toMatchObject({
      nodeIds: turns,
      listed: [turns[2]],
      text: expect.stringContaining('(and 2 more turns)'),
    });
    expect((await lineWithin(5)).line).toMatchObject({ listed: [], text: expect.stringContaining('(3 turns)') });
    expect((await lineWithin(100)).line).not.toHaveProperty('listed');
  });

  test('a line of the overview holds its budget with the count of the rest, so that the nearest topic is listed', async () => {
    // Room for the topic's name and two summaries, but not for “(and 3 more turns)” as well.
    const budget = 4 + 2 * 6;
    const host = bareHost({}, { parameters: { overviewBudget: budget, overviewLineBudget: budget } });
    for (const message of [
      '#trip by train',
      'red apples there',
      'blue boats there',
      'green cars there',
      'red cars there',
    ])
      await host.send(message);
    const context = contextOf(host.life.forest, await host.send('#code two'));
    const [segment] = segmentsOf(context, 'overview');
    const [line] = host.life.forest.overviews[segment?.overviewId ?? '']?.lines ?? [];
    expect(line).toMatchObject({ kind: 'topic' });
    expect(line?.text).toMatch(/^- Topic “#trip by train”: The user said: .* \(and 4 more turns\)$/);
    expect(line?.tokens).toBeLessThanOrEqual(budget);
  });

  test('the overview keeps its budget whatever the number of topics, and counts the rest', async () => {
    const host = bareHost({}, { parameters: { overviewBudget: 60, overviewLineBudget: 20 } });
    for (let i = 0; i < 30; i++) await host.send(`#t${i} about thing number ${i}`);
    const id = await host.send('#new');
    const context = replyOf(nodeOf(host.life.forest, id))?.context;
    const segment = context?.segments.find(({ kind }) => kind === 'overview');
    const overview = segment?.kind === 'overview' ? host.life.forest.overviews[segment.overviewId] : undefined;
    const listed = overview?.lines.filter(({ kind }) => kind === 'topic') ?? [];
    const rest = overview?.lines.find(({ kind }) => kind === 'left-out');
    expect(listed.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(60);
    expect(rest).toMatchObject({ topics: 30 - listed.length });
    expect(contextMessages(host.life.forest, context as never)[0]?.content).toContain(
      `Not listed here: ${30 - listed.length} topics`,
    );
  });

  test('a path longer than the window sends its oldest turns as summaries, then counts them', async () => {
    const summarise = { ...firstWords, summarise: async () => 'The user said something.' };
    const host = bareHost({ chat: countingChat(200), summarise }, { parameters: { replyReserve: 20 } });
    let id = '';
    for (let i = 0; i < 60; i++) id = await host.send(`message number ${i}${' with some words in it'.repeat(4)}`);
    const context = replyOf(nodeOf(host.life.forest, id))?.context;
    expect(context?.tokens).toBeLessThanOrEqual(180);
    const kinds = new Set(context?.segments.map(({ kind }) => kind));
    expect(kinds).toContain('turn-summary');
    expect(kinds).toContain('path-left-out');
    expect(context?.fullHistoryTokens).toBeGreaterThan(600);
  });
});
