import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MemoryTools } from './memory.ts';
import { type MemoryBank, memoryBank, retention } from './memory-bank.ts';
import { handTools, saidAt, vectorOf } from './testing/hand-tools.ts';

const LETTERS = 'xyz';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Messages, each with the hours since the start of the first day. */
const lived = async (said: readonly (readonly [string, number])[], tools: MemoryTools): Promise<MemoryBank> => {
  let bank = memoryBank.empty;
  for (const [i, [message, hours]] of said.entries()) {
    bank = await memoryBank.take(bank, saidAt(i + 1, message, hours * HOUR), tools);
  }
  return bank;
};

const query = (message: string, hours: number) => ({
  number: 99,
  at: hours * HOUR,
  message,
  vector: vectorOf(message, LETTERS),
});

const recalled = async (bank: MemoryBank, message: string, hours: number, tools: MemoryTools) =>
  (await memoryBank.recall(bank, query(message, hours), tools)).items;

const strengths = ({ pieces }: MemoryBank) =>
  Object.fromEntries(pieces.map(({ id, strength }) => [id, strength] as const));

test('retention is Ebbinghaus’s curve over days: it falls with time, and slower the stronger a piece is', () => {
  expect(retention({ strength: 1, recalledAt: 0 }, 0)).toBe(1);
  expect(retention({ strength: 1, recalledAt: 0 }, DAY)).toBeCloseTo(Math.exp(-1));
  expect(retention({ strength: 3, recalledAt: DAY }, 3 * DAY)).toBeCloseTo(Math.exp(-2 / 3));
  const days = fc.double({ min: 0, max: 400, noNaN: true });
  fc.assert(
    fc.property(days, days, fc.integer({ min: 1, max: 30 }), (a, b, strength) => {
      const [soon, late] = [Math.min(a, b) * DAY, Math.max(a, b) * DAY];
      const piece = { strength, recalledAt: 0 };
      expect(retention(piece, late)).toBeLessThanOrEqual(retention(piece, soon));
      expect(retention({ ...piece, strength: strength + 1 }, late)).toBeGreaterThanOrEqual(retention(piece, late));
    }),
  );
});

test('a turn that nobody came back to is forgotten within a day; one that was recalled stays longer', async () => {
  const { tools } = handTools(LETTERS, 0.5, { memoryK: 1 });
  const bank = await lived(
    [
      ['x', 0],
      ['y', 1],
      ['x', 2],
    ],
    tools,
  );
  // The third message recalled the first turn.
  expect(strengths(bank)).toMatchObject({ t1: 2, t2: 1, t3: 1 });
  const known = async (hours: number) =>
    new Set((await recalled(bank, 'xy', hours, handTools(LETTERS).tools)).map(({ cell }) => cell));
  expect(await known(3)).toEqual(new Set(['t1', 't2', 't3', 'day 1970-01-01']));
  // e^(−19/24) = 0.45 for what was said at hour two, e^(−19/48) = 0.67 for what was recalled: the first turn at that hour, the day
  // by the second message, which resembled nothing.
  expect(await known(21)).toEqual(new Set(['t1', 'day 1970-01-01']));
  // On the next day only what is kept of all days is left.
  expect(await known(48)).toEqual(new Set(['portrait of the person', 'events of all days']));
});

test('what is forgotten is gone, and does not come back with a message like it', async () => {
  const { tools } = handTools(LETTERS);
  const bank = await lived(
    [
      ['x', 0],
      ['x', 40],
    ],
    tools,
  );
  expect(Object.keys(strengths(bank))).toEqual(['day 1970-01-02', 't2']);
  expect(strengths(bank).t2).toBe(1);
});

test('the events of a day are summarised turn by turn, and are a piece as turns are', async () => {
  const { tools, condensed } = handTools(LETTERS);
  const bank = await lived(
    [
      ['x', 0],
      ['y', 1],
    ],
    tools,
  );
  const events = condensed.filter(({ instructions }) => instructions.includes('events of a day'));
  expect(events.map(({ texts }) => texts)).toEqual([['User: x'], ['User: x', 'User: y']]);
  const day = bank.pieces.find(({ id }) => id === 'day 1970-01-01');
  expect([day?.text, day?.from.toArray()]).toEqual(['User: x+User: y', ['t1', 't2']]);
  expect(memoryBank.cells(bank, 2 * HOUR).map(({ id, parent }) => [id, parent])).toEqual([
    ['day 1970-01-01', null],
    ['t1', 'day 1970-01-01'],
    ['t2', 'day 1970-01-01'],
  ]);
});

test('when a day is over, its events and what it showed of the person go into what is kept of all days', async () => {
  const { tools } = handTools(LETTERS);
  const said = [
    ['x', 1],
    ['y', 30],
    ['z', 60],
  ] as const;
  expect((await lived(said.slice(0, 1), tools)).events).toBeNull();
  const bank = await lived(said, tools);
  expect([bank.events?.text, bank.events?.from.toArray()]).toEqual(['User: x+User: y', ['t1', 't2']]);
  expect(bank.portrait?.text).toBe('User: x+User: y');
  const items = await recalled(bank, 'z', 61, tools);
  expect(items.map(({ cell, score }) => [cell, score === null])).toEqual([
    ['portrait of the person', true],
    ['events of all days', true],
    ['day 1970-01-03', false],
    ['t3', false],
  ]);
  // A year later only the user is still known.
  expect((await recalled(bank, 'z', 9000, tools)).map(({ cell }) => cell)).toEqual([
    'portrait of the person',
    'events of all days',
  ]);
});

test('the first message after a day recalls that day with those before it, without asking anybody to join them', async () => {
  const { tools, condensed } = handTools(LETTERS);
  const texts = async (bank: MemoryBank, hours: number) =>
    Object.fromEntries(
      (await recalled(bank, 'z', hours, tools)).map(({ cell, text, from }) => [cell, [text, ...from]]),
    );
  const first = await lived([['x', 1]], tools);
  expect(await texts(first, 5)).not.toHaveProperty('events of all days');
  const both = await lived(
    [
      ['x', 1],
      ['y', 30],
    ],
    tools,
  );
  condensed.length = 0;
  expect(await texts(first, 30)).toEqual({
    'portrait of the person': ['User: x', 't1'],
    'events of all days': ['User: x', 't1'],
  });
  expect(await texts(both, 60)).toEqual({
    'portrait of the person': ['User: x User: y', 't1', 't2'],
    'events of all days': ['User: x User: y', 't1', 't2'],
  });
  // What is shown of it is what is recalled.
  const shown = (bank: MemoryBank, hours: number) =>
    memoryBank.cells(bank, hours * HOUR).flatMap(({ id, text }) => (id.includes(' of ') ? [[id, text]] : []));
  expect(shown(first, 5)).toEqual([]);
  expect(shown(first, 30)).toEqual([
    ['portrait of the person', 'User: x'],
    ['events of all days', 'User: x'],
  ]);
  expect(shown(both, 60)).toEqual([
    ['portrait of the person', 'User: x User: y'],
    ['events of all days', 'User: x User: y'],
  ]);
  expect(condensed).toEqual([]);
});

test('a day that has just ended is recalled once, with those before it and not as a piece besides', async () => {
  const { tools } = handTools(LETTERS);
  const bank = await lived([['x', 23]], tools);
  const cells = async (hours: number) => (await recalled(bank, 'x', hours, tools)).map(({ cell }) => cell);
  expect(await cells(23.5)).toEqual(['day 1970-01-01', 't1']);
  expect(await cells(25)).toEqual(['portrait of the person', 'events of all days', 't1']);
});

test('what is shown for a message has neither what is forgotten by then nor the day that is over by then', async () => {
  const { tools } = handTools(LETTERS, 0.5, { memoryK: 1 });
  const bank = await lived(
    [
      ['x', 0],
      ['y', 10],
    ],
    tools,
  );
  const shown = (hours: number) => memoryBank.cells(bank, hours * HOUR).map(({ id, parent }) => [id, parent]);
  // e^(−18/24) = 0.47 for what was said first.
  expect(shown(18)).toEqual([
    ['day 1970-01-01', null],
    ['t2', 'day 1970-01-01'],
  ]);
  const kept = [
    ['portrait of the person', null],
    ['events of all days', null],
  ];
  expect(shown(25)).toEqual([...kept, ['t2', null]]);
  expect(shown(50)).toEqual(kept);
});

test('the first message of a day strengthens what it recalled, not the piece of the day that is over', async () => {
  const { tools } = handTools(LETTERS, 0.5, { memoryK: 1 });
  const said = [
    ['x', 23],
    ['x', 25],
  ] as const;
  const before = await lived(said.slice(0, 1), tools);
  expect((await recalled(before, 'x', 25, tools)).map(({ cell }) => cell)).toContain('t1');
  expect(strengths(await lived(said, tools))).toMatchObject({ 'day 1970-01-01': 1, t1: 2 });
});

test('the portrait is of what the person said, and not of replies', async () => {
  const { tools, condensed } = handTools(LETTERS);
  await memoryBank.take(memoryBank.empty, { ...saidAt(1, 'x'), reply: 'y' }, tools);
  const portraits = condensed.filter(({ instructions }) => instructions.includes('portrait'));
  expect(portraits.map(({ texts }) => texts)).toEqual([['User: x']]);
});

test('six pieces are recalled, nearest first, or as many as is asked for', async () => {
  const { tools } = handTools(LETTERS);
  const said = Array.from({ length: 9 }, (_, at) => [at < 4 ? 'x' : 'y', at / 10] as const);
  const bank = await lived(said, tools);
  const items = await recalled(bank, 'x', 1, tools);
  expect(items).toHaveLength(6);
  expect(items.slice(0, 4).map(({ cell }) => cell)).toEqual(['t1', 't2', 't3', 't4']);
  expect(await recalled(bank, 'x', 1, handTools(LETTERS, 0.5, { memoryK: 2 }).tools)).toHaveLength(2);
});

test('a day that comes back, after turns of the day before were imported, goes on with its events', async () => {
  const { tools } = handTools(LETTERS);
  const said = [
    ['x', 30],
    ['y', 23],
    ['z', 31],
    ['x', 54],
  ] as const;
  const bank = await lived(said.slice(0, 3), tools);
  const day = bank.pieces.find(({ id }) => id === 'day 1970-01-02');
  expect([day?.text, day?.from.toArray()]).toEqual(['User: x+User: z', ['t1', 't3']]);
  // What it has had before does not count twice.
  const over = await lived(said, tools);
  expect(over.events?.from.toArray()).toEqual(['t1', 't2', 't3']);
  const items = await recalled(bank, 'x', 54, tools);
  expect(items.find(({ cell }) => cell === 'events of all days')?.from).toEqual(['t1', 't2', 't3']);
});

test('a clock that was set back makes nothing fresher than fresh', () => {
  expect(retention({ strength: 1, recalledAt: DAY }, 0)).toBe(1);
});
