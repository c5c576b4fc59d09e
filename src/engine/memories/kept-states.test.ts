import { expect, test } from 'vitest';
import { KeptStates } from './kept-states.ts';
import type { Memory, MemoryTurn } from './memory.ts';
import { handTools, saidAt } from './testing/hand-tools.ts';

/** Keeps the messages, and notes what it was given. */
const listing = () => {
  const taken: string[] = [];
  const memory: Memory<readonly string[]> = {
    name: 'listing',
    empty: [],
    take: async (state, { message }) => {
      taken.push(message);
      if (message === 'broken') throw new Error('the model failed');
      return [...state, message];
    },
    recall: async () => ({ items: [] }),
    cells: () => [],
  };
  return { memory, taken };
};

const turns = (...messages: string[]): MemoryTurn[] => messages.map((message, i) => saidAt(i + 1, message));
const { tools } = handTools('x');

test('each turn is taken in once, and the memory before any turn is still there', async () => {
  const { memory, taken } = listing();
  const kept = new KeptStates();
  await kept.after(memory, turns('a', 'b'), 'm', tools);
  expect(await kept.after(memory, turns('a', 'b', 'c'), 'm', tools)).toEqual(['a', 'b', 'c']);
  expect(await kept.after(memory, turns('a'), 'm', tools)).toEqual(['a']);
  expect(await kept.after(memory, [], 'm', tools)).toEqual([]);
  expect(taken).toEqual(['a', 'b', 'c']);
});

test('a turn that changed costs only those from there on', async () => {
  const { memory, taken } = listing();
  const kept = new KeptStates();
  await kept.after(memory, turns('a', 'b', 'c'), 'm', tools);
  expect(await kept.after(memory, turns('a', 'B', 'c'), 'm', tools)).toEqual(['a', 'B', 'c']);
  expect(taken).toEqual(['a', 'b', 'c', 'B', 'c']);
});

test('other models make everything anew', async () => {
  const { memory, taken } = listing();
  const kept = new KeptStates();
  await kept.after(memory, turns('a'), 'm', tools);
  await kept.after(memory, turns('a'), 'other', tools);
  expect(taken).toEqual(['a', 'a']);
});

test('where a model fails the caller is told, what was made stays, and the next call goes on', async () => {
  const { memory, taken } = listing();
  const kept = new KeptStates();
  await expect(kept.after(memory, turns('a', 'broken'), 'm', tools)).rejects.toThrow('the model failed');
  expect(await kept.after(memory, turns('a', 'b'), 'm', tools)).toEqual(['a', 'b']);
  expect(taken).toEqual(['a', 'broken', 'b']);
});

test('calls at the same time take each turn in once', async () => {
  const { memory, taken } = listing();
  const kept = new KeptStates();
  await Promise.all([kept.after(memory, turns('a', 'b'), 'm', tools), kept.after(memory, turns('a', 'b'), 'm', tools)]);
  expect(taken).toEqual(['a', 'b']);
});

test('it tells how far it is, and who does not want it any more ends it there', async () => {
  const { memory, taken } = listing();
  const kept = new KeptStates();
  const told: string[] = [];
  const until = (last: number) => async (done: number, of: number) => {
    told.push(`${done} of ${of}`);
    if (done === last) throw new Error('enough');
  };
  await expect(kept.after(memory, turns('a', 'b', 'c'), 'm', tools, until(2))).rejects.toThrow('enough');
  expect(taken).toEqual(['a', 'b']);
  expect(await kept.after(memory, turns('a', 'b', 'c'), 'm', tools, until(4))).toEqual(['a', 'b', 'c']);
  expect(taken).toEqual(['a', 'b', 'c']);
  expect(told).toEqual(['0 of 3', '1 of 3', '2 of 3', '2 of 3', '3 of 3']);
});
