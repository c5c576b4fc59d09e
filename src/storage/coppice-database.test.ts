import { Dexie } from 'dexie';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { gate } from '../engine/testing/plain-models.ts';
import { type CoppiceDatabase, guardOf } from './coppice-database.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A database whose connection is broken, and that opens again once it is told to; and who hears that it is blocked. */
const brokenDatabase = () => {
  const listeners = new Set<() => void>();
  const { open: letGo, opened } = gate();
  const on = (_: string, listener?: () => void) => {
    if (listener !== undefined) listeners.add(listener);
    return { unsubscribe: (one: () => void) => listeners.delete(one) };
  };
  const db = { isEnded: false, close: () => undefined, open: () => opened, on } as unknown as CoppiceDatabase;
  let isBroken = true;
  const read = async (): Promise<string> => {
    if (!isBroken) return 'read';
    isBroken = false;
    throw new Dexie.DatabaseClosedError('closed');
  };
  return { listeners, letGo, read: () => guardOf(db)(read) };
};

/** How long the browser may take to open a database, in milliseconds. */
const LIMIT = 15_000;

test('a page that was suspended while its database opened again reads it when that opens just after it has woken up', async () => {
  const { read, letGo } = brokenDatabase();
  const reading = read();
  // The timers that are overdue run first.
  await vi.advanceTimersByTimeAsync(LIMIT);
  letGo();
  expect(await reading).toBe('read');
});

test('a database that never opens again counts as closed', async () => {
  const reading = expect(brokenDatabase().read()).rejects.toMatchObject({ kind: 'closed' });
  await vi.advanceTimersByTimeAsync(2 * LIMIT);
  await reading;
});

test('what was to hear of another tab while the database opened again is gone when it has', async () => {
  const { read, letGo, listeners } = brokenDatabase();
  const reading = read();
  await vi.advanceTimersByTimeAsync(0);
  expect(listeners.size).toBe(1);
  letGo();
  await reading;
  expect(listeners.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});
