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
