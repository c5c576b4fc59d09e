import { expect, test } from 'vitest';
import { importanceByWords, memoryStream, type Observation, rated } from './memory-stream.ts';
import { handTools, saidAt, vectorOf } from './testing/hand-tools.ts';

const observed = (text: string, importance: number, recalledAt: number): Observation => ({
  id: text,
  text,
  vector: vectorOf(text, 'xy'),
  turn: text,
  importance,
  recalledAt,
});

test('recency, importance and relevance are each scaled over the stream and weigh the same', () => {
  const ranked = rated([observed('x', 1, 0), observed('y', 10, 0), observed('xy', 1, 10)], vectorOf('x', 'xy'), 10);
  // x: 0 + 0 + 1; y: 0 + 1 + 0; xy: 1 + 0 + 0.707.
  expect(ranked.map(({ observation: { id }, score }) => [id, Number(score.toFixed(2))])).toEqual([
    ['xy', 1.71],
    ['x', 1],
    ['y', 1],
  ]);
});

test('where all are equal nothing stands out', () => {
  expect(rated([observed('x', 3, 1), observed('x', 3, 1)], vectorOf('x', 'xy'), 1).map(({ score }) => score)).toEqual([
    0, 0,
  ]);
});

test('what is recalled is recent again', async () => {
  const { tools } = handTools('xy');
  let stream = memoryStream.empty;
  for (let n = 1; n <= 9; n++) stream = await memoryStream.take(stream, saidAt(n, n <= 7 ? 'x' : 'y'), tools);
  const observations = [...stream.observations];
  const stale = observations.filter(({ recalledAt, turn }) => recalledAt < 8 && turn !== 't8');
  expect(observations.some(({ turn, recalledAt }) => turn !== 't9' && recalledAt === 9)).toBe(true);
  expect(stale.length).toBeGreaterThan(0);
});

test('a language model rates importance; what it answers otherwise is rated by its words', async () => {
  const { tools } = handTools('x');
  const rate = async (answer: string) =>
    (
      await memoryStream.take(memoryStream.empty, saidAt(1, 'I must remember 7 May'), {
        ...tools,
        ask: async () => answer,
      })
    ).observations.get(0)?.importance;
  expect(await rate('8')).toBe(8);
  expect(await rate('Rating: 3')).toBe(3);
  expect(await rate('very')).toBe(importanceByWords('User: I must remember 7 May'));
  expect(await rate('70')).toBe(importanceByWords('User: I must remember 7 May'));
  expect(importanceByWords('ok thanks')).toBe(1);
  expect(importanceByWords('I must be in Lisbon by 7 May, deadline is 9')).toBeGreaterThan(6);
});
