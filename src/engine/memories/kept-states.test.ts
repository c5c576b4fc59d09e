import { expect, test } from 'vitest';
import { defaultParameters, type MemoryParameters } from '../parameters.ts';
import type { Memory, MemoryTurn } from './memory.ts';
import { type CostMeter, type IngestListener, MemoryStateCache } from './memory-access.ts';
import { handTools, saidAt } from './testing/hand-tools.ts';

/** Stores the messages and records what it was given. */
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

const after = async <State>(
  kept: MemoryStateCache,
  memory: Memory<State>,
  all: readonly MemoryTurn[],
  by: string,
  taken?: IngestListener,
  parameters: MemoryParameters = defaultParameters,
  when?: 'before',
  unit = 'words',
): Promise<State> => {
  const access = {
    by,
    unit,
    tools: () => tools,
    now: () => 0,
    parameters,
    ...(taken && { taken }),
    ...(when && { when }),
  };
  return (await kept.after(memory, all, access)).state;
};

test('each turn is taken in once, and the memory before any turn is still there', async () => {
  const { memory, taken } = listing();
  const kept = new MemoryStateCache();
  await after(kept, memory, turns('a', 'b'), 'm');
  expect(await after(kept, memory, turns('a', 'b', 'c'), 'm')).toEqual(['a', 'b', 'c']);
  expect(await after(kept, memory, turns('a'), 'm')).toEqual(['a']);
  expect(await after(kept, memory, [], 'm')).toEqual([]);
  expect(taken).toEqual(['a', 'b', 'c']);
});

test('a turn that changed costs only those from there on', async () => {
  const { memory, taken } = listing();
  const kept = new MemoryStateCache();
  await after(kept, memory, turns('a', 'b', 'c'), 'm');
  expect(await after(kept, memory, turns('a', 'B', 'c'), 'm')).toEqual(['a', 'B', 'c']);
  expect(taken).toEqual(['a', 'b', 'c', 'B', 'c']);
});

test('looking back shares what is known, and costs the conversation as it is nothing', async () => {
  const { memory, taken } = listing();
  const kept = new MemoryStateCache();
  const lookingBack = (...messages: string[]) =>
    after(kept, memory, turns(...messages), 'm', undefined, undefined, 'before');
  await after(kept, memory, turns('a', 'b', 'c'), 'm');
  expect(await lookingBack('a', 'b')).toEqual(['a', 'b']);
  expect(await lookingBack('a', 'B')).toEqual(['a', 'B']);
  expect(await lookingBack('a', 'B', 'c')).toEqual(['a', 'B', 'c']);
  expect(await lookingBack('A')).toEqual(['A']);
  expect(taken).toEqual(['a', 'b', 'c', 'B', 'c', 'A']);
  expect(await after(kept, memory, turns('a', 'b', 'c', 'd'), 'm')).toEqual(['a', 'b', 'c', 'd']);
  expect(taken.slice(6)).toEqual(['d']);
  expect(await lookingBack('a', 'b', 'c', 'd', 'e')).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(taken.slice(7)).toEqual(['e']);
  // The conversation has gone back to where it was looked at.
  expect(await after(kept, memory, turns('a', 'b', 'c', 'd', 'e', 'f'), 'm')).toHaveLength(6);
  expect(taken.slice(8)).toEqual(['f']);
});

/** A memory of messages as a model repeats them; one says `by rules` for `b` while it fails. */
const failing = () => {
  const kept = new MemoryStateCache();
  const model = { fails: true };
  const memory: Memory<readonly string[]> = {
    ...listing().memory,
    take: async (state, { message }, { ask }) => [...state, (await ask?.('Shorten.', message)) ?? ''],
  };
  const access = {
    by: 'm',
    unit: 'words',
    now: () => 0,
    parameters: defaultParameters,
    tools: (bill: CostMeter) => ({
      ...tools,
      ask: async (_: string, text: string) => {
        if (!model.fails || text !== 'b') return text;
        bill.failures.add({ role: 'summarise', from: 'm', to: 'rules', why: 'it gave no answer' });
        return 'by rules';
      },
    }),
  };
  const now = async (...messages: string[]) => kept.after(memory, turns(...messages), access);
  const before = async (...messages: string[]) => kept.after(memory, turns(...messages), { ...access, when: 'before' });
  return { kept, model, now, before };
};

test('what failed while looking back is taken in again by the conversation as it is', async () => {
  const { model, now, before } = failing();
  expect((await before('a', 'b', 'c')).state).toEqual(['a', 'by rules', 'c']);
  model.fails = false;
  expect((await now('a', 'b', 'c')).state).toEqual(['a', 'b', 'c']);
  expect((await now('a', 'b', 'c')).state).toEqual(['a', 'b', 'c']);
});

test('who looks back is told of all that failed up to there, and has it done again when asked', async () => {
  const { kept, model, now, before } = failing();
  const told = async (...messages: string[]) => (await before(...messages)).failures.map(({ why }) => why);
  expect(await told('a')).toEqual([]);
  expect(await told('a', 'b', 'c', 'd')).toEqual(['it gave no answer']);
  expect((await now('a', 'b', 'c')).failures).toEqual([]);
  // The conversation as it is has made the same experience.
  const live = ['a', 'by rules', 'c'];
  expect((await now('a', 'b', 'c')).state).toEqual(live);
  model.fails = false;
  expect((await before('a', 'b', 'c', 'd')).state).toEqual([...live, 'd']);
  kept.retryFailures();
  expect((await before('a', 'b', 'c', 'd')).state).toEqual(['a', 'b', 'c', 'd']);
  expect(await told('a', 'b', 'c', 'd')).toEqual([]);
  expect((await now('a', 'b', 'c')).state).toEqual(live);
});

test('what fails again when it is done again is not tried for every turn after it', async () => {
  const { kept, before } = failing();
  await before('a', 'b');
  kept.retryFailures();
  const first = (await before('a', 'b', 'c')).state;
  expect(first).toEqual(['a', 'by rules', 'c']);
  expect(((await before('a', 'b', 'c', 'd')).state as unknown[]).slice(0, 3)).toEqual(first);
  expect((await before('a', 'b', 'c', 'd')).failures).toHaveLength(1);
});

test('other models make everything anew', async () => {
  const { memory, taken } = listing();
  const kept = new MemoryStateCache();
  await after(kept, memory, turns('a'), 'm');
  await after(kept, memory, turns('a'), 'other');
  expect(taken).toEqual(['a', 'a']);
});

test('another tokenizer makes everything anew for a memory that counts, and nothing for others', async () => {
  const { memory, taken } = listing();
  const kept = new MemoryStateCache();
  const inUnit = (unit: string, of: typeof memory) =>
    after(kept, of, turns('a'), 'm', undefined, undefined, undefined, unit);
  const counting = { ...memory, name: 'counting', counts: true as const };
  for (const unit of ['words', 'letters']) for (const of of [memory, counting]) await inUnit(unit, of);
  expect(taken).toEqual(['a', 'a', 'a']);
});

test('a parameter that it depends on makes everything anew, and another one nothing', async () => {
  const { memory, taken } = listing();
  const kept = new MemoryStateCache();
  const shaped = { ...memory, shapedBy: ['threadDecay'] as const };
  const by = (other: Partial<MemoryParameters>) =>
    after(kept, shaped, turns('a'), 'm', undefined, { ...defaultParameters, ...other });
  await by({});
  await by({ memoryK: 3 });
  expect(taken).toEqual(['a']);
  await by({ threadDecay: 0.5 });
  expect(taken).toEqual(['a', 'a']);
});

test('where a model fails the caller is told, what was made stays, and the next call goes on', async () => {
  const { memory, taken } = listing();
  const kept = new MemoryStateCache();
  await expect(after(kept, memory, turns('a', 'broken'), 'm')).rejects.toThrow('the model failed');
  expect(await after(kept, memory, turns('a', 'b'), 'm')).toEqual(['a', 'b']);
  expect(taken).toEqual(['a', 'broken', 'b']);
});

test('calls at the same time take each turn in once', async () => {
  const { memory, taken } = listing();
  const kept = new MemoryStateCache();
  await Promise.all([after(kept, memory, turns('a', 'b'), 'm'), after(kept, memory, turns('a', 'b'), 'm')]);
  expect(taken).toEqual(['a', 'b']);
});

test('it tells how far it is, and who does not want it any more ends it there', async () => {
  const { memory, taken } = listing();
  const kept = new MemoryStateCache();
  const told: string[] = [];
  const until = (last: number) => async (done: number, of: number) => {
    told.push(`${done} of ${of}`);
    if (done === last) throw new Error('enough');
  };
  await expect(after(kept, memory, turns('a', 'b', 'c'), 'm', until(2))).rejects.toThrow('enough');
  expect(taken).toEqual(['a', 'b']);
  expect(await after(kept, memory, turns('a', 'b', 'c'), 'm', until(4))).toEqual(['a', 'b', 'c']);
  expect(taken).toEqual(['a', 'b', 'c']);
  expect(told).toEqual(['0 of 3', '1 of 3', '2 of 3', '2 of 3', '3 of 3']);
});
