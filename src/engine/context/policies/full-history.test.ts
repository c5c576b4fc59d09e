import { expect, test } from 'vitest';
import { baselineOf } from '../../../domain/context.ts';
import { bareHost, contextOf, leftOut, segmentsOf, sentInFull } from '../../testing/bare-host.ts';
import { countingChat } from '../../testing/plain-models.ts';
import { fullHistory as policy } from './flat-policies.ts';
import { policyNamed } from './policies.ts';

test('every earlier turn goes in, whatever its topic, at the cost of the full history', async () => {
  const chat = countingChat();
  const host = bareHost({ chat }, { policy });
  let id = '';
  for (const message of ['#trip one', '#code two', '#trip three', 'four']) id = await host.send(message);
  const context = contextOf(host.life.forest, id);
  expect(sentInFull(host.life.forest, context)).toEqual([1, 2, 3]);
  expect(context.tokens).toBe(context.fullHistoryTokens);
  expect(
    chat.requests
      .at(-1)
      ?.messages.slice(1)
      .map(({ content }) => content),
  ).toEqual([
    '#trip one',
    'I was sent 2 messages.',
    '#code two',
    'I was sent 4 messages.',
    '#trip three',
    'I was sent 6 messages.',
    'four',
  ]);
});

test('of what does not fit the window the oldest turns are left out, and counted', async () => {
  const chat = countingChat(120);
  const host = bareHost({ chat }, { policy, parameters: { replyReserve: 20 } });
  let id = '';
  for (let i = 0; i < 20; i++) id = await host.send(`message number ${i} with some words in it`);
  const context = contextOf(host.life.forest, id);
  const sent = sentInFull(host.life.forest, context);
  expect(sent.length).toBeGreaterThan(1);
  expect(sent).toEqual(Array.from(sent, (_, i) => 20 - sent.length + i));
  expect(sent.length + leftOut(context)).toBe(19);
  expect(chat.requests.at(-1)?.messages[0]?.content).toContain(
    `${leftOut(context)} earlier turns of this conversation are left out.`,
  );
  // One more turn would not have fitted.
  const [turn] = segmentsOf(context, 'turn');
  expect(context.tokens).toBeLessThanOrEqual(100);
  expect(context.tokens + (turn?.tokens ?? 0)).toBeGreaterThan(100);
  expect(context.fullHistoryTokens).toBeGreaterThan(200);
  expect(baselineOf(context)).toBe(context.tokens);
});

test.each(['focused', 'context-agent', 'truncation', 'memtree'])(
  'what %s saves is measured against what this sends: the whole history cut to the window',
  async (other) => {
    const sent = async (name: string) => {
      const of = policyNamed(name);
      const host = bareHost(
        { chat: countingChat(120) },
        { policy: of, parameters: { replyReserve: 20, contextBudget: null } },
      );
      let id = '';
      for (let i = 0; i < 20; i++) id = await host.send(`#trip message number ${i} with some words in it`);
      return contextOf(host.life.forest, id);
    };
    const [plain, chosen] = [await sent(policy.name), await sent(other)];
    expect(plain.tokens).toBeLessThan(plain.fullHistoryTokens);
    expect(baselineOf(chosen)).toBe(plain.tokens);
    expect(chosen.fullHistoryTokens).toBe(plain.fullHistoryTokens);
  },
);

test('a budget for the context holds for it, too, and no number of turns does', async () => {
  const sent = async (contextBudget: number | null) => {
    const host = bareHost({}, { policy, parameters: { contextBudget, lastTurns: 0 } });
    await host.send('one');
    const id = await host.send('two');
    return sentInFull(host.life.forest, contextOf(host.life.forest, id));
  };
  expect(await sent(null)).toEqual([1]);
  expect(await sent(0)).toEqual([]);
});
