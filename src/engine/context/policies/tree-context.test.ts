import { expect, test } from 'vitest';
import { bareHost, contextOf, segmentsOf } from '../../testing/bare-host.ts';
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
