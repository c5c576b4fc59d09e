import { expect, test } from 'vitest';
import type { Parameters } from '../../parameters.ts';
import type { Models } from '../../ports.ts';
import { bareHost, contextOf, leftOut, segmentsOf, sentInFull } from '../../testing/bare-host.ts';
import { bagEmbedder } from '../../testing/plain-models.ts';
import { flatRag, vectorRag } from './flat-policies.ts';

const EARLIER = [
  '#fruit red apples grow here',
  '#sea blue boats sail',
  '#road green cars drive',
  '#fruit red apples grow slowly',
  '#road fast cars drive past',
];

const after = async (
  message: string,
  parameters: Partial<Parameters>,
  models: Partial<Models> = {},
  policy = flatRag,
) => {
  const host = bareHost(models, { policy, parameters });
  for (const earlier of EARLIER) await host.send(earlier);
  const id = await host.send(message);
  const context = contextOf(host.life.forest, id);
  return { context, sent: sentInFull(host.life.forest, context) };
};

test.each([flatRag, vectorRag])(
  '$name: the nearest turns go in from any topic, in order of time, and the rest is counted',
  async (policy) => {
    const { context, sent } = await after('#sea how do red apples grow', { retrievedTurns: 2 }, {}, policy);
    expect(sent).toEqual([1, 4]);
    expect(leftOut(context)).toBe(3);
  },
);

test('without vectors the turns with the words of the message go in, by vectors alone the latest', async () => {
  const embed = { ...bagEmbedder, embed: () => Promise.reject(new Error('no vector')) };
  const { sent } = await after('how do red apples grow', { retrievedTurns: 2 }, { embed });
  expect(sent).toEqual([1, 4]);
  expect((await after('how do red apples grow', { retrievedTurns: 2 }, { embed }, vectorRag)).sent).toEqual([4, 5]);
});

test('a budget takes the place of the number, the nearest first', async () => {
  // Ten words for each of the two nearest turns, nine for the line.
  const { context, sent } = await after('how do red apples grow', { retrievedTurns: 5, contextBudget: 29 });
  expect(sent).toEqual([1, 4]);
  const history = [...segmentsOf(context, 'history-left-out'), ...segmentsOf(context, 'turn')];
  expect(history.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(29);
  expect((await after('how do red apples grow', { retrievedTurns: 1, contextBudget: 100 })).sent).toHaveLength(5);
});

test('a turn too long for the budget leaves it to the next nearest', async () => {
  const host = bareHost({}, { policy: flatRag, parameters: { contextBudget: 20 } });
  await host.send('red apples grow');
  await host.send(`red apples grow ${'and red apples grow '.repeat(10)}`);
  await host.send('blue boats sail');
  const id = await host.send('red apples grow and grow');
  expect(sentInFull(host.life.forest, contextOf(host.life.forest, id))).toEqual([1]);
});
