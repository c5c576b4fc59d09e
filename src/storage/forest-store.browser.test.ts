import { expect, test } from 'vitest';
import { applyEntries, fold, frozen } from '../domain/apply.ts';
import type { Entry } from '../domain/entry.ts';
import type { Forest } from '../domain/forest.ts';
import { handle, type Intent } from '../domain/handle.ts';
import { HandledCounts } from '../domain/handled-counts.ts';
import { scrub } from '../domain/scrub.ts';
import { plainForest } from '../domain/testing/plain-forest.ts';
import { syntheticLog } from '../domain/testing/synthetic-forest.ts';
import type { ForestSnapshot } from '../engine/storage.ts';
import { inDatabase, makeOfVersion, testDatabases } from './testing/databases.ts';
import { sampleMeta } from './testing/storage-contract.ts';

const { freshName, connect } = testDatabases();

const always = async () => true;

/** More turns than one shelf has rows. */
const SHELF = 4_200;

const momentOf = (log: readonly Entry[], count: number): ForestSnapshot => {
  const handled = new HandledCounts();
  handled.take(log, count);
  return { count, forest: frozen(fold(log, count)), handled };
};

/** Independent of the order in which turns are listed. */
const countsOf = (handled: HandledCounts | undefined) => {
  const { counts = [], ...taken } = handled?.toJSON() ?? {};
  return { ...taken, counts: new Map(counts) };
};

const json = (forest: Forest | undefined): unknown =>
  forest === undefined ? undefined : JSON.parse(JSON.stringify(plainForest(forest)));

/** The stored forests in a database, as stored. */
const forestsIn = (name: string): Promise<{ conversationId: string; part: number; bytes: ArrayBuffer }[]> =>
  inDatabase(name, (db) => db.table('forests').toArray());

/** A packed log with one stored moment. */
const keptLog = async (name: string, turns = 400) => {
  const log = syntheticLog(turns, 3);
  const count = log.length - 500;
  const storage = await connect(name);
  for (let at = 0; at < log.length; at += 2_000) await storage.append(log.slice(at, at + 2_000), sampleMeta('a'));
  expect((await storage.open('a')).kept).toBeNull();
  await storage.pack('a', always);
  await storage.keepMoment('a', momentOf(log, count), always);
  return { storage, log, count };
};

test('a log is opened from the moment that was kept of it, which is its fold, and goes on from there', async () => {
  const name = freshName();
  const { storage, log, count } = await keptLog(name);
  const { entries, kept } = await storage.open('a');
  expect(kept?.count).toBe(count);
  expect(json(kept?.forest)).toEqual(json(fold(log, count)));
  expect(countsOf(kept?.handled)).toEqual(countsOf(momentOf(log, count).handled));
  expect(json(kept === null ? undefined : applyEntries(kept.forest, entries.slice(kept.count)))).toEqual(
    json(fold(log)),
  );
  expect(entries).toEqual(log);
  expect((await storage.open('b')).kept).toBeNull();
});

test('of one that went on only what has changed is kept anew', async () => {
  const name = freshName();
  const { storage, log } = await keptLog(name, SHELF);
  const { kept } = await storage.open('a');
  const before = new Map((await forestsIn(name)).map(({ part, bytes }) => [part, new Uint8Array(bytes).join()]));
  const more = syntheticLog(SHELF + 300, 3);
  await storage.append(more.slice(log.length), sampleMeta('a'));
  const handled = new HandledCounts(kept?.handled);
  handled.take(more);
  const from = kept as ForestSnapshot;
  const forest = applyEntries(from.forest, more.slice(from.count));
  await storage.keepMoment('a', { count: more.length, forest, handled }, always);
  const now = await forestsIn(name);
  const same = now.filter(({ part, bytes }) => before.get(part) === new Uint8Array(bytes).join());
  // The first shelves of texts, details and steps.
  expect(same.map(({ part }) => part)).toEqual([1, 2, 4]);
  const again = (await (await connect(name)).open('a')).kept;
  expect(again?.count).toBe(more.length);
  expect(json(again?.forest)).toEqual(json(fold(more)));
  expect(countsOf(again?.handled)).toEqual(countsOf(momentOf(more, more.length).handled));
});

test('one that another tab kept meanwhile is not mixed with this one', async () => {
  const name = freshName();
  const { storage, log, count } = await keptLog(name);
  const here = (await storage.open('a')).kept as ForestSnapshot;
  const there = await connect(name);
  const edited = handle(frozen(fold(log)), {
    type: 'record',
    step: 'edit',
    event: { type: 'turn-noted', nodeId: 'n7', note: 'mine' },
  } satisfies Intent);
  const event = edited.ok ? edited.events[0] : undefined;
  const entry = { v: 1, seq: log.length + 1, at: 1, step: 'edit', event } as Entry;
  const more = [...log, entry];
  await there.append([entry], sampleMeta('a'));
  await there.keepMoment('a', momentOf(more, more.length), always);
  // Its shelves are not those that this one would leave in place.
  await storage.keepMoment('a', { ...here, count }, always);
  const { kept } = await there.open('a');
  expect(kept?.count).toBe(more.length);
  expect(json(kept?.forest)).toEqual(json(fold(more)));
});

test('a kept moment of which anything is spoiled is none, and goes', async () => {
  for (const spoiled of ['head', 'shelf', 'missing', 'count', 'log'] as const) {
    const name = freshName();
    const { storage, log } = await keptLog(name);
    const rows = await forestsIn(name);
    const [head, shelf] = [rows[0], rows[3]];
    const bit = (row: (typeof rows)[number] | undefined) => {
      const bytes = new Uint8Array(row?.bytes.slice(0) as ArrayBuffer);
      bytes[200] = (bytes[200] ?? 0) ^ 4;
      return { ...row, bytes: bytes.buffer };
    };
    await inDatabase(name, async (db) => {
      if (spoiled === 'head') await db.table('forests').put(bit(head));
      if (spoiled === 'shelf') await db.table('forests').put(bit(shelf));
      if (spoiled === 'missing') await db.table<unknown, [string, number]>('forests').delete(['a', shelf?.part ?? 0]);
      if (spoiled === 'count') await db.table('forests').put({ ...head, seq: log.length - 499 });
      if (spoiled === 'log') await db.table('packs').put({ conversationId: 'a', from: 0, stamp: 'another' });
    });
    const { entries, kept } = await storage.open('a');
    expect(kept, spoiled).toBeNull();
    expect(entries.length).toBe(log.length);
    expect(await forestsIn(name), spoiled).toEqual([]);
  }
});

test('what is written anew or removed is in no kept moment any more, nor in one that was being kept', async () => {
  const name = freshName();
  const { storage, log } = await keptLog(name);
  const purged = scrub(log, ['n7']);
  const moment = momentOf(log, log.length);
  let parts = 0;
  const keeping = storage.keepMoment('a', moment, async () => {
    if (++parts === 3) await storage.rewrite(purged, log.length, sampleMeta('a'), []);
    return true;
  });
  await keeping;
  expect(parts).toBeGreaterThan(3);
  expect(await forestsIn(name)).toEqual([]);
  await storage.pack('a', always);
  await storage.keepMoment('a', momentOf(purged, purged.length), always);
  expect((await storage.open('a')).kept?.forest.nodes.n7?.message).toBe(fold(purged).nodes.n7?.message);
  await storage.purge('a');
  expect(await forestsIn(name)).toEqual([]);
  expect(await storage.open('a')).toEqual({ entries: [], kept: null });
});

test('keeping that is ended keeps nothing', async () => {
  const name = freshName();
  const { storage, log } = await keptLog(name);
  const before = await forestsIn(name);
  let parts = 0;
  await storage.keepMoment('a', momentOf(log, log.length), async () => ++parts < 5);
  expect(await forestsIn(name)).toEqual(before);
});

test('a database of the sixth version is upgraded: nothing in it changes, and moments can be kept', async () => {
  const name = freshName();
  const log = syntheticLog(300, 3);
  await makeOfVersion(name, 6, async (sixth) => {
    await sixth.table('entries').bulkAdd(log.map((entry) => ({ ...entry, conversationId: 'a' })));
    await sixth.table('conversations').put(sampleMeta('a'));
  });

  const storage = await connect(name);
  expect(await storage.open('a')).toEqual({ entries: log, kept: null });
  await storage.pack('a', always);
  await storage.keepMoment('a', momentOf(log, 1_200), always);
  expect((await storage.open('a')).kept?.count).toBe(1_200);
});
