import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BranchAction } from '../../../domain/decision.ts';
import { violations } from '../../../domain/invariants.ts';
import { nodesOf, pathTo, replyOf, treesOf } from '../../../domain/queries.ts';
import { sizeOf } from '../../../domain/table.ts';
import { bareHost, contextOf, leftOut, segmentsOf, sentInFull } from '../../testing/bare-host.ts';
import { countingChat, tagDecider } from '../../testing/plain-models.ts';
import { contextMessages } from '../context-text.ts';
import { ALL_POLICIES, POLICIES, policyNamed } from './policies.ts';

const MESSAGES = [
  '#trip red apples',
  'blue boats',
  '#code green cars',
  'no, rather red apples',
  '#trip blue boats',
  'x',
];

test('every policy is found by its name, and a name without one is told what there is', () => {
  // Logs name them.
  const lasting = [
    'focused',
    'context-agent',
    'full-history',
    'truncation',
    'flat-rag',
    'vector-rag',
    'context-agent-without-rag',
    'context-agent-code',
    'memtree',
    'memgpt',
  ];
  expect(ALL_POLICIES.map(({ name }) => name)).toEqual(expect.arrayContaining(lasting));
  expect(new Set(ALL_POLICIES.map(({ name }) => name)).size).toBe(ALL_POLICIES.length);
  for (const policy of ALL_POLICIES) expect(policyNamed(policy.name)).toBe(policy);
  expect(() => policyNamed('guessing')).toThrow(/“guessing”.*flat-rag/);
});

describe.each(POLICIES)('$name', (policy) => {
  test('sends the context that it keeps, byte for byte, a regenerated reply too', async () => {
    const chat = countingChat();
    const host = bareHost({ chat }, { policy, parameters: { lastTurns: 2, retrievedTurns: 2 } });
    const ids: string[] = [];
    for (const message of MESSAGES) ids.push(await host.send(message));
    ids.forEach((id, i) => {
      const context = contextOf(host.life.forest, id);
      expect(context.policy).toBe(policy.name);
      expect(contextMessages(host.life.forest, context)).toEqual(chat.requests[i]?.messages);
    });
    await host.engine.regenerate(ids[3] as string, 'again', new AbortController().signal);
    const again = contextOf(host.life.forest, ids[3] as string);
    expect(contextMessages(host.life.forest, again)).toEqual(chat.requests.at(-1)?.messages);
    expect(sentInFull(host.life.forest, again).every((number) => number < 4)).toBe(true);
  });

  test('goes on with a reply that broke off from the same context', async () => {
    const chat = countingChat();
    const host = bareHost({ chat }, { policy });
    for (const message of MESSAGES.slice(0, 3)) await host.send(message);
    const stop = new AbortController();
    const stopping = { ...chat, reply: chat.reply };
    const broken = bareHost({ chat: stopping }, { policy }, host.life);
    stopping.reply = async function* (request, signal) {
      for await (const piece of chat.reply(request, signal)) {
        yield piece;
        stop.abort();
      }
    };
    const id = await broken.send('blue boats', stop.signal);
    expect(replyOf(host.life.forest.nodes[id] as never)?.state).toBe('stopped');
    await host.engine.resume(id, new AbortController().signal);
    const [first, second] = chat.requests.slice(-2);
    expect(second?.messages).toEqual(first?.messages);
    expect(second?.begun).toBe('I');
  });

  test('never sends anything twice, and what it sends and leaves out adds up', async () => {
    const message = fc.record({
      topic: fc.constantFrom('', '', '#a ', '#b ', '#c '),
      words: fc.subarray(['red', 'blue', 'green', 'apples', 'boats', 'cars', 'instead'], { minLength: 1 }),
    });
    const setting = fc.record({
      messages: fc.array(message, { minLength: 1, maxLength: 14 }),
      window: fc.constantFrom(60, 90, 150, 4096),
      contextBudget: fc.option(fc.nat({ max: 60 })),
      branch: fc.constantFrom<BranchAction>('create-branch', 'continue-branch', 'switch-branch'),
    });
    await fc.assert(
      fc.asyncProperty(setting, async ({ messages, window, contextBudget, branch }) => {
        const replyReserve = 10;
        const host = bareHost(
          { chat: countingChat(window), decide: tagDecider(branch) },
          { policy, parameters: { contextBudget, replyReserve, overviewBudget: 30, overviewLineBudget: 16 } },
        );
        for (const { topic, words } of messages) {
          const id = await host.send(topic + words.join(' '));
          const { forest } = host.life;
          const context = contextOf(forest, id);
          const [overviewSegment] = segmentsOf(context, 'overview');
          const overview = overviewSegment && forest.overviews[overviewSegment.overviewId];
          const lines = overview?.lines ?? [];
          // focused.test.ts checks what focused sends and leaves out.
          if (policy.name === 'focused') continue;
          const sent = [
            ...segmentsOf(context, 'turn'),
            ...segmentsOf(context, 'turn-summary'),
            ...segmentsOf(context, 'message'),
          ].map(({ nodeId }) => nodeId);
          const listed = lines.flatMap((line) => (line.kind === 'left-out' ? [] : line.nodeIds));
          expect(new Set([...sent, ...listed]).size).toBe(sent.length + listed.length);
          expect(context.tokens).toBe(context.segments.reduce((sum, segment) => sum + segment.tokens, 0));
          const texts = [
            ...context.segments.filter(({ kind }) => kind === 'turn' || kind === 'turn-summary'),
            ...lines.filter(({ kind }) => kind !== 'left-out'),
          ];
          const spent = texts.reduce((sum, { tokens }) => sum + tokens, 0);
          if (contextBudget !== null) expect(spent).toBeLessThanOrEqual(contextBudget);

          const path = pathTo(forest, id);
          if (policy.name.startsWith('context-agent')) {
            const dropped = segmentsOf(context, 'path-left-out').reduce((sum, { turns }) => sum + turns, 0);
            expect(sent.length + dropped).toBe(path.length);
            const onPath = new Set(path.map((node) => node.id));
            const { treeId } = path.at(-1) as (typeof path)[number];
            const off = nodesOf(forest, treeId).filter((node) => !onPath.has(node.id));
            const out = lines.find((line) => line.kind === 'left-out');
            const count = (kind: string) => lines.filter((line) => line.kind === kind).length;
            expect(count('topic') + (out?.topics ?? 0)).toBe(treesOf(forest).length - 1);
            expect(count('branch') + (out?.branches ?? 0)).toBe(new Set(off.map((node) => node.branchId)).size);
          } else {
            expect(sent.length + leftOut(context)).toBe(sizeOf(forest.nodes));
            const kept = context.segments.filter(({ kind }) => kind !== 'turn');
            const least = kept.reduce((sum, segment) => sum + segment.tokens, 0);
            expect(context.tokens).toBeLessThanOrEqual(Math.max(window - replyReserve, least));
          }
        }
        expect(violations(host.life.forest)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

describe.each(ALL_POLICIES)('under $name', (policy) => {
  test('nothing is sent beside the message that the window has no room for, whatever is pinned and however long it is', async () => {
    const message = fc.record({
      topic: fc.constantFrom('', '', '#a ', '#b '),
      words: fc.integer({ min: 1, max: 150 }),
      isPinned: fc.boolean(),
    });
    const setting = fc.record({
      messages: fc.array(message, { minLength: 2, maxLength: 8 }),
      window: fc.constantFrom(90, 150, 250),
      contextBudget: fc.option(fc.nat({ max: 60 })),
    });
    await fc.assert(
      fc.asyncProperty(setting, async ({ messages, window, contextBudget }) => {
        const replyReserve = 10;
        const host = bareHost({ chat: countingChat(window) }, { policy, parameters: { contextBudget, replyReserve } });
        for (const { topic, words, isPinned } of messages) {
          const nodeId = await host.send(`${topic}${'red apples. '.repeat(words / 2)}boats`);
          const context = contextOf(host.life.forest, nodeId);
          const ends = context.segments.filter(({ kind }) => ['instructions', 'overview', 'message'].includes(kind));
          const least = ends.reduce((sum, { tokens }) => sum + tokens, 0);
          expect(context.tokens).toBeLessThanOrEqual(Math.max(window - replyReserve, least));
          const event = { type: 'turn-pinned' as const, nodeId, pinned: isPinned };
          if (isPinned) host.life.do({ type: 'record', step: host.life.id(), event });
        }
      }),
      { numRuns: 15 },
    );
  });
});
