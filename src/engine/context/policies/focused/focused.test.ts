import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { ChatMessage, Context, Segment } from '../../../../domain/context.ts';
import type { BranchAction } from '../../../../domain/decision.ts';
import type { Forest, NodeId } from '../../../../domain/forest.ts';
import { nodeOf, pathTo, replyOf } from '../../../../domain/queries.ts';
import { idsOf, recordsOf } from '../../../../domain/table.ts';
import type { Parameters as Settings } from '../../../parameters.ts';
import type { ChatModel } from '../../../ports.ts';
import { bareHost, contextOf, segmentsOf, sentInFull } from '../../../testing/bare-host.ts';
import { countingChat, tagDecider } from '../../../testing/plain-models.ts';
import { contextMessages } from '../../context-text.ts';
import { sumTokens } from '../../tokens.ts';
import { focused } from './focused.ts';

const policy = focused;
const WORDS = ['red', 'blue', 'green', 'apples', 'boats', 'cars', 'instead', 'zanzibar'];

/** A reply of that many sentences, all different. */
const longReply = (turn: number, sentences: number): string =>
  Array.from(
    { length: sentences },
    (_, i) => `In turn ${turn} sentence ${i} names item${turn}x${i} and thing${turn}y${i} of it.`,
  ).join(' ');

const hostWith = (
  parameters: Partial<Settings>,
  {
    window = 4096,
    branch = 'continue-branch',
    sentences = 6,
    silent = [],
  }: { window?: number; branch?: BranchAction; sentences?: number; silent?: readonly number[] } = {},
) => {
  const chat = countingChat(window);
  const talkative: ChatModel = {
    ...chat,
    async *reply(request) {
      chat.requests.push(request);
      if (silent.includes(chat.requests.length)) return;
      yield longReply(chat.requests.length, sentences);
    },
  };
  const host = bareHost(
    { chat: talkative, decide: tagDecider(branch) },
    { policy, parameters: { replyReserve: 10, ...parameters } },
  );
  const sent = async (message: string) => {
    const id = await host.send(message);
    return { id, context: contextOf(host.life.forest, id), forest: host.life.forest };
  };
  return { host, chat, sent };
};

/** Every earlier turn that the context accounts for: sent in some form, counted, or said to be elsewhere. */
const toldOf = (forest: Forest, context: Context): NodeId[] =>
  context.segments.flatMap((segment) => {
    if (segment.kind === 'turns-left-out') return segment.nodeIds;
    if (segment.kind === 'elsewhere') {
      const runs = segment.numbers ?? [];
      return recordsOf(forest.nodes).flatMap(({ id, number }) =>
        runs.some(([first, last]) => number >= first && number <= last) ? [id] : [],
      );
    }
    return 'nodeId' in segment ? [segment.nodeId] : [];
  });

const asText = (messages: readonly ChatMessage[]): string =>
  messages.map(({ role, content }) => `<${role}>${content}`).join('');

const message = fc.record({
  topic: fc.constantFrom('', '', '', '#a ', '#b '),
  words: fc.subarray(WORDS, { minLength: 1 }),
  isPinned: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});
const setting = fc.record({
  messages: fc.array(message, { minLength: 1, maxLength: 12 }),
  window: fc.constantFrom(40, 90, 400, 4096),
  contextBudget: fc.option(fc.nat({ max: 300 })),
  pathFloor: fc.constantFrom(0, 60, 100),
  branch: fc.constantFrom<BranchAction>('create-branch', 'continue-branch', 'switch-branch'),
  sentences: fc.constantFrom(1, 4, 12),
  /** Numbers of the turns whose replies end before their first word. */
  silent: fc.subarray(Array.from({ length: 12 }, (_, at) => at + 1)),
});

describe('whatever the conversation, the window and the budget', () => {
  test('never more than the full history, every turn told of, whole at most once, in order of time or marked', async () => {
    await fc.assert(
      fc.asyncProperty(setting, async ({ messages, window, contextBudget, pathFloor, branch, sentences, silent }) => {
        const { sent, host, chat } = hostWith({ contextBudget, pathFloor }, { window, branch, sentences, silent });
        for (const { topic, words, isPinned } of messages) {
          const isFree = recordsOf(host.life.forest.nodes).every(({ pinned }) => !pinned);
          const { id, context, forest } = await sent(topic + words.join(' '));
          expect(context.tokens).toBeLessThanOrEqual(context.fullHistoryTokens);
          expect(context.tokens).toBe(sumTokens(context.segments));
          const between = sumTokens(
            context.segments.filter(({ kind }) => kind !== 'instructions' && kind !== 'message'),
          );
          if (contextBudget !== null && isFree) expect(between).toBeLessThanOrEqual(contextBudget);
          const ends = context.tokens - between;
          expect(between).toBeLessThanOrEqual(Math.max(0, window - 10 - ends));

          expect(new Set(toldOf(forest, context))).toEqual(new Set(idsOf(forest.nodes)));
          const whole = [
            ...segmentsOf(context, 'turn'),
            ...segmentsOf(context, 'fetched').filter((one) => one.message === null && one.reply === null),
          ].map(({ nodeId }) => nodeId);
          expect(new Set(whole).size).toBe(whole.length);
          expectOrder(forest, context);
          // Roles alternate, as strict chat templates require.
          const shown = contextMessages(forest, context);
          expect(shown).toEqual(chat.requests.at(-1)?.messages);
          const roles = shown.map(({ role }) => role);
          expect(roles).toEqual(roles.map((_, at) => (at === 0 ? 'system' : at % 2 === 1 ? 'user' : 'assistant')));
          expect(id).toBe(context.segments.findLast(({ kind }) => kind === 'message')?.['nodeId' as never]);
          const event = { type: 'turn-pinned' as const, nodeId: id, pinned: isPinned };
          if (isPinned) host.life.do({ type: 'record', step: host.life.id(), event });
        }
        expect(host.life.forest).toBeDefined();
      }),
      { numRuns: 60 },
    );
  });
});

/** Unmarked turns are in order of time, and so are those fetched for one message. */
const expectOrder = (forest: Forest, { segments }: Context): void => {
  const numbers = (kinds: readonly Segment['kind'][], of: readonly Segment[]) =>
    of.flatMap((segment) =>
      kinds.includes(segment.kind) && 'nodeId' in segment ? [nodeOf(forest, segment.nodeId).number] : [],
    );
  const plain = numbers(['turn', 'shortened', 'turn-line', 'message'], segments);
  expect(plain).toEqual(plain.toSorted((a, b) => a - b));
  let run: Segment[] = [];
  for (const segment of segments) {
    if (segment.kind === 'fetched') {
      expect(segment.head).toMatch(/^(?:From elsewhere in this conversation|Earlier in this topic), turn \d+/);
      run.push(segment);
      continue;
    }
    const fetched = numbers(['fetched'], run);
    expect(fetched).toEqual(fetched.toSorted((a, b) => a - b));
    run = [];
  }
};

test('while the conversation goes on, the last request and its reply stand as they were', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 2, maxLength: 8 }), async (messages) => {
      const { sent, chat } = hostWith({ pathFloor: 4000 }, { window: 16_384 });
      let before: { readonly id: NodeId; readonly text: string } | null = null;
      for (const { topic, words } of messages) {
        const { id, forest } = await sent(topic + words.join(' '));
        const request = asText(chat.requests.at(-1)?.messages ?? []);
        const node = nodeOf(forest, id);
        if (before !== null && node.parentId === before.id && node.branchId === nodeOf(forest, before.id).branchId) {
          expect(request.startsWith(before.text)).toBe(true);
        }
        before = { id, text: `${request}<assistant>${node.replies[0]?.text}` };
      }
    }),
    { numRuns: 30 },
  );
});

test('the last exchange goes into any window that holds it, whole and before all else', async () => {
  for (const window of [120, 160, 220, 400]) {
    const { sent, host } = hostWith({}, { window });
    for (const words of ['red apples', 'blue boats', 'green cars', 'red boats']) await sent(words);
    const { id, context, forest } = await sent('and then');
    const [parent] = pathTo(forest, id).slice(-2);
    const tokens = host.engine && context.segments.find(({ kind }) => kind === 'turn')?.tokens;
    expect(sentInFull(forest, context)).toContain(parent?.number);
    expect(tokens).toBeGreaterThan(60);
  }
});

test('another topic stays out of what is sent, and the inspector is told of it', async () => {
  const { sent } = hostWith({});
  await sent('#a red apples');
  await sent('more of them');
  const { context, forest } = await sent('#b blue boats');
  expect(context.segments.map(({ kind }) => kind)).toEqual(['instructions', 'elsewhere', 'message']);
  expect(JSON.stringify(contextMessages(forest, context))).not.toContain('apples');
});

test('what is carried over has the reasons of the present message, and is sent as before', async () => {
  const { sent, host, chat } = hostWith({ pathFloor: 4000, neededFrom: 0 });
  const { id: first } = await sent('#a zanzibar quokkas');
  host.life.do({ type: 'record', step: 's', event: { type: 'turn-pinned', nodeId: first, pinned: true } });
  await sent('#b walrus lagoon');
  await sent('#c blue boats');
  const reasonsOf = ({ context, forest }: Awaited<ReturnType<typeof sent>>, number: number) =>
    context.segments.flatMap((segment) => {
      const isOf = 'nodeId' in segment && nodeOf(forest, segment.nodeId).number === number;
      return isOf && 'why' in segment ? (segment.why?.map(({ reason }) => reason) ?? []) : [];
    });
  const before = await sent('walrus lagoon again');
  expect(reasonsOf(before, 1)).toContain('pinned');
  expect(reasonsOf(before, 2)).toContain('same-words');
  expect(reasonsOf(before, 3)).toContain('last-exchange');
  const next = await sent('red cars');
  expect(reasonsOf(next, 1)).toContain('pinned');
  expect(segmentsOf(next.context, 'fetched').map(({ nodeId }) => nodeOf(next.forest, nodeId).number)).toEqual([1, 2]);
  expect(reasonsOf(next, 2)).not.toContain('same-words');
  expect(reasonsOf(next, 3)).toContain('recent');
  expect(reasonsOf(next, 3)).not.toContain('last-exchange');
  expect(reasonsOf(next, 4)).toContain('last-exchange');
  const [request, after] = chat.requests.slice(-2).map(({ messages }) => asText(messages));
  expect(after?.startsWith(request as string)).toBe(true);
});

describe('what is carried over has the reasons for its form', () => {
  const codeOf = (last: string) => `~~~\nconst a = 1;\nconst b = 2;\nconst c = 3;\n${last}\n~~~`;
  const reasonsOf = ({ context, forest }: Awaited<ReturnType<ReturnType<typeof hostWith>['sent']>>, number: number) =>
    segmentsOf(context, 'turn').flatMap(({ nodeId, why = [] }) =>
      nodeOf(forest, nodeId).number === number ? why.map(({ reason }) => reason) : [],
    );

  test('as long as it has that form', async () => {
    const { sent } = hostWith({ pathFloor: 4000 });
    await sent('#a zanzibar quokkas');
    await sent(`#b ${codeOf('return a;')}`);
    for (let turn = 3; turn < 16; turn++) await sent(`and ${turn}`);
    expect(reasonsOf(await sent('and now'), 2)).toEqual(['newest-version']);
  });

  test('but none that its form has nothing to do with, nor one that is not so any more', async () => {
    const { sent } = hostWith({ pathFloor: 4000 });
    await sent('#a zanzibar quokkas');
    await sent(`#b ${codeOf('return a;')}`);
    expect(reasonsOf(await sent('boats'), 2)).toContain('newest-version');
    expect(reasonsOf(await sent(codeOf('return b;')), 2)).toContain('newest-version');
    const replaced = await sent('trains');
    expect(reasonsOf(replaced, 2)).toEqual(['recent']);
    expect(reasonsOf(replaced, 4)).toContain('newest-version');
  });
});

test('a return finds the branch as it was left', async () => {
  const { sent, chat } = hostWith({ pathFloor: 4000 });
  await sent('#a red apples');
  await sent('#b blue boats');
  await sent('#a green cars');
  const [first, , third] = chat.requests.map(({ messages }) => asText(messages));
  expect(third?.startsWith(`${first}<assistant>${longReply(1, 6)}`)).toBe(true);
});

test('a turn elsewhere is put in no form if it is needed too little for any to be sent', async () => {
  const labelsCounted = async (neededFrom: number): Promise<number> => {
    const { sent, chat } = hostWith({ neededFrom });
    const count = vi.spyOn(chat.tokens, 'count');
    try {
      for (const words of ['#a zanzibar quokkas', '#b blue boats', 'red cars', 'zanzibar quokkas again'])
        await sent(words);
      return count.mock.calls.flat(2).filter((text) => text.startsWith('[From elsewhere')).length;
    } finally {
      count.mockRestore();
    }
  };
  expect(await labelsCounted(0.1)).toBeGreaterThan(0);
  // Certain to be needed, both parts of a turn are worth 4 per hundred tokens.
  expect(await labelsCounted(4.1)).toBe(0);
});

test('a turn moved below later ones is sent its whole path when it is replied to again', async () => {
  const { sent, host, chat } = hostWith({});
  await sent('#a red apples');
  const { id } = await sent('#b blue boats');
  await sent('#a green cars');
  const { id: tip } = await sent('red boats');
  host.life.move(id, tip);
  await host.engine.regenerate(id, host.life.id(), new AbortController().signal);
  const { forest } = host.life;
  expect(sentInFull(forest, contextOf(forest, id))).toEqual([1, 3, 4]);
  expect(
    chat.requests
      .at(-1)
      ?.messages.filter(({ role }) => role === 'user')
      .map(({ content }) => content),
  ).toEqual(['#a red apples', '#a green cars', 'red boats', '#b blue boats']);
});

test('a reply that is continued later on is sent as it is by then', async () => {
  const stop = new AbortController();
  const chat = countingChat();
  const host = bareHost(
    {
      chat: {
        ...chat,
        async *reply({ begun }) {
          if (begun !== '') return yield ' The last point is zanzibar.';
          yield 'The first point is red.';
          stop.abort();
        },
      },
    },
    { policy },
  );
  const first = await host.send('three points please', stop.signal);
  expect(replyOf(nodeOf(host.life.forest, first))?.state).toBe('stopped');
  await host.send('red boats');
  await host.engine.resume(first, new AbortController().signal);
  const id = await host.send('what was the last point');
  const { forest } = host.life;
  expect(JSON.stringify(contextMessages(forest, contextOf(forest, id)))).toContain('The last point is zanzibar.');
});

test('what the person pinned is fetched whole, and goes when it is no longer pinned', async () => {
  const { sent, host } = hostWith({});
  const { id } = await sent('#a zanzibar quokkas');
  await sent('#b blue boats');
  for (const words of ['red cars', 'green boats']) await sent(words);
  await sent('#c blue cars');
  const pin = (pinned: boolean) =>
    host.life.do({ type: 'record', step: host.life.id(), event: { type: 'turn-pinned', nodeId: id, pinned } });
  pin(true);
  const { context } = await sent('green cars');
  expect(segmentsOf(context, 'fetched')).toMatchObject([
    { nodeId: id, message: null, reply: null, why: [{ reason: 'pinned' }] },
  ]);
  pin(false);
  const after = await sent('red boats');
  expect(segmentsOf(after.context, 'fetched')).toEqual([]);
});

const sentence = (at: number) => `Clause ${at} of the contract says what is owed for zanzibar${at}. `;
/** Has too few words for passages, and too many tokens for a small window. */
const unbroken = 'zan-zi-bar-zan-zi-bar '.repeat(200);
const contract = (clauses: number) => Array.from({ length: clauses }, (_, at) => sentence(at)).join('');

describe('a long pinned turn of the path', () => {
  const pinning = async (text: string, parameters: Partial<Settings> = {}) => {
    const { host, sent: wide } = hostWith(parameters, { window: 16_384, sentences: 1 });
    const { id } = await wide(text);
    host.life.do({ type: 'record', step: host.life.id(), event: { type: 'turn-pinned', nodeId: id, pinned: true } });
    await wide('red boats');
    const chat = countingChat(400);
    const narrow = bareHost({ chat }, { policy, parameters: { replyReserve: 10, ...parameters } }, host.life);
    const sent = async (message: string) => {
      const nodeId = await narrow.send(message);
      const context = contextOf(host.life.forest, nodeId);
      expect(context.tokens).toBeLessThanOrEqual(390);
      return { context, pin: context.segments.filter((one) => 'nodeId' in one && one.nodeId === id), id };
    };
    return { host, chat, wide, sent };
  };

  test.each([
    ['whole where it fits', contract(20), { kind: 'turn' }],
    [
      'in passages where a model with a smaller window holds no more',
      contract(60),
      { kind: 'shortened', reply: null, why: expect.arrayContaining([{ reason: 'pinned' }]) },
    ],
  ])('is sent %s, beside the last exchange, for as long as the conversation goes on', async (_, text, expected) => {
    const { host, chat, sent } = await pinning(text);
    for (const [turn, words] of ['red cars', 'green cars', 'blue cars'].entries()) {
      const { context, pin } = await sent(words);
      expect(pin).toMatchObject([expected]);
      expect(sentInFull(host.life.forest, context)).toContain(turn + 2);
    }
    const [first, second] = chat.requests.slice(-2).map(({ messages }) => asText(messages));
    expect(second?.startsWith(first as string)).toBe(true);
  });

  test('is sent for being pinned from the moment it is, and whole once the conversation goes on with a model that holds it', async () => {
    const { host, wide, sent } = await pinning(contract(60));
    const { id } = await sent('red cars');
    for (const pinned of [false, true]) {
      host.life.do({ type: 'record', step: host.life.id(), event: { type: 'turn-pinned', nodeId: id, pinned } });
      const [pin] = segmentsOf((await sent('green cars')).context, 'shortened').filter(({ nodeId }) => nodeId === id);
      expect(pin?.why?.some(({ reason }) => reason === 'pinned') === true).toBe(pinned);
    }
    const { context, forest } = await wide('blue boats');
    expect(sentInFull(forest, context)).toContain(1);
  });

  test('is left out and counted where nothing of it fits', async () => {
    const { sent } = await pinning(unbroken);
    for (const words of ['red cars', 'green cars']) {
      const { context, pin, id } = await sent(words);
      expect(pin).toEqual([]);
      expect(segmentsOf(context, 'turns-left-out')).toMatchObject([{ nodeIds: [id], text: '[Turn 1 left out]' }]);
    }
  });

  test.each([
    ['whole', contract(20), 'turn'],
    ['in passages', contract(60), 'shortened'],
  ])('is sent %s under a budget without room for it, within the window', async (_, text, kind) => {
    const { sent } = await pinning(text, { contextBudget: 5 });
    expect((await sent('red cars')).pin).toMatchObject([{ kind }]);
  });
});

describe('a long pinned turn of another topic', () => {
  const pinning = async (text: string, window: number) => {
    const { host, chat, sent } = hostWith({}, { window, sentences: 1 });
    const { id } = await sent(`#a ${text}`);
    host.life.do({ type: 'record', step: host.life.id(), event: { type: 'turn-pinned', nodeId: id, pinned: true } });
    const pins = ({ segments }: Context) => segments.filter((one) => 'nodeId' in one && one.nodeId === id);
    return { host, chat, sent, id, pins };
  };

  test('is sent whole beside the last exchange, though it takes more than half of the room', async () => {
    const { sent, pins, chat } = await pinning(contract(20), 400);
    await sent('#c green boats');
    await sent('#b blue boats');
    const before = await sent('red cars');
    const { context } = await sent('green cars');
    for (const one of [before.context, context]) {
      expect(pins(one)).toMatchObject([{ kind: 'fetched', message: null, reply: null, why: [{ reason: 'pinned' }] }]);
      expect(pins(one)[0]?.tokens).toBeGreaterThan(220);
      expect(one.tokens).toBeLessThanOrEqual(390);
    }
    const [first, second] = chat.requests.slice(-2).map(({ messages }) => asText(messages));
    expect(second?.startsWith(first as string)).toBe(true);
  });

  test.each([
    ['in passages where these fit', contract(60), { kind: 'fetched', why: [{ reason: 'pinned' }] }],
    ['as its summary where nothing else does', unbroken, { kind: 'reference-summary', pinned: true }],
  ])('is sent %s, once, for as long as the conversation goes on', async (_, text, expected) => {
    const { sent, pins, chat, host } = await pinning(text, 400);
    host.life.do({
      type: 'record',
      step: host.life.id(),
      event: { type: 'summarised', nodeId: host.life.forest.active?.nodeId ?? '', text: 'A contract.', by: 'person' },
    });
    await sent('#b blue boats');
    for (const words of ['red cars', 'green cars', 'red boats']) {
      const { context } = await sent(words);
      expect(pins(context)).toMatchObject([expected]);
      expect(context.tokens).toBeLessThanOrEqual(390);
    }
    const [first, second] = chat.requests.slice(-2).map(({ messages }) => asText(messages));
    expect(second?.startsWith(first as string)).toBe(true);
  });

  test('is sent whole once the conversation goes on with a model that holds it', async () => {
    const { sent, pins, host } = await pinning(contract(60), 400);
    await sent('#b blue boats');
    expect(pins((await sent('red cars')).context)).toMatchObject([{ kind: 'fetched', message: expect.any(String) }]);
    const wide = bareHost({ chat: countingChat(16_384) }, { policy }, host.life);
    const context = contextOf(host.life.forest, await wide.send('green cars'));
    const [{ content }] = contextMessages(host.life.forest, context).slice(1) as [ChatMessage];
    expect(content).toContain(contract(60).trim());
  });

  test('never takes the room of the last exchange, nor more than the window has', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 5 }),
        fc.nat({ max: 40 }),
        fc.constantFrom(90, 200, 400),
        async (messages, clauses, window) => {
          const { sent, pins } = await pinning(contract(clauses), window);
          for (const { words, topic } of messages) {
            const { context, forest, id } = await sent(`${topic === '#a ' ? '#c ' : '#b '}${words.join(' ')}`);
            expect(context.tokens).toBeLessThanOrEqual(Math.max(window - 10, 35 + words.length + 1));
            expect(pins(context).length).toBeLessThanOrEqual(1);
            const parent = pathTo(forest, id).at(-2);
            if (parent !== undefined) expect(sentInFull(forest, context)).toContain(parent.number);
          }
        },
      ),
      { numRuns: 20 },
    );
  });
});

test.each([
  ['', {}],
  [' that fills a budget', { contextBudget: 200 }],
])(
  'what the path refers to in short is sent as its summary in a context%s, in full once that is asked for',
  async (_, parameters) => {
    const { sent, host } = hostWith(parameters);
    const { id: to } = await sent('#a zanzibar quokkas');
    await sent('#b blue boats');
    await sent('#c red cars');
    const { id: nodeId } = await sent('green cars');
    const refer = (as: 'summary' | 'path') =>
      host.life.do({
        type: 'record',
        step: host.life.id(),
        event: { type: 'reference-added', nodeId, reference: { to, as, by: 'person' } },
      });
    refer('summary');
    for (const words of ['blue cars', 'red boats']) {
      const { context, forest } = await sent(words);
      const summary = segmentsOf(context, 'reference-summary');
      expect(summary).toMatchObject([{ nodeId: to, neededBy: nodeId }]);
      expect(contextMessages(forest, context)[0]?.content).toContain(summary[0]?.text);
      expect(JSON.stringify(contextMessages(forest, context))).not.toContain('item1x');
    }
    refer('path');
    const { context, forest } = await sent('green boats');
    expect(segmentsOf(context, 'reference-summary')).toEqual([]);
    expect(JSON.stringify(contextMessages(forest, context))).toContain('item1x');
  },
);

test('of a path referred to that is too long for its room, the turn referred to is sent whole', async () => {
  const { sent, host } = hostWith({ neededFrom: Number.POSITIVE_INFINITY }, { window: 400, sentences: 3 });
  let to = '';
  for (let turn = 0; turn < 10; turn++) to = (await sent(`#a zanzibar ${turn}`)).id;
  const { id: nodeId } = await sent('#b blue boats');
  const reference = { to, as: 'path', by: 'person' } as const;
  host.life.do({ type: 'record', step: host.life.id(), event: { type: 'reference-added', nodeId, reference } });
  for (const words of ['red cars', 'green cars']) {
    const { context } = await sent(words);
    const fetched = segmentsOf(context, 'fetched');
    expect(fetched.filter((one) => one.nodeId === to)).toMatchObject([{ message: null, reply: null }]);
    expect(fetched.filter(({ reply }) => reply === null).length).toBeLessThan(10);
    expect(context.tokens).toBeLessThanOrEqual(390);
  }
});

test.each([
  ['', {}],
  [' that fills a budget', { contextBudget: 200 }],
])('a detail of what is referred to in short is still found for a context%s', async (_, parameters) => {
  const { sent, host } = hostWith(parameters);
  const { id: to } = await sent('#a zanzibar quokkas');
  await sent('#b blue boats');
  await sent('#c red cars');
  const { id: nodeId } = await sent('green cars');
  const reference = { to, as: 'summary', by: 'person' } as const;
  host.life.do({ type: 'record', step: host.life.id(), event: { type: 'reference-added', nodeId, reference } });
  const { context, forest } = await sent('what are item1x3 and thing1y3 of the zanzibar quokkas');
  expect(JSON.stringify(contextMessages(forest, context))).toContain('item1x3');
  expect(segmentsOf(context, 'reference-summary')).toEqual([]);
});

test('a turn of the path is sent whole from the moment it is pinned', async () => {
  const { sent, host } = hostWith({ pathFloor: 500, pathShare: 0 }, { window: 16_384 });
  const { id } = await sent('aaaaaa');
  let now = await sent('bbbbbb');
  for (let turn = 3; turn <= 24 && sentInFull(now.forest, now.context).includes(1); turn++) {
    now = await sent(String.fromCharCode(96 + turn).repeat(6));
  }
  expect(sentInFull(now.forest, now.context)).not.toContain(1);
  host.life.do({ type: 'record', step: host.life.id(), event: { type: 'turn-pinned', nodeId: id, pinned: true } });
  now = await sent('zzzzzz');
  expect(sentInFull(now.forest, now.context)).toContain(1);
});

test('what the person pinned is sent whole, even under a budget without room for it', async () => {
  const { sent, host } = hostWith({ contextBudget: 5 });
  const { id } = await sent('#a zanzibar quokkas');
  await sent('#b blue boats');
  host.life.do({ type: 'record', step: host.life.id(), event: { type: 'turn-pinned', nodeId: id, pinned: true } });
  const { context, forest } = await sent('green cars');
  expect(sentInFull(forest, context)).toEqual([1]);
});

test('a path that is too long is cut back: its last exchange whole, older ones shorter, what is left out counted', async () => {
  const { sent } = hostWith({ pathFloor: 0, pathShare: 0.2 }, { sentences: 12 });
  for (const words of ['red apples', 'blue boats', 'green cars', 'red boats', 'blue cars']) await sent(words);
  const { context, forest } = await sent('and then');
  expect(sentInFull(forest, context)).toEqual([5]);
  expect(segmentsOf(context, 'shortened').length).toBeGreaterThan(0);
  const text = contextMessages(forest, context)
    .map(({ content }) => content)
    .join('\n');
  expect(text).toMatch(/\[… \d+ words left out …\]|\[Turns? [\d–, ]+ left out\]|reply of \d+ words left out/);
  expect(context.tokens).toBeLessThan(0.6 * context.fullHistoryTokens);
  const parent = nodeOf(forest, segmentsOf(context, 'turn')[0]?.nodeId as string);
  expect(parent.number).toBe(5);
});

test('after a path was cut back the next turns stand behind it as it is, until it has outgrown its budget again', async () => {
  const { sent, chat } = hostWith({ pathFloor: 500, pathShare: 0 }, { window: 16_384 });
  const kept: boolean[] = [];
  let before = '';
  for (let turn = 1; turn <= 24; turn++) {
    const { id, forest } = await sent(String.fromCharCode(96 + turn).repeat(6));
    const request = asText(chat.requests.at(-1)?.messages ?? []);
    kept.push(request.startsWith(before));
    before = `${request}<assistant>${nodeOf(forest, id).replies[0]?.text}`;
  }
  const cuts = kept.flatMap((isKept, at) => (isKept ? [] : [at]));
  expect(cuts.length).toBeGreaterThanOrEqual(2);
  const apart = cuts.slice(1).map((at, index) => at - (cuts[index] as number));
  expect(Math.min(...apart)).toBeGreaterThanOrEqual(3);
});
