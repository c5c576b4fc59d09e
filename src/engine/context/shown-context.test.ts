import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../domain/context.ts';
import type { ReplyId } from '../../domain/forest.ts';
import { nodeOf, replyOf } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { Life, lives, type Move } from '../../domain/testing/random-life.ts';
import type { Parameters } from '../parameters.ts';
import type { ChatModel } from '../ports.ts';
import { bareHost } from '../testing/bare-host.ts';
import { momentOfReply } from '../testing/moment-of-reply.ts';
import { countingChat, tagDecider } from '../testing/plain-models.ts';
import { contextMessages, shownContext } from './context-text.ts';
import { MEMORY_POLICIES } from './policies/memory-policies.ts';
import { POLICIES as PLAIN } from './policies/policies.ts';
import type { Policy } from './policy.ts';

const POLICIES = [...PLAIN, ...MEMORY_POLICIES];

type Step =
  | { kind: 'send'; topic: string; words: readonly string[]; broken: boolean }
  | { kind: 'regenerate' | 'resume'; pick: number }
  | { kind: 'settings'; parameters: Partial<Parameters>; maxTokens: number | null; systemPrompt: string | null }
  | { kind: 'policy'; pick: number }
  | { kind: 'live'; move: Move };

/** Never a purge, which has its own test. */
const moves: fc.Arbitrary<Move> = lives.filter((life) => life.length > 0).map((life) => life[0] as Move);
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      topic: fc.constantFrom('', '', '#a ', '#b '),
      words: fc.subarray(['red', 'blue', 'green', 'apples', 'boats', 'instead'], { minLength: 1 }),
      broken: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('regenerate', 'resume'), pick: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('settings' as const),
      parameters: fc.record({ overviewBudget: fc.constantFrom(0, 12, 480), lastTurns: fc.nat({ max: 3 }) }),
      maxTokens: fc.constantFrom(null, 20),
      systemPrompt: fc.constantFrom(null, 'Be brief.'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('policy' as const), pick: fc.nat() }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('live' as const), move: moves }) },
);

/** A conversation that records what the chat model received for each reply. */
const conversation = (first: Policy, window: number) => {
  const life = new Life();
  const received: { readonly replyId: ReplyId; readonly messages: readonly ChatMessage[] }[] = [];
  let stopAfter: AbortController | null = null;
  const chat: ChatModel = {
    ...countingChat(window),
    async *reply({ messages, begun }, signal) {
      const replying = life.entries.findLast(
        ({ event }) => event.type === 'reply-started' || event.type === 'reply-resumed',
      );
      const event = replying?.event as { replyId: ReplyId };
      received.push({ replyId: event.replyId, messages: structuredClone(messages) as ChatMessage[] });
      for (const piece of ['<think>hm', '</think>\n', `reply ${received.length}`, ` after ${begun.length}`]) {
        if (signal.aborted) return;
        yield piece;
        if (piece.startsWith('reply')) stopAfter?.abort();
      }
    },
  };
  let policy = first;
  let parameters: Partial<Parameters> = {};
  const settings = () => ({ version: 1, policy, parameters, prompts: {} });
  const host = bareHost({ chat, decide: tagDecider('create-branch') }, { settings }, life);
  const never = new AbortController().signal;

  const take = async (step: Step): Promise<void> => {
    const nodes = recordsOf(life.forest.nodes);
    switch (step.kind) {
      case 'send': {
        stopAfter = step.broken ? new AbortController() : null;
        await host.send(step.topic + step.words.join(' '), stopAfter?.signal ?? never);
        stopAfter = null;
        return;
      }
      case 'regenerate': {
        const node = nodes[step.pick % nodes.length];
        if (node !== undefined) await host.engine.regenerate(node.id, life.id(), never);
        return;
      }
      case 'resume': {
        const broken = nodes.filter((node) => replyOf(node)?.state === 'stopped');
        const node = broken[step.pick % broken.length];
        if (node !== undefined) await host.engine.resume(node.id, never);
        return;
      }
      case 'settings': {
        parameters = step.parameters;
        const { maxTokens, systemPrompt } = step;
        const changed = { ...life.forest.replySettings, maxTokens, systemPrompt };
        life.do({ type: 'record', step: life.id(), event: { type: 'reply-settings-set', settings: changed } });
        return;
      }
      case 'policy':
        policy = POLICIES[step.pick % POLICIES.length] as Policy;
        return;
      case 'live':
        life.live(step.move);
    }
  };
  return { life, host, received, take };
};

describe.each(POLICIES)('$name', (policy) => {
  test('what is shown as sent is what the chat model received, byte for byte, whatever was done since', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(steps, { minLength: 4, maxLength: 30 }),
        fc.constantFrom(70, 4096),
        async (all, window) => {
          const { life, received, take } = conversation(policy, window);
          for (const step of all) await take(step);
          for (const { replyId, messages } of received) {
            const shown = shownContext(life.entries, momentOfReply(life.entries, replyId));
            expect(shown && contextMessages(shown.forest, shown.context)).toEqual(messages);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a reply that broke off', () => {
  const broken = async () => {
    const talk = conversation(POLICIES[0] as Policy, 4096);
    const said = async (words: string, stops = false) => {
      await talk.take({ kind: 'send', topic: '', words: [words], broken: stops });
      return (recordsOf(talk.life.forest.nodes).at(-1) as { id: string }).id;
    };
    const ids = [await said('red'), await said('blue'), await said('green', true)];
    const resume = () => talk.host.engine.resume(ids[2] as string, new AbortController().signal);
    const replies = () => nodeOf(talk.life.forest, ids[2] as string).replies.length;
    return { ...talk, ids, resume, replies };
  };

  test('goes on from the very bytes that it began with', async () => {
    const { received, resume, replies } = await broken();
    const [first] = received.slice(-1);
    await resume();
    expect(received.at(-1)).toEqual(first);
    expect(replies()).toBe(1);
  });

  test.each([
    ['a turn before it was deleted', { type: 'delete', alone: true }],
    ['a turn before it was hidden', { type: 'hide' }],
    ['a reply before it was taken back', { type: 'undo' }],
  ] as const)('is another reply where %s: what is gone is not sent again', async (_, edit) => {
    const { life, ids, host, received, take, resume, replies } = await broken();
    const nodeIds = [ids[1] as string];
    if (edit.type === 'delete') life.do({ ...edit, nodeIds, step: 'edit' });
    if (edit.type === 'hide') {
      life.do({ type: 'record', step: 'edit', event: { type: 'turns-hidden', nodeIds, hidden: true } });
    }
    if (edit.type === 'undo') {
      await host.engine.regenerate(ids[1] as string, 'again', new AbortController().signal);
      await take({ kind: 'send', topic: '', words: ['boats'], broken: true });
      ids[2] = (recordsOf(life.forest.nodes).at(-1) as { id: string }).id;
      const other = nodeOf(life.forest, ids[1] as string).replies[0] as { id: string };
      life.do({
        type: 'record',
        step: 'edit',
        event: { type: 'reply-chosen', nodeId: ids[1] as string, replyId: other.id },
      });
    }
    await resume();
    expect(replies()).toBe(edit.type === 'undo' ? 1 : 2);
    const last = received.at(-1);
    const shown = shownContext(life.entries, momentOfReply(life.entries, last?.replyId as string));
    expect(shown && contextMessages(shown.forest, shown.context)).toEqual(last?.messages);
    if (edit.type !== 'undo') expect(JSON.stringify(last?.messages)).not.toContain('blue');
  });
});

test('a purge takes the words out of what is shown, and out of nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 20 }), fc.nat(), async (all, pick) => {
      const { life, host, received, take } = conversation(POLICIES[pick % POLICIES.length] as Policy, 300);
      const secret = await host.send('#a zanzibar quokkas');
      for (const step of all) await take(step);
      if (life.forest.nodes[secret] === undefined) return;
      // Nothing is purged while a message waits for its place.
      life.live({ kind: 'place', pick: 0 });
      life.purge([secret]);
      expect(life.forest.nodes[secret]).toBeUndefined();
      for (const { replyId, messages } of received) {
        const shown = shownContext(life.entries, momentOfReply(life.entries, replyId));
        if (shown === null) continue;
        const now = JSON.stringify(contextMessages(shown.forest, shown.context));
        expect(now).not.toMatch(/zanzibar|quokkas/);
        const then = JSON.stringify(messages);
        if (!/zanzibar|quokkas/.test(then)) expect(JSON.parse(now).at(-1)).toEqual(JSON.parse(then).at(-1));
      }
    }),
    { numRuns: 40 },
  );
});
