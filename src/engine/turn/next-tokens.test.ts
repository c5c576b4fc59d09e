import { describe, expect, test } from 'vitest';
import type { PlainEvent } from '../../domain/event-kinds.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { contextAgent } from '../context/policies/context-agent.ts';
import { truncation } from '../context/policies/flat-policies.ts';
import { POLICIES } from '../context/policies/policies.ts';
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
