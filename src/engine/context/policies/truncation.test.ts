import { expect, test } from 'vitest';
import type { Parameters } from '../../parameters.ts';
import { bareHost, contextOf, leftOut, segmentsOf, sentInFull } from '../../testing/bare-host.ts';
import { truncation as policy } from './flat-policies.ts';

// Every turn costs ten words, five each for message and reply. The line about what was left out costs nine.
const after = async (turns: number, parameters: Partial<Parameters>) => {
  const host = bareHost({}, { policy, parameters });
  let id = '';
  for (let i = 1; i <= turns; i++) id = await host.send(`${i % 2 === 0 ? '#even' : '#odd'} one two three four`);
  const context = contextOf(host.life.forest, id);
  return { context, sent: sentInFull(host.life.forest, context) };
};

test('the last turns go in, whatever their topic, and the rest is counted', async () => {
  const { context, sent } = await after(6, { lastTurns: 2 });
  expect(sent).toEqual([4, 5]);
  expect(leftOut(context)).toBe(3);
});

test('six by default, and nothing is said to be left out where nothing is', async () => {
  expect((await after(9, {})).sent).toEqual([3, 4, 5, 6, 7, 8]);
  const { context, sent } = await after(7, {});
  expect(sent).toEqual([1, 2, 3, 4, 5, 6]);
  expect(segmentsOf(context, 'history-left-out')).toEqual([]);
});

test('a budget takes the place of the number: more where it holds more, fewer where it holds fewer', async () => {
  // With the line, 39 tokens hold three turns.
  expect((await after(8, { lastTurns: 1, contextBudget: 39 })).sent).toEqual([5, 6, 7]);
  expect((await after(8, { lastTurns: 6, contextBudget: 38 })).sent).toEqual([6, 7]);
  // Without the line, all seven fit.
  expect((await after(8, { lastTurns: 1, contextBudget: 70 })).sent).toHaveLength(7);
});

test('where the budget holds nothing the line still counts what is missing', async () => {
  const { context, sent } = await after(3, { contextBudget: 0 });
  expect(sent).toEqual([]);
  expect(segmentsOf(context, 'history-left-out')[0]?.text).toBe('2 earlier turns of this conversation are left out.');
});
