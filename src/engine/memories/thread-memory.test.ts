import { expect, test } from 'vitest';
import type { MemoryTools } from './memory.ts';
import { handTools, saidAt, vectorOf } from './testing/hand-tools.ts';
import { slotScore, type ThreadMemory, threadMemory } from './thread-memory.ts';

const LETTERS = 'xyz';

const after = async (messages: readonly string[], tools: MemoryTools): Promise<ThreadMemory> => {
  let memory = threadMemory.empty;
  for (const [i, message] of messages.entries())
    memory = await threadMemory.take(memory, saidAt(i + 1, message), tools);
  return memory;
};

const asked = (message: string, number: number) => ({ message, number, vector: vectorOf(message, LETTERS) });

test('a score is the cosine, faded by the turns since the slot was last retrieved', () => {
  const slot = {
    id: 's0',
    text: 'x',
    vector: vectorOf('x', LETTERS),
    retrievedAt: 3,
    madeOf: { turn: 't3', before: [] },
  };
  expect(slotScore(slot, vectorOf('x', LETTERS), 3)).toBeCloseTo(1);
  expect(slotScore(slot, vectorOf('x', LETTERS), 13)).toBeCloseTo(Math.exp(-0.1));
  expect(slotScore(slot, vectorOf('xy', LETTERS), 13)).toBeCloseTo(Math.SQRT1_2 * Math.exp(-0.1));
});

test('below τ a slot is inserted, of the turn alone; from τ on the best one is revised with what was retrieved', async () => {
  const { tools, condensed } = handTools(LETTERS);
  const memory = await after(['x', 'y', 'xx'], tools);
  expect(threadMemory.cells(memory).map(({ id, from }) => [id, from.join(' ')])).toEqual([
    ['s0', 't1 t3'],
    ['s1', 't2'],
  ]);
  expect(condensed.map(({ texts }) => texts)).toEqual([['User: x'], ['User: y'], ['User: x', 'User: xx']]);
  expect(memory.slots.get(0)?.text).toBe('User: x+User: xx');
});

test('all slots above τ are recalled, the highest first; where none is, the best one alone', async () => {
  const { tools } = handTools(LETTERS);
  const memory = await after(['x', 'y', 'z'], tools);
  const { items: both } = await threadMemory.recall(memory, asked('xxy', 4), { ...tools, theta: 0.4 });
  expect(both.map(({ cell }) => cell)).toEqual(['s0', 's1']);
  const { items: fallback } = await threadMemory.recall(memory, asked('xxy', 4), { ...tools, theta: 0.95 });
  expect(fallback.map(({ cell }) => cell)).toEqual(['s0']);
});

test('what was retrieved is fresh again; what was not fades', async () => {
  const { tools } = handTools(LETTERS);
  const memory = await after(['x', 'y', 'xx', 'xx'], tools);
  expect(Array.from(memory.slots, ({ retrievedAt }) => retrievedAt)).toEqual([4, 2]);
});

test('a slot that has faded below τ is left for a new one', async () => {
  const { tools } = handTools(LETTERS);
  const others = Array.from({ length: 80 }, () => 'y');
  const memory = await after(['x', ...others, 'x'], tools);
  // e^(−0.01·81) = 0.44 < τ = 0.5
  expect(threadMemory.cells(memory).map(({ from }) => from.length)).toEqual([1, 80, 1]);
});
