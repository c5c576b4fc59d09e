import { expect, test } from 'vitest';
import { nodeOf } from '../../../domain/queries.ts';
import { bareHost, contextOf, segmentsOf, sentInFull } from '../../testing/bare-host.ts';
import { countingChat } from '../../testing/plain-models.ts';
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
