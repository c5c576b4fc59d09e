import { expect, test } from 'vitest';
import type { SummaryInput } from '../ports.ts';
import { bareHost } from '../testing/bare-host.ts';
import { firstWords } from '../testing/plain-models.ts';

test('a summariser is told the digest of the turn that a turn goes on from, whatever came between', async () => {
  const asked: SummaryInput[] = [];
  const summarise = {
    ...firstWords,
    summarise: async (turn: SummaryInput) => {
      asked.push(turn);
      return firstWords.summarise(turn);
    },
  };
  const host = bareHost({ summarise });
  for (const message of ['#trip one', '#code two', '#trip three']) await host.send(message);
  expect(asked.map(({ message, before }) => [message, before])).toEqual([
    ['#trip one', undefined],
    ['#code two', undefined],
    ['#trip three', 'The user said: #trip one'],
  ]);
});

test('a turn without a summary is summarised once it is no longer hidden', async () => {
  const { life, engine } = bareHost();
  const id = life.say(null, 'door code 4711');
  const hide = (hidden: boolean) =>
    life.do({ type: 'record', step: life.id(), event: { type: 'turns-hidden', nodeIds: [id], hidden } });
  const signal = new AbortController().signal;
  hide(true);
  await engine.catchUp(signal);
  expect(life.forest.nodes[id]?.summary).toBeNull();
  hide(false);
  await engine.catchUp(signal);
  expect(life.forest.nodes[id]?.summary?.text).toBe('The user said: door code 4711');
});
