import { describe, expect, test } from 'vitest';
import type { PlainEvent } from '../../domain/event-kinds.ts';
import { pendingTurn } from '../../domain/queries.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { contextAgent } from '../context/policies/context-agent.ts';
import { truncation } from '../context/policies/flat-policies.ts';
import { POLICIES } from '../context/policies/policies.ts';
import type { Policy } from '../context/policy.ts';
import type { ChatModel } from '../ports.ts';
import { bareHost, contextOf, segmentsOf } from '../testing/bare-host.ts';
import { countingChat } from '../testing/plain-models.ts';

const costBeforeMessage = (host: ReturnType<typeof bareHost>, id: string): number => {
  const context = contextOf(host.life.forest, id);
  return context.tokens - (segmentsOf(context, 'message')[0]?.tokens ?? 0);
};

describe.each(POLICIES)('the tokens before a message that goes on, under $name', (policy) => {
  test('are what is then sent before it', async () => {
    const host = bareHost({}, { policy, parameters: { lastTurns: 2, retrievedTurns: 9 } });
    for (const message of ['#trip one', '#code two', 'three', 'four']) await host.send(message);
    const said = await host.engine.nextTokens();
    expect(said).toBe(costBeforeMessage(host, await host.send('five')));
  });
});

test('they are those of the policy now chosen, whatever sent the last turn', async () => {
  const host = bareHost({}, { policy: contextAgent });
  for (const message of ['one', 'two', 'three', 'four']) await host.send(message);
  const entries = host.life.entries.length;
  const other = bareHost({}, { policy: truncation, parameters: { lastTurns: 1 } }, host.life);
  const said = await other.engine.nextTokens();
  expect(host.life.entries).toHaveLength(entries);
  expect(said).toBe(costBeforeMessage(host, await other.send('five')));
});

test('they stay within a budget that the path goes over with the last reply', async () => {
  const host = bareHost({}, { policy: contextAgent, parameters: { contextBudget: 40 } });
  await host.send('one');
  await host.send(`two ${'and more '.repeat(20)}`);
  const said = await host.engine.nextTokens();
  expect(said).toBe(costBeforeMessage(host, await host.send('three')));
});

test('they are without a file that was sent in passages, once its turn no longer fits', async () => {
  const host = bareHost({ chat: countingChat(400) }, { policy: contextAgent, parameters: { replyReserve: 50 } });
  const nodeId = host.life.id();
  const text = Array.from({ length: 90 }, (_, i) => `Line ${i} of the report is about boat ${i}.`).join('\n\n');
  const attachments = [{ id: 'report', name: 'report.txt', mediaType: 'text/plain', size: text.length, text }];
  const event = { type: 'message-sent' as const, nodeId, message: 'Which boat?', given: null, target: null };
  host.life.do({ type: 'record', step: host.life.id(), event: { ...event, attachments } });
  await host.engine.turn(pendingTurn(host.life.forest) as never, new AbortController().signal);
  expect(segmentsOf(contextOf(host.life.forest, nodeId), 'message')[0]?.text).toBeDefined();
  const said = await host.engine.nextTokens();
  expect(said).toBe(costBeforeMessage(host, await host.send('and then?')));
});

const letters = { name: 'letters', count: async (texts: readonly string[]) => texts.map(({ length }) => length) };

test.each([
  ['the parameters now set', {}, { overviewBudget: 0 }],
  ['the window of the model now chosen', { chat: { ...countingChat(), window: 545 } }, {}],
  ['the tokenizer of the model now chosen', { chat: { ...countingChat(), tokens: letters } }, {}],
])('they are those of %s', async (_, models, parameters) => {
  const host = bareHost({}, { policy: contextAgent });
  for (const message of ['#trip one', '#code two', 'three', 'four']) await host.send(message);
  const other = bareHost(models, { policy: contextAgent, parameters }, host.life);
  const said = await other.engine.nextTokens();
  expect(said).toBe(costBeforeMessage(other, await other.send('five')));
});

test('after a reply whose context nobody kept, as one that was imported, they are counted all the same', async () => {
  const life = new Life();
  const nodeId = life.say(null, 'what was said elsewhere');
  const replyId = life.id();
  const record = (event: PlainEvent) => life.do({ type: 'record', step: null, event });
  record({ type: 'reply-started', nodeId, replyId, model: 'made up', context: null });
  record({ type: 'reply-received', nodeId, replyId, text: 'and what was answered' });
  record({ type: 'reply-ended', nodeId, replyId, state: 'done', failure: null, timings: [] });
  const host = bareHost({}, {}, life);
  const said = await host.engine.nextTokens();
  expect(said).toBeGreaterThan(0);
  expect(said).toBe(costBeforeMessage(host, await host.send('and then?')));
});

describe('the pictures of earlier turns count', () => {
  const seeing = (window = 4096) => ({ ...countingChat(window), sees: true });

  const hostOf = (chat: ChatModel, policy: Policy, life = new Life()) =>
    bareHost(
      { chat },
      {
        policy,
        parameters: { replyReserve: 20, lastTurns: 2, retrievedTurns: 9 },
        pictures: async (ids) => Object.fromEntries(ids.map((id) => [id, ''])),
      },
      life,
    );

  /** A conversation with two messages, each with a picture. */
  const pictured = async (chat: ChatModel, policy: Policy = contextAgent) => {
    const host = hostOf(chat, policy);
    for (const id of ['cat', 'dog']) {
      const nodeId = host.life.id();
      const event = { type: 'message-sent' as const, nodeId, message: `A ${id}`, given: null, target: null };
      const attachments = [{ id, name: `${id}.png`, mediaType: 'image/png', size: 7 }];
      host.life.do({ type: 'record', step: host.life.id(), event: { ...event, attachments } });
      await host.engine.turn(pendingTurn(host.life.forest) as never, new AbortController().signal);
    }
    return host;
  };

  test.each(POLICIES)('for a model that sees, under $name', async (policy) => {
    const host = await pictured(seeing(), policy);
    const said = await host.engine.nextTokens();
    expect(said).toBeGreaterThan(1600);
    expect(said).toBe(costBeforeMessage(host, await host.send('five')));
  });

  test.each([
    ['as many as fit', seeing(1100), seeing(1100), 1],
    ['fewer for a model with less room', seeing(), seeing(1100), 1],
    ['more for a model with more room', seeing(1100), seeing(), 2],
    ['none for a model that does not see', seeing(), countingChat(), 0],
    ['all for one that sees after one that did not', countingChat(), seeing(), 2],
  ])('%s', async (_, before, now, count) => {
    const { life } = await pictured(before);
    const host = hostOf(now, contextAgent, life);
    const said = await host.engine.nextTokens();
    const id = await host.send('five');
    expect(contextOf(life.forest, id).pictures?.ids.length ?? 0).toBe(count);
    expect(said).toBe(costBeforeMessage(host, id));
  });
});
