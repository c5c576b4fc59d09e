import { describe, expect, test } from 'vitest';
import { nodeOf } from '../../../domain/queries.ts';
import { bareHost, contextOf, segmentsOf, sentInFull } from '../../testing/bare-host.ts';
import { countingChat, firstWords } from '../../testing/plain-models.ts';
import { contextMessages } from '../context-text.ts';
import { contextAgent, contextAgentWithoutRag } from './context-agent.ts';
import { fullHistory } from './flat-policies.ts';

test('an overview is kept while a conversation continues, but never one of another policy', async () => {
  const host = bareHost({}, { policy: contextAgent });
  const under = (policy: typeof contextAgent) => bareHost({}, { policy }, host.life);
  const overviewOf = (id: string) => segmentsOf(contextOf(host.life.forest, id), 'overview')[0]?.overviewId;
  await host.send('#trip one');
  const first = overviewOf(await host.send('#code two'));
  expect(first).toBeDefined();
  expect(overviewOf(await host.send('three'))).toBe(first);

  const other = overviewOf(await under(contextAgentWithoutRag).send('four'));
  expect(other).toBeDefined();
  expect(other).not.toBe(first);
  expect(overviewOf(await under(fullHistory).send('five'))).toBeUndefined();
  const again = overviewOf(await under(contextAgent).send('six'));
  expect(again).toBeDefined();
  expect([first, other]).not.toContain(again);
});

test('an overview counted by another tokenizer is made anew', async () => {
  const host = bareHost({}, { policy: contextAgent });
  const overviewOf = (id: string) => segmentsOf(contextOf(host.life.forest, id), 'overview')[0]?.overviewId;
  for (const message of ['#trip one', '#code two']) await host.send(message);
  const before = overviewOf(await host.send('three'));
  const letters = { name: 'letters', count: async (texts: readonly string[]) => texts.map(({ length }) => length) };
  const other = bareHost({ chat: { ...countingChat(), tokens: letters } }, { policy: contextAgent }, host.life);
  const after = overviewOf(await other.send('four'));
  expect(before).toBeDefined();
  expect(after).toBeDefined();
  expect(after).not.toBe(before);
});

test('in a small window many topics leave room for the last exchange', async () => {
  const chat = countingChat(200);
  const host = bareHost({ chat }, { policy: contextAgent, parameters: { replyReserve: 100 } });
  for (let topic = 0; topic < 40; topic++) await host.send(`#topic${topic} with some words of its own`);
  const parent = await host.send('more about it please');
  const id = await host.send('and now');
  const { forest } = host.life;
  expect(sentInFull(forest, contextOf(forest, id))).toContain(nodeOf(forest, parent).number);
});

test('another reply is not sent what was said after its message, on its branch or elsewhere', async () => {
  const host = bareHost({}, { policy: contextAgent });
  await host.send('#trip one');
  const second = await host.send('two');
  for (const message of ['three', '#code four', 'five', '#trip six']) await host.send(message);
  const before = contextOf(host.life.forest, second);
  await host.engine.regenerate(second, host.life.id(), new AbortController().signal);
  const { forest } = host.life;
  const after = contextOf(forest, second);
  expect(contextMessages(forest, after)).toEqual(contextMessages(forest, before));
  expect(after.tokens).toBeLessThanOrEqual(after.fullHistoryTokens);
});

describe('a path that does not fit', () => {
  const host = (window: number, contextBudget: number | null = null) =>
    bareHost(
      {
        chat: countingChat(window),
        summarise: { ...firstWords, summarise: async () => 'The user sent a text about apples.' },
      },
      { policy: contextAgent, parameters: { replyReserve: 10, contextBudget } },
    );

  test('keeps the newest turns whole beside one long text that is sent in short', async () => {
    const { send, life } = host(200);
    const long = await send('apples '.repeat(150));
    for (const message of ['red boats', 'blue cars']) await send(message);
    const context = contextOf(life.forest, await send('make that shorter'));
    expect(segmentsOf(context, 'turn-summary').map(({ nodeId }) => nodeId)).toEqual([long]);
    expect(sentInFull(life.forest, context)).toEqual([2, 3]);
  });

  test('keeps the last exchange whole, however many turns came before it', async () => {
    // Room for the instructions, the message and three and a half turns of 65 tokens.
    const { send, life } = host(10 + 35 + 60 + 225);
    for (let turns = 0; turns <= 12; turns++) {
      const context = contextOf(life.forest, await send('apples '.repeat(60)));
      if (turns > 0) expect(sentInFull(life.forest, context)).toContain(turns);
      expect(context.tokens).toBeLessThanOrEqual(35 + 60 + 225);
    }
  });

  test('gives the last exchange up only where it does not fit by itself', async () => {
    // Room for the instructions, the message, a turn of 95 tokens and the line that counts the rest.
    const { send, life } = host(10 + 35 + 2 + 95 + 13);
    for (const words of [60, 10, 90]) await send('apples '.repeat(words));
    const context = contextOf(life.forest, await send('and now'));
    expect(sentInFull(life.forest, context)).toEqual([3]);
    expect(segmentsOf(context, 'path-left-out')).toMatchObject([{ turns: 2 }]);
    await send('apples '.repeat(120));
    const after = contextOf(life.forest, await send('and now'));
    expect(segmentsOf(after, 'turn-summary').map(({ nodeId }) => nodeOf(life.forest, nodeId).number)).toContain(5);
  });

  test('is not sent in short where that is longer: as many turns go whole as there is room for', async () => {
    // Each turn is seven tokens.
    const { send, life } = host(4096, 20 * 7);
    for (let turns = 1; turns <= 40; turns++) await send('yes please');
    const context = contextOf(life.forest, await send('and now'));
    expect(segmentsOf(context, 'turn-summary')).toEqual([]);
    expect(sentInFull(life.forest, context).length).toBeGreaterThanOrEqual(15);
    expect(sentInFull(life.forest, context).at(-1)).toBe(40);
  });
});
