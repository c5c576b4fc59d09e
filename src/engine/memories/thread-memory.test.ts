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

const asked = (message: string, number: number) => ({ message, number, at: 0, vector: vectorOf(message, LETTERS) });

/** The letters alone, without the “User: ” in the notes. */
const saidIn = (text: string) => text.replaceAll('User: ', '');

test('a score is the cosine, faded by the turns since the slot was last retrieved', () => {
  const slot = {
    id: 's0',
    text: 'x',
    vector: vectorOf('x', LETTERS),
    retrievedAt: 3,
    madeOf: { turn: 't3', before: [] },
  };
  expect(slotScore(slot, vectorOf('x', LETTERS), 3, 0.01)).toBeCloseTo(1);
  expect(slotScore(slot, vectorOf('x', LETTERS), 13, 0.01)).toBeCloseTo(Math.exp(-0.1));
  expect(slotScore(slot, vectorOf('xy', LETTERS), 13, 0.01)).toBeCloseTo(Math.SQRT1_2 * Math.exp(-0.1));
  expect(slotScore(slot, vectorOf('x', LETTERS), 13, 0)).toBeCloseTo(1);
});

test('below τ a slot is inserted, from τ on the best one is revised: both of the turn and of what was retrieved', async () => {
  const { tools, condensed } = handTools(LETTERS, 0.5, { threadThreshold: 0.8 });
  // A language model gets the full notes.
  const memory = await after(['x', 'y', 'xx'], { ...tools, ask: async () => '' });
  // y is unlike x, which is still retrieved as the best match there is.
  expect(threadMemory.cells(memory, 0).map(({ id, from }) => [id, from.join(' ')])).toEqual([
    ['s0', 't1 t3'],
    ['s1', 't1 t2'],
  ]);
  expect(condensed.map(({ texts }) => texts.map(saidIn))).toEqual([['x'], ['x', 'y'], ['x', 'xx']]);
  expect(saidIn(memory.slots.get(1)?.text ?? '')).toBe('x+y');
});

test('without a language model a slot that is inserted has one sentence of the others, so that it is like the turn', async () => {
  const { tools, condensed } = handTools(LETTERS, 0.5, { threadThreshold: 0.8 });
  await after(['x', 'y'], { ...tools, condense: (task) => tools.condense(task).then((text) => text.slice(0, 7)) });
  expect(condensed.map(({ texts, sentences }) => [texts, sentences])).toEqual([
    [['User: x'], 5],
    [['User: x'], 1],
    [['User: x', 'User: y'], 5],
  ]);
});

test('all slots above τ are recalled, the highest first; where none is, the best one alone', async () => {
  const { tools } = handTools(LETTERS, 0.5, { threadThreshold: 0.8 });
  const memory = await after(['x', 'y'], tools);
  const recalled = async (threadThreshold: number | null) => {
    const by = handTools(LETTERS, 0.5, { threadThreshold }).tools;
    return (await threadMemory.recall(memory, asked('xxy', 3), by)).items.map(({ cell }) => cell);
  };
  expect(await recalled(0.4)).toEqual(['s1', 's0']);
  expect(await recalled(0.99)).toEqual(['s1']);
  // Half of θ by default.
  expect(await recalled(null)).toEqual(['s1', 's0']);
});

test('what was retrieved is fresh again; what was not fades', async () => {
  const { tools } = handTools(LETTERS, 0.5, { threadThreshold: 0.8 });
  const memory = await after(['x', 'y', 'xx', 'xx'], tools);
  // The second slot was made from the first, which was retrieved for it.
  expect(Array.from(memory.slots, ({ retrievedAt }) => retrievedAt)).toEqual([4, 2]);
});

/** Notes keep their first text, so that a thread's vector stays the same. */
const first: MemoryTools['condense'] = async ({ texts }) => texts.at(-1) ?? '';

test('a thread that rested for 196 turns is still revised; with a larger α it is left for a new one', async () => {
  const others = Array.from({ length: 196 }, () => 'y');
  const turnsOfSlots = async (threadDecay?: number) => {
    const { tools } = handTools(LETTERS, 0.5, threadDecay === undefined ? {} : { threadDecay });
    const memory = await after(['x', ...others, 'x'], { ...tools, condense: first });
    return memory.slots.map(({ madeOf }) => madeOf.turn).toArray();
  };
  expect(await turnsOfSlots()).toEqual(['t198', 't197']);
  // e^(−0.01·197) = 0.14 < τ = 0.25
  expect(await turnsOfSlots(0.01)).toEqual(['t1', 't197', 't198']);
});

test('there are never more slots than 64: the one that rested longest is folded into the one most like it, and no turn is lost', async () => {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_!?,;';
  const { tools } = handTools(letters);
  const plain = { ...tools, condense: async ({ texts }: { texts: readonly string[] }) => texts.join('+') };
  const own = { ...plain, condense: async (task: { texts: readonly string[] }) => task.texts.at(-1) ?? '' };
  let memory = threadMemory.empty;
  for (const [i, letter] of [...letters].entries()) {
    memory = await threadMemory.take(memory, { ...saidAt(i + 1, letter.repeat(9)), nodeId: `t${i + 1}` }, own);
  }
  expect(letters).toHaveLength(68);
  expect(memory.slots.size).toBe(64);
  expect(new Set(memory.slots.map(({ id }) => id)).size).toBe(64);
  const turns = new Set(threadMemory.cells(memory, 0).flatMap(({ from }) => from));
  expect(turns.size).toBe(68);
});
