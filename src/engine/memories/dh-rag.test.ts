import { expect, test } from 'vitest';
import { type DhRag, dhRag } from './dh-rag.ts';
import type { MemoryTools } from './memory.ts';
import { handTools, saidAt, vectorOf } from './testing/hand-tools.ts';

const LETTERS = 'xyz';
const query = (message: string, number: number) => ({ number, at: 0, message, vector: vectorOf(message, LETTERS) });

const grown = async (messages: readonly string[], tools: MemoryTools): Promise<DhRag> => {
  let state = dhRag.empty;
  for (const [i, message] of messages.entries()) state = await dhRag.take(state, saidAt(i + 1, message), tools);
  return state;
};

test('questions join the cluster that they are like, or begin one', async () => {
  const { tools } = handTools(LETTERS);
  const { clusters } = await grown(['x', 'y', 'xxy', 'z'], tools);
  expect(Array.from(clusters, ({ entries }) => Array.from(entries, ({ turn }) => turn.nodeId).join(' '))).toEqual([
    't1 t3',
    't2',
    't4',
  ]);
});

test('a question follows up on the earlier one most like it; of equals, on the later', async () => {
  const { tools } = handTools(LETTERS);
  const { clusters } = await grown(['x', 'x', 'xy', 'x'], tools);
  expect(Array.from(clusters.get(0)?.entries ?? [], ({ follows }) => follows)).toEqual([null, 't1', 't2', 't2']);
});

test('turns come from the two nearest clusters, by relevance and recency, in order of time', async () => {
  const { tools } = handTools(LETTERS);
  const state = await grown(['x', 'y', 'z', 'x', 'z', 'x'], tools);
  const { items, skipped } = await dhRag.recall(state, query('xxy', 7), tools);
  expect(items.map(({ cell }) => cell)).toEqual(['t1', 't2', 't4', 't6']);
  expect(skipped).toEqual(['c2']);
});

test('the chain counts among the turns that are recalled, and goes before what rates higher', async () => {
  const { tools } = handTools(LETTERS);
  // The second, which is the best, follows up on the first; the third rates higher than the first.
  const state = await grown(['xy', 'x', 'xxy'], tools);
  const recalled = async (memoryK: number) =>
    (await dhRag.recall(state, query('x', 4), handTools(LETTERS, 0.5, { memoryK }).tools)).items.map(
      ({ cell }) => cell,
    );
  expect(await recalled(1)).toEqual(['t2']);
  expect(await recalled(2)).toEqual(['t1', 't2']);
  expect(await recalled(3)).toEqual(['t1', 't2', 't3']);
});

test('the chain that leads to the best turn comes along, though it rates low', async () => {
  const { tools } = handTools(LETTERS);
  // Each follows up on the previous one; of eight, only the newest four rate high enough.
  const state = await grown(['x', 'x', 'x', 'x', 'x', 'x', 'x', 'x'], tools);
  const { items } = await dhRag.recall(state, query('x', 9), tools);
  expect(items.map(({ cell }) => cell)).toEqual(['t5', 't6', 't7', 't8']);
});
