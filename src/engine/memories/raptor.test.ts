import { expect, test } from 'vitest';
import type { MemoryTools } from './memory.ts';
import { type Raptor, raptor } from './raptor.ts';
import { handTools, saidAt, vectorOf } from './testing/hand-tools.ts';

const LETTERS = 'xyz';

const grown = async (messages: readonly string[], tools: MemoryTools): Promise<Raptor> => {
  let state = raptor.empty;
  for (const [i, message] of messages.entries()) state = await raptor.take(state, saidAt(i + 1, message), tools);
  return state;
};

const layers = ({ summaries }: Raptor) => summaries.map(({ layer, from }) => `${layer}: ${from.join(' ')}`);

test('turns are clustered and summarised layer on layer, up to one', async () => {
  const { tools } = handTools(LETTERS);
  const state = await grown(['x', 'x', 'x', 'x', 'y', 'y', 'y', 'y'], tools);
  expect(layers({ ...state, summaries: state.summaries.filter(({ layer }) => layer === 1) })).toEqual([
    '1: t1 t2 t3 t4',
    '1: t5 t6 t7 t8',
  ]);
  expect(state.summaries.at(-1)?.layer).toBe(2);
  expect(state.summaries.at(-1)?.from).toHaveLength(8);
});

test('it is built anew when it has grown by a fifth, and a cluster that is still the same keeps its summary', async () => {
  const { tools, condensed } = handTools(LETTERS);
  const ten = await grown(['x', 'x', 'x', 'x', 'y', 'y', 'y', 'y', 'y', 'y'], tools);
  const before = condensed.length;
  const later = await raptor.take(ten, saidAt(11, 'z'), tools);
  expect(condensed.length).toBe(before);
  expect(later.leaves.size).toBe(11);
  const again = await raptor.take(later, saidAt(12, 'z'), tools);
  expect(again.built).toBe(12);
  const keptOnes = again.summaries.filter((node) => ten.summaries.includes(node));
  expect(keptOnes.map(({ from }) => from.join(' '))).toEqual(['t5 t6 t7 t8 t9 t10']);
});

test('recall is over all layers at once, nearest first', async () => {
  const { tools } = handTools(LETTERS);
  const state = await grown(['x', 'x', 'y', 'z'], tools);
  const { items } = await raptor.recall(
    state,
    { number: 5, at: 0, message: 'x', vector: vectorOf('x', LETTERS) },
    tools,
  );
  expect(items.slice(0, 2).map(({ cell }) => cell)).toEqual(['t1', 't2']);
  expect(items.some(({ from }) => from.length > 1)).toBe(true);
  const scores = items.map(({ score }) => score ?? 0);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
});

test('the nearest twenty are recalled, up to 2,000 tokens; the nearest one however long', async () => {
  const { tools } = handTools(LETTERS);
  const query = { number: 99, at: 0, message: 'x', vector: vectorOf('x', LETTERS) };
  const recalled = async (messages: readonly string[]) =>
    (await raptor.recall(await grown(messages, { ...tools, condense: async () => 'x' }), query, tools)).items;
  expect(await recalled(Array.from({ length: 40 }, () => 'x'))).toHaveLength(20);
  // One token per character: three turns of 600 make 1,800, four would be more.
  const long = await recalled(['x', 'x', 'x', 'x', 'x'].map((letter) => letter.padEnd(594, '.')));
  expect(long.filter(({ whole }) => whole)).toHaveLength(3);
  expect(await recalled(['x'.padEnd(5000, '.')])).toHaveLength(1);
});
