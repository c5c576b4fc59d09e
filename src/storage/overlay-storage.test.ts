import { expect, test } from 'vitest';
import type { Entry } from '../domain/entry.ts';
import { scrub } from '../domain/scrub.ts';
import { Life } from '../domain/testing/random-life.ts';
import { type Storage, StorageFailure } from '../engine/storage.ts';
import { memoryStorage, overlayStorage } from './memory-storage.ts';
import { sampleLesson } from './testing/storage-contract.ts';

const meta = (id: string, updatedAt: number) => ({ id, title: id, turns: 1, createdAt: 0, updatedAt, deletedAt: null });

test('what is stored below is still read, and what is added stays above', async () => {
  const life = new Life();
  for (let i = 0; i < 4; i++) life.say(null);
  const log = life.entries;
  const below = memoryStorage();
  await below.append(log.slice(0, 5), meta('old', 1));
  const storage = overlayStorage(below);
  expect(await storage.read('old')).toHaveLength(5);
  expect(await storage.append(log.slice(5), meta('old', 2))).toBeNull();
  await storage.append(log, meta('new', 3));
  expect(await storage.read('old')).toEqual(log);
  expect((await storage.conversations()).map(({ id }) => id)).toEqual(['new', 'old']);
  expect(await below.read('old')).toHaveLength(5);
});

test('a deleted conversation makes room below only once it is deleted for good', async () => {
  const life = new Life();
  life.say(null);
  const below = memoryStorage();
  await below.append(life.entries, meta('a', 1));
  const storage = overlayStorage(below);
  await storage.setDeleted(['a'], 5);
  expect(await below.read('a')).toEqual(life.entries);
  expect(await storage.purge('a', 'deleted')).toBe(true);
  expect(await below.read('a')).toEqual([]);
});

test('what is rewritten is rewritten below, too: a purge leaves no word there, or says that it failed', async () => {
  const life = new Life();
  const secret = life.say(null, 'the secret');
  life.say(secret);
  const stored = [...life.entries];
  const below = memoryStorage();
  await below.append(stored, meta('a', 1));
  const storage = overlayStorage(below);
  life.say(null);
  await storage.append(life.entries, meta('a', 2));
  const without = scrub(life.entries, [secret]);

  const full = overlayStorage({ ...below, rewrite: () => Promise.reject(new StorageFailure('full', 'It is full.')) });
  await full.append(life.entries, meta('a', 2));
  await expect(full.rewrite(without, life.entries.length, meta('a', 3), [])).rejects.toThrow('It is full.');
  expect(await full.read('a')).toEqual(life.entries);

  await storage.rewrite(without, life.entries.length, meta('a', 3), []);
  expect(await storage.read('a')).toEqual(without);
  expect(await below.read('a')).toEqual(without.slice(0, stored.length));
});

test('what is stored below with its fields in another order is the same version; with other words it is not', async () => {
  const life = new Life();
  const secret = life.say(null, 'the secret');
  const log = life.entries;
  const without = scrub(log, [secret]);
  const purged = async (stored: readonly Entry[]) => {
    const below = memoryStorage();
    await below.append(stored, meta('a', 1));
    const storage = overlayStorage(below);
    await storage.append(log, meta('a', 2));
    await storage.rewrite(without, log.length, meta('a', 3), [secret]);
    return below.read('a');
  };
  expect(await purged(log.map(reversed) as Entry[])).toEqual(without);
  await expect(purged(scrub(log, [secret]))).rejects.toThrow('another version');
});

/** The same with the fields of every object in the opposite order. */
const reversed = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, reversed(inner)])
      .reverse(),
  );
};

test('what is deleted is deleted below, too, and above alone where that is refused', async () => {
  const below = memoryStorage();
  const life = new Life();
  life.say(null);
  await below.append(life.entries, meta('a', 1));
  await below.append(life.entries, meta('b', 1));
  const storage = overlayStorage(below);
  await storage.append(life.entries, meta('new', 2));
  await storage.setDeleted(['a', 'b', 'new'], 9);
  await storage.setDeleted(['b'], null);
  const deletedOf = async (of: Storage) =>
    Object.fromEntries((await of.conversations()).map(({ id, deletedAt }) => [id, deletedAt]));
  expect(await deletedOf(below)).toEqual({ a: 9, b: null });
  expect(await deletedOf(storage)).toEqual({ a: 9, b: null, new: 9 });

  const refuse = () => Promise.reject(new StorageFailure('full', 'It is full.'));
  const full = overlayStorage({ ...below, setDeleted: refuse });
  await full.setDeleted(['b'], 9);
  expect(await deletedOf(full)).toEqual({ a: 9, b: 9 });
});

test('a deleted conversation that is imported again, without anything new, comes back with what was said in it', async () => {
  const below = memoryStorage();
  const life = new Life();
  life.say(null);
  await below.append(life.entries, { ...meta('a', 1), deletedAt: 9 });
  const storage = overlayStorage(below);
  await storage.append([], meta('a', 2));
  expect(await storage.conversation('a')).toMatchObject({ deletedAt: null, updatedAt: 2 });
  expect(await storage.read('a')).toEqual(life.entries);
  expect((await storage.open('a')).entries).toEqual(life.entries);
  expect(await below.conversation('a')).toMatchObject({ deletedAt: null });
  const stored = life.entries.length;
  life.say(null);
  expect(await storage.append(life.entries.slice(stored), meta('a', 3))).toBeNull();
  expect(await storage.read('a')).toEqual(life.entries);
});

test('it goes on where nothing can be read below any more', async () => {
  const closed = () => Promise.reject(new StorageFailure('closed', 'It was closed.'));
  const below = { ...memoryStorage(), conversation: closed, read: closed, append: closed, readVectors: closed };
  const storage = overlayStorage(below);
  const life = new Life();
  life.say(null);
  expect(await storage.append(life.entries, meta('a', 1))).toBeNull();
  expect(await storage.read('a')).toEqual(life.entries);
  await storage.saveVectors('m', new Map([['x', Float32Array.of(1)]]));
  expect(await storage.readVectors('m', ['y', 'x'])).toEqual([undefined, Float32Array.of(1)]);
});

test('lessons from below go on above, and changing them leaves those below alone', async () => {
  const below = memoryStorage();
  await below.replaceLessons([sampleLesson('a', 'n1')]);
  await below.setLearns(false);
  const storage = overlayStorage(below);
  await storage.saveLessons({ conversationId: 'b', nodeId: 'n2' }, [sampleLesson('b', 'n2', { at: 2 })]);
  expect((await storage.lessons()).map(({ nodeId }) => nodeId)).toEqual(['n1', 'n2']);
  expect(await storage.learns()).toBe(false);
  await storage.replaceLessons([]);
  expect(await storage.lessons()).toEqual([]);
  expect(await below.lessons()).toHaveLength(1);
});
