import { expect, test } from 'vitest';
import { type MemGpt, memgpt, underPressure } from './memgpt.ts';
import type { MemoryTools } from './memory.ts';
import { handTools, saidAt, vectorOf } from './testing/hand-tools.ts';

const LETTERS = 'xyz';
const query = (message: string) => ({ number: 99, at: 0, message, vector: vectorOf(message, LETTERS) });

/** Summaries of nine tokens, regardless of their subject. */
const short = (letters: string) => {
  const { tools, condensed } = handTools(letters);
  const condense: MemoryTools['condense'] = async (task) => {
    condensed.push(task);
    return 'In short.';
  };
  return { tools: { ...tools, condense }, condensed };
};

/** One token per character, 6 of them for “User: ”: six turns of 200 tokens fill a budget of 1,200. */
const long = (letter: string) => letter.padEnd(194, '.');

const grown = async (letters: readonly string[], tools: MemoryTools): Promise<MemGpt> => {
  let memory = memgpt.empty;
  for (const [i, letter] of letters.entries()) memory = await memgpt.take(memory, saidAt(i + 1, long(letter)), tools);
  return memory;
};

const turnsOf = (stored: Iterable<MemGpt['queue'][number]>) => Array.from(stored, ({ turn }) => turn.nodeId);

test('up to its budget the queue keeps everything, and is under pressure from seven tenths on', async () => {
  const { tools, condensed } = handTools(LETTERS);
  const four = await grown(['x', 'x', 'x', 'x'], tools);
  expect(underPressure(four)).toBe(false);
  const six = await grown(['x', 'x', 'x', 'x', 'x', 'x'], tools);
  expect(underPressure(six)).toBe(true);
  expect(turnsOf(six.queue)).toHaveLength(6);
  expect(condensed).toEqual([]);
});

test('when it overflows the oldest turns are evicted, first in first out, until half of the budget is left', async () => {
  const { tools, condensed } = handTools(LETTERS);
  const memory = await grown(['x', 'y', 'z', 'x', 'y', 'z', 'x'], tools);
  expect(turnsOf(memory.recallStorage)).toEqual(['t1', 't2', 't3', 't4']);
  expect(turnsOf(memory.queue)).toEqual(['t5', 't6', 't7']);
  expect(condensed.map(({ texts }) => texts.length)).toEqual([4]);
});

test('the next eviction folds into the summary that is there', async () => {
  const { tools, condensed } = short(LETTERS);
  const memory = await grown(
    Array.from({ length: 11 }, () => 'x'),
    tools,
  );
  // Its summary takes up space too: three turns of 200 plus nine tokens are already more than half.
  expect(turnsOf(memory.recallStorage)).toEqual(['t1', 't2', 't3', 't4', 't5', 't6', 't7', 't8']);
  expect(condensed[1]?.texts[0]).toBe('In short.');
});

test('under pressure, once until the next eviction, what must not be lost goes to the working context', async () => {
  const { tools } = short(LETTERS);
  const asked: string[] = [];
  const ask: MemoryTools['ask'] = async (_, text) => {
    asked.push(text);
    return `- The user has ${asked.length} boats.\n- "none"\n2. They are red.`;
  };
  const by = { ...tools, ask };
  expect((await grown(['x', 'x', 'x', 'x'], by)).working).toEqual([]);
  expect(asked).toEqual([]);
  const five = await grown(['x', 'x', 'x', 'x', 'x'], by);
  expect(asked).toHaveLength(1);
  expect(five.working.map(({ text }) => text)).toEqual(['The user has 1 boats.', 'They are red.']);
  asked.length = 0;
  // Evicted at the seventh turn, and warned again when it fills up.
  const ten = await grown(['x', 'x', 'x', 'x', 'x', 'x', 'x', 'x', 'x', 'x'], by);
  expect(asked).toHaveLength(2);
  // What is already known is not saved again.
  expect(ten.working.map(({ text }) => text)).toEqual([
    'The user has 1 boats.',
    'They are red.',
    'The user has 2 boats.',
  ]);
  const { items } = await memgpt.recall(ten, query('x'), tools);
  expect(items[0]).toMatchObject({ cell: 'working context', text: expect.stringContaining('They are red.') });
  expect(items[0]?.from).toContain('t1');
});

test('without a language model sentences that bind are saved', async () => {
  const { tools } = handTools(LETTERS);
  let memory = memgpt.empty;
  const said = ['I must be in Lisbon by 7 May, my budget is 300.', ...Array.from({ length: 3 }, () => long('x'))];
  for (const [i, message] of said.entries()) memory = await memgpt.take(memory, saidAt(i + 1, message), tools);
  expect(memory.working).toEqual([]);
  memory = await memgpt.take(memory, saidAt(5, long('y')), tools);
  expect(memory.working.map(({ text, from }) => [text, from])).toEqual([[said[0], ['t1']]]);
});

test('the working context holds a quarter of the budget, the newest facts, and none that is too long by itself', async () => {
  const { tools } = handTools(LETTERS);
  const facts = ['a', 'b', 'c'].map((letter) => letter.repeat(120));
  const ask = async () => [...facts, 'd'.repeat(301)].join('\n');
  const memory = await grown(['x', 'x', 'x', 'x', 'x'], { ...tools, ask });
  expect(memory.working.map(({ text }) => text)).toEqual(facts.slice(1));
});

test('the newest turn stays, however long', async () => {
  const { tools } = handTools(LETTERS);
  const memory = await memgpt.take(memgpt.empty, saidAt(1, 'x'.repeat(5000)), tools);
  expect(turnsOf(memory.queue)).toEqual(['t1']);
});

test('what was evicted and is like the message is paged in, before the queue and in order of time', async () => {
  const { tools } = handTools(LETTERS);
  const memory = await grown(['x', 'y', 'z', 'x', 'y', 'z', 'z'], tools);
  const { items } = await memgpt.recall(memory, query('x'), tools);
  expect(items.map(({ cell }) => cell)).toEqual(['summary', 't1', 't4', 't5', 't6', 't7']);
});

test('a language model searches as often as it likes, three times at most, and what it says otherwise ends that', async () => {
  const { tools } = handTools(LETTERS);
  const memory = await grown(['x', 'y', 'z', 'x', 'y', 'z', 'z'], tools);
  const paged = async (...answers: string[]) => {
    let calls = 0;
    const ask = async () => answers[calls++] ?? 'search("x")';
    const { items } = await memgpt.recall(memory, query('anything'), { ...tools, ask });
    return { calls, cells: items.map(({ cell }) => cell) };
  };
  expect(await paged('done()')).toEqual({ calls: 1, cells: ['summary', 't5', 't6', 't7'] });
  expect((await paged('search("y")', 'done()')).cells.slice(1, 3)).toContain('t2');
  expect((await paged('I think so')).calls).toBe(1);
  expect((await paged()).calls).toBe(3);
});

test('where the language model gives no answer, what is like the message is paged in as without one', async () => {
  const { tools } = handTools(LETTERS);
  const memory = await grown(['x', 'y', 'z', 'x', 'y', 'z', 'z'], tools);
  const paged = async (by: MemoryTools) => (await memgpt.recall(memory, query('x'), by)).items.map(({ cell }) => cell);
  let calls = 0;
  const ask = async () => {
    calls += 1;
    return ' ';
  };
  expect(await paged({ ...tools, ask })).toEqual(await paged(tools));
  expect(calls).toBe(1);
});

test('it is shown as its two parts: the main context with the summary and the queue, and the recall storage', async () => {
  const { tools } = handTools(LETTERS);
  const shown = (memory: MemGpt) =>
    memgpt.cells(memory, 0).map(({ id, parent, name }) => [id, parent, name].join(' < '));
  expect(shown(await grown(['x'], tools))).toEqual([
    'main context <  < main context',
    't1 < main context < turn 1',
    'recall storage <  < recall storage',
  ]);
  const memory = await grown(['x', 'y', 'z', 'x', 'y', 'z', 'x'], short(LETTERS).tools);
  expect(shown(memory).slice(0, 3)).toEqual([
    'main context <  < main context',
    'summary < main context < summary',
    't5 < main context < turn 5',
  ]);
  expect(shown(memory).slice(5, 7)).toEqual(['recall storage <  < recall storage', 't1 < recall storage < turn 1']);
  expect(memgpt.cells(memory, 0)[0]?.text).toBe('609 of 1200 tokens');
});
