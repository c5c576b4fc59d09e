import { Dexie } from 'dexie';
import { expect, test } from 'vitest';
import { type IndexedDbStorage, openIndexedDbStorage, openStorage } from './indexeddb-storage.ts';
import { breakableDatabases, inDatabase, makeOfVersion, openNewer, testDatabases } from './testing/databases.ts';
import { sampleEntries, sampleLesson, sampleMeta, storageContract } from './testing/storage-contract.ts';

declare global {
  /** Storage Buckets, which Chromium has and TypeScript does not know: an IndexedDB with a quota of its own. */
  interface Navigator {
    readonly storageBuckets: {
      open(name: string, options: { quota: number }): Promise<{ readonly indexedDB: IDBFactory }>;
      delete(name: string): Promise<void>;
    };
  }
}

const { freshName, connect, closedAtEnd } = testDatabases();

storageContract('IndexedDB', () => {
  const name = freshName();
  return { connect: () => connect(name) };
});

const spoil = (name: string, table: string, row: object) => inDatabase(name, (db) => db.table(table).put(row));

test('what was stored is there after the tab is closed and opened again', async () => {
  const name = freshName();
  const first = await connect(name);
  await first.append(sampleEntries(1, 3), sampleMeta('a'));
  first.close();
  const second = await connect(name);
  expect(await second.read('a')).toEqual(sampleEntries(1, 3));
  expect(await second.conversations()).toEqual([sampleMeta('a')]);
});

test('a damaged entry is named, an entry of a newer version is told apart', async () => {
  const name = freshName();
  const storage = await connect(name);
  await storage.append(sampleEntries(1, 4), sampleMeta('a'));
  await spoil(name, 'entries', { ...sampleEntries(3, 3)[0], conversationId: 'a', at: 'noon' });
  await expect(storage.read('a')).rejects.toMatchObject({
    kind: 'damaged',
    message: expect.stringMatching(/conversation a .*entry 3: expected "at" to be a number/),
  });
  await spoil(name, 'entries', { ...sampleEntries(3, 3)[0], conversationId: 'a', v: 2 });
  await expect(storage.read('a')).rejects.toMatchObject({ kind: 'newer-version' });
  expect(await storage.read('a', 3)).toEqual(sampleEntries(4, 4));
});

test('an entry that is missing in the middle counts as damage', async () => {
  const name = freshName();
  const storage = await connect(name);
  await storage.append(sampleEntries(1, 4), sampleMeta('a'));
  await inDatabase(name, (db) => db.table<unknown, [string, number]>('entries').delete(['a', 2]));
  await expect(storage.read('a')).rejects.toMatchObject({
    kind: 'damaged',
    message: expect.stringContaining('entry 2 is missing'),
  });
});

test('entries that come in large numbers lie in few rows, and are read, continued, written anew and packed like any', async () => {
  const name = freshName();
  const storage = await connect(name);
  await storage.append(sampleEntries(1, 450), sampleMeta('a'));
  await storage.append(sampleEntries(451, 453), sampleMeta('a'));
  await storage.append(sampleEntries(454, 1_300), sampleMeta('a'));
  await storage.append(sampleEntries(1, 30), sampleMeta('b'));
  expect(await seqsIn(name, 'a')).toEqual([200, 400, 450, 451, 452, 453, 653, 853, 1053, 1253, 1300]);
  expect(await storage.read('a')).toEqual(sampleEntries(1, 1_300));
  expect(await storage.read('b')).toEqual(sampleEntries(1, 30));
  for (const [after, limit] of [
    [0, 10],
    [199, 2],
    [200, 200],
    [448, 4],
    [452, 1],
    [1_299, 50],
    [1_300, 50],
  ] as const) {
    const to = Math.min(1_300, after + limit);
    expect(await storage.read('a', after, limit)).toEqual(after === to ? [] : sampleEntries(after + 1, to));
    expect(await storage.read('a', after)).toEqual(after === 1_300 ? [] : sampleEntries(after + 1, 1_300));
  }
  expect(await storage.append(sampleEntries(1_299, 1_301), sampleMeta('a'))).toEqual({
    missed: sampleEntries(1_299, 1_300),
  });
  await storage.pack('a', always);
  expect((await packsIn(name)).map(({ to }) => to)).toEqual([undefined, 1000]);
  expect(await storage.read('a')).toEqual(sampleEntries(1, 1_300));
  expect(await storage.rewrite(sampleEntries(1, 250), 1_300, sampleMeta('a'), [])).toBeNull();
  expect(await storage.read('a')).toEqual(sampleEntries(1, 250));
});

test('a damaged entry among many in a row is named, and so is one that is missing there', async () => {
  const name = freshName();
  const storage = await connect(name);
  const row = { conversationId: 'a', seq: 30 };
  await storage.append(sampleEntries(1, 30), sampleMeta('a'));
  const spoiled = async (entries: unknown) => {
    await spoil(name, 'entries', { ...row, entries });
    return storage.read('a').then(String, ({ message }: Error) => message);
  };
  const [first, second, ...others] = sampleEntries(1, 30);
  expect(await spoiled([first, { ...second, at: 'noon' }, ...others])).toContain(
    'entry 2: expected "at" to be a number',
  );
  expect(await spoiled([first, ...others])).toContain('entry 2 is missing');
  expect(await spoiled(sampleEntries(1, 29))).toContain('entry 30 is missing');
  expect(await spoiled('all of them')).toContain('entry 1: expected');
  expect(await spoiled([first, null, ...others])).toContain('entry 2: expected');
});

test('a damaged row of the list keeps its conversation, and the others, within reach', async () => {
  const name = freshName();
  const storage = await connect(name);
  await storage.append(sampleEntries(1, 1), sampleMeta('a'));
  await storage.append(sampleEntries(1, 1), sampleMeta('b'));
  await spoil(name, 'conversations', { id: 'a', title: 7 });
  const listed = await storage.conversations();
  expect(listed.map(({ id, title }) => [id, title])).toEqual([
    ['b', 'Conversation b'],
    ['a', 'Damaged conversation'],
  ]);
});

test('a database of the first version is upgraded: nothing in it changes, and lessons can be kept', async () => {
  const name = freshName();
  await makeOfVersion(name, 1, async (first) => {
    await first.table('entries').bulkAdd(sampleEntries(1, 3).map((entry) => ({ ...entry, conversationId: 'a' })));
    await first.table('conversations').put(sampleMeta('a'));
    await first.table('vectors').put({ model: 'm', hash: 'h', vector: Float32Array.of(1, 2) });
  });

  const storage = await connect(name);
  expect(await storage.read('a')).toEqual(sampleEntries(1, 3));
  expect(await storage.conversations()).toEqual([sampleMeta('a')]);
  expect(await storage.readVectors('m', ['h'])).toEqual([Float32Array.of(1, 2)]);
  expect(await storage.lessons()).toEqual([]);
  expect(await storage.learns()).toBe(true);
  await storage.saveLessons({ conversationId: 'a', nodeId: 'n1' }, [sampleLesson('a', 'n1')]);
  expect(await storage.lessons()).toEqual([sampleLesson('a', 'n1')]);
});

test('a database of the fourth version is upgraded: nothing in it changes, and its logs can be packed', async () => {
  const name = freshName();
  const log = sampleEntries(1, 2_500);
  await makeOfVersion(name, 4, async (fourth) => {
    await fourth.table('entries').bulkPut(log.map((entry) => ({ ...entry, conversationId: 'a' })));
    await fourth.table('conversations').put(sampleMeta('a'));
  });

  const storage = await connect(name);
  expect(await storage.read('a')).toEqual(log);
  await storage.pack('a', always);
  expect((await packsIn(name)).map(({ from, to }) => [from, to])).toEqual([
    [0, undefined],
    [1, 1000],
    [1001, 2000],
  ]);
  expect(await storage.read('a')).toEqual(log);
});

test('a database of the fifth version is upgraded: nothing in it changes, and what is searched can be kept', async () => {
  const name = freshName();
  await makeOfVersion(name, 5, async (fifth) => {
    await fifth.table('entries').bulkAdd(sampleEntries(1, 3).map((entry) => ({ ...entry, conversationId: 'a' })));
    await fifth.table('conversations').put(sampleMeta('a'));
  });

  const storage = await connect(name);
  expect(await storage.read('a')).toEqual(sampleEntries(1, 3));
  expect(await storage.textsKept()).toEqual([]);
  expect(await storage.saveTexts({ conversationId: 'a', part: 0, seq: 3, text: 'one' })).toBe(true);
  expect(await storage.readTexts([['a', 0]])).toMatchObject([{ text: 'one' }]);
});

test('what is searched of a log goes with every change of it, and is not kept of what it was before', async () => {
  const storage = await connect(freshName());
  const save = (part: number, seq: number) => storage.saveTexts({ conversationId: 'a', part, seq, text: 'secret' });
  const kept = async () =>
    (
      await storage.readTexts([
        ['a', 0],
        ['a', 1],
        ['b', 0],
      ])
    ).map((row) => row?.text);
  await storage.append(sampleEntries(1, 3), sampleMeta('a'));
  await storage.append(sampleEntries(1, 3), sampleMeta('b'));
  await storage.saveTexts({ conversationId: 'b', part: 0, seq: 3, text: 'other' });
  expect([await save(1, 3), await save(0, 3)]).toEqual([true, true]);
  expect(await storage.textsKept()).toEqual(['a', 'b']);
  expect(await kept()).toEqual(['secret', 'secret', 'other']);

  await storage.append(sampleEntries(4, 4), sampleMeta('a'));
  expect(await kept()).toEqual([undefined, undefined, 'other']);
  expect(await save(0, 3)).toBe(false);
  await save(0, 4);
  await storage.rewrite(sampleEntries(1, 4), 4, sampleMeta('a'), []);
  expect(await kept()).toEqual([undefined, undefined, 'other']);
  await save(0, 4);
  await storage.purge('a');
  expect(await kept()).toEqual([undefined, undefined, 'other']);
  expect(await save(0, 4)).toBe(false);
});

const always = async () => true;

/** The sequence numbers of a log's stored rows. */
const seqsIn = async (name: string, id: string): Promise<number[]> => {
  const rows: { seq: number }[] = await inDatabase(name, (db) =>
    db.table('entries').where('[conversationId+seq]').between([id, 0], [id, 9e9]).toArray(),
  );
  return rows.map(({ seq }) => seq);
};

/** The packs in a database, as stored. */
const packsIn = (name: string): Promise<{ conversationId: string; from: number; to?: number; bytes?: ArrayBuffer }[]> =>
  inDatabase(name, (db) => db.table('packs').toArray());

test('a packed log is read from its packs and what came after, and packing goes on from there', async () => {
  const name = freshName();
  const storage = await connect(name);
  await storage.append(sampleEntries(1, 1_200), sampleMeta('a'));
  await storage.append(sampleEntries(1, 1_200), sampleMeta('b'));
  await storage.pack('a', always);
  // Only the pack has these entries now, which shows that it is read.
  await inDatabase(name, (db) =>
    db.table('entries').where('[conversationId+seq]').between(['a', 1], ['a', 800], true, true).delete(),
  );
  expect(await storage.read('a')).toEqual(sampleEntries(1, 1_200));
  await storage.append(sampleEntries(1_201, 2_200), sampleMeta('a'));
  expect(await storage.read('a')).toEqual(sampleEntries(1, 2_200));
  await storage.pack('a', always);
  expect((await packsIn(name)).map(({ to }) => to)).toEqual([undefined, 1000, 2000]);
  expect(await storage.read('a')).toEqual(sampleEntries(1, 2_200));
  expect(await storage.read('b')).toEqual(sampleEntries(1, 1_200));
  expect(await storage.read('a', 1_000, 5)).toEqual(sampleEntries(1_001, 1_005));
});

test('packing that is ended goes on the next time', async () => {
  const name = freshName();
  const storage = await connect(name);
  await storage.append(sampleEntries(1, 3_100), sampleMeta('a'));
  let parts = 0;
  await storage.pack('a', async () => ++parts < 2);
  expect(await storage.read('a')).toEqual(sampleEntries(1, 3_100));
  expect((await packsIn(name)).map(({ to }) => to)).toEqual([undefined, 1000]);
  await storage.pack('a', always);
  expect((await packsIn(name)).map(({ to }) => to)).toEqual([undefined, 1000, 2000, 3000]);
  expect(await storage.read('a')).toEqual(sampleEntries(1, 3_100));
});

test('a spoiled pack is none: the log is read from its rows, and packed anew', async () => {
  const name = freshName();
  const storage = await connect(name);
  await storage.append(sampleEntries(1, 3_000), sampleMeta('a'));
  await storage.pack('a', always);
  const second = (await packsIn(name))[2];
  const bytes = new Uint8Array(second?.bytes as ArrayBuffer);
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  await spoil(name, 'packs', { ...second, bytes: bytes.buffer });
  expect(await storage.read('a')).toEqual(sampleEntries(1, 3_000));
  expect(await packsIn(name)).toEqual([]);
  await storage.pack('a', always);
  expect(await packsIn(name)).toHaveLength(4);
  expect(await storage.read('a')).toEqual(sampleEntries(1, 3_000));
});

test('what is written anew or removed is in no pack any more', async () => {
  const name = freshName();
  const storage = await connect(name);
  const words = sampleEntries(1, 2_000, 'secret');
  await storage.append(words, sampleMeta('a'));
  await storage.pack('a', always);
  expect(await storage.rewrite(sampleEntries(1, 2_000), 2_000, sampleMeta('a'), [])).toBeNull();
  expect(await packsIn(name)).toEqual([]);
  expect(await storage.read('a')).toEqual(sampleEntries(1, 2_000));
  await storage.pack('a', always);
  expect(await packsIn(name)).toHaveLength(3);
  await storage.purge('a');
  expect(await packsIn(name)).toEqual([]);
  expect(await storage.read('a')).toEqual([]);
});

test('a log that is written anew while it is packed is not packed as it was', async () => {
  const name = freshName();
  const storage = await connect(name);
  await storage.append(sampleEntries(1, 4_000, 'secret'), sampleMeta('a'));
  const packing = storage.pack('a', always);
  await storage.rewrite(sampleEntries(1, 4_000), 4_000, sampleMeta('a'), []);
  await packing;
  expect(await storage.read('a')).toEqual(sampleEntries(1, 4_000));
});

test('a database of the third version is upgraded: nothing in it changes, and studies can be kept', async () => {
  const name = freshName();
  await makeOfVersion(name, 3, async (third) => {
    await third.table('entries').bulkAdd(sampleEntries(1, 2).map((entry) => ({ ...entry, conversationId: 'a' })));
    await third.table('conversations').put(sampleMeta('a'));
    await third.table('settings').put({ name: 'keys', value: { undo: ['z'] } });
  });

  const storage = await connect(name);
  expect(await storage.read('a')).toEqual(sampleEntries(1, 2));
  expect(await storage.setting('keys')).toEqual({ undo: ['z'] });
  expect(await storage.studies()).toEqual([]);
  expect(await storage.addStudyEvents([{ id: 'e', study: 's' }])).toBe(1);
  expect(await storage.studyEvents('s')).toEqual([{ id: 'e', study: 's' }]);
});

test('a damaged lesson is left out, and the others still teach', async () => {
  const name = freshName();
  const storage = await connect(name);
  await storage.replaceLessons([sampleLesson('a', 'n1'), sampleLesson('a', 'n2')]);
  await spoil(name, 'lessons', { ...sampleLesson('a', 'n1'), right: 7 });
  await spoil(name, 'lessons', { ...sampleLesson('a', 'n3'), message: { usual: 'much' } });
  expect((await storage.lessons()).map(({ nodeId }) => nodeId)).toEqual(['n2']);
});

test('a database of a newer Coppice is left alone', async () => {
  const name = freshName();
  (await openNewer(name)).close();
  await expect(openIndexedDbStorage({ name })).rejects.toMatchObject({ kind: 'newer-version' });
});

test('a tab makes room for an upgrade in another, keeps its data, and says that it is closed', async () => {
  const name = freshName();
  const storage = await connect(name);
  await storage.append(sampleEntries(1, 2), sampleMeta('a'));
  const newer = await openNewer(name);
  expect(await newer.table('entries').count()).toBe(2);
  await expect(storage.append(sampleEntries(3, 3), sampleMeta('a'))).rejects.toMatchObject({ kind: 'closed' });
  await expect(storage.read('a')).rejects.toMatchObject({ kind: 'closed' });
  newer.close();
});

/** A storage with one log, and what breaks its connection. */
const breakableStorage = async () => {
  const databases = breakableDatabases();
  const name = freshName();
  const storage = closedAtEnd(await openIndexedDbStorage({ name, factory: databases.factory }));
  await storage.append(sampleEntries(1, 2), sampleMeta('a'));
  const before = databases.opened();
  return { storage, databases, name, opened: () => databases.opened() - before };
};

test('what meets with a broken connection is stored and read all the same, on a new one', async () => {
  const { storage, databases, opened } = await breakableStorage();
  databases.cut();
  expect(await storage.append(sampleEntries(3, 4), sampleMeta('a'))).toBeNull();
  expect(await storage.read('a')).toEqual(sampleEntries(1, 4));
  databases.cut();
  const settled = await Promise.all([
    storage.saveSetting('keys', 1),
    storage.saveVectors('m', new Map([['h', Float32Array.of(1)]])),
    storage.append(sampleEntries(5, 5), sampleMeta('a')),
    storage.read('a'),
  ]);
  expect(settled[2]).toBeNull();
  expect(await storage.setting('keys')).toBe(1);
  expect(await storage.read('a')).toEqual(sampleEntries(1, 5));
  // Each time one for all.
  expect(opened()).toBe(2);
});

test('what was stored though its connection broke is not stored twice', async () => {
  const { storage, databases, name, opened } = await breakableStorage();
  databases.loseAnswer();
  expect(await storage.append(sampleEntries(3, 4), sampleMeta('a', { title: 'then' }))).toBeNull();
  expect(opened()).toBe(1);
  databases.loseAnswer();
  expect(await storage.append(sampleEntries(5, 30), sampleMeta('a', { title: 'now' }))).toBeNull();
  expect(opened()).toBe(2);
  expect(await storage.read('a')).toEqual(sampleEntries(1, 30));
  expect(await seqsIn(name, 'a')).toEqual([1, 2, 3, 4, 30]);
  expect((await storage.conversations())[0]?.title).toBe('now');

  databases.loseAnswer();
  const scrubbed = [...sampleEntries(1, 30, 'scrubbed'), ...sampleEntries(31, 31)];
  expect(await storage.rewrite(scrubbed, 30, sampleMeta('a'), [])).toBeNull();
  expect(opened()).toBe(3);
  expect(await storage.read('a')).toEqual(scrubbed);

  databases.loseAnswer();
  expect(await storage.purge('a', 'deleted')).toBe(false);
  expect(await storage.purge('a')).toBe(true);
  expect(await storage.conversations()).toEqual([]);
});

test('where a connection broke, what another tab stored first is still a conflict', async () => {
  const { storage, databases, name } = await breakableStorage();
  const other = await connect(name);
  await other.append(sampleEntries(3, 3, 'there'), sampleMeta('a'));
  databases.cut();
  expect(await storage.append(sampleEntries(3, 3, 'here'), sampleMeta('a'))).toEqual({
    missed: sampleEntries(3, 3, 'there'),
  });
  databases.cut();
  await expect(storage.append(sampleEntries(9, 9), sampleMeta('a'))).rejects.toMatchObject({ kind: 'damaged' });
  expect(await storage.read('a')).toEqual([...sampleEntries(1, 2), ...sampleEntries(3, 3, 'there')]);
});

test('a connection that stays broken fails what is stored, and the next may succeed', async () => {
  const { storage, databases } = await breakableStorage();
  const { open } = databases.factory;
  databases.factory.open = () => {
    throw new DOMException('Internal error opening backing store.', 'UnknownError');
  };
  databases.cut();
  await expect(storage.append(sampleEntries(3, 3), sampleMeta('a'))).rejects.toMatchObject({ kind: 'unknown' });
  await expect(storage.read('a')).rejects.toMatchObject({ name: 'StorageFailure' });
  databases.factory.open = open;
  expect(await storage.read('a')).toEqual(sampleEntries(1, 2));
  expect(await storage.append(sampleEntries(3, 3), sampleMeta('a'))).toBeNull();
});

/** As when a page comes back that was suspended: its connections are closed, and opened again when they are used. */
const closeUntilUsed = (): void => {
  for (const type of ['pagehide', 'pageshow']) dispatchEvent(new PageTransitionEvent(type, { persisted: true }));
};

test('where site data is cleared under an open page nothing is stored as if it had been empty, and the failure says so', async () => {
  const name = freshName();
  const storage = await connect(name);
  await storage.append(sampleEntries(1, 2), sampleMeta('a'));
  closeUntilUsed();
  await Dexie.delete(name);
  const cleared = { kind: 'closed', message: expect.stringContaining('site data is cleared') };
  await expect(storage.append(sampleEntries(3, 3), sampleMeta('a'))).rejects.toMatchObject(cleared);
  await expect(storage.open('b')).rejects.toMatchObject(cleared);
  await expect(storage.append(sampleEntries(1, 1), sampleMeta('new'))).rejects.toMatchObject(cleared);
  expect((await indexedDB.databases()).map((one) => one.name)).not.toContain(name);
});

test('a page that comes back leaves a database alone that a newer Coppice has upgraded meanwhile', async () => {
  const name = freshName();
  const storage = await connect(name);
  await storage.append(sampleEntries(1, 2), sampleMeta('a'));
  closeUntilUsed();
  (await openNewer(name)).close();
  await expect(storage.append(sampleEntries(3, 3), sampleMeta('a'))).rejects.toMatchObject({ kind: 'newer-version' });
  await expect(storage.read('a')).rejects.toMatchObject({ kind: 'newer-version' });
});

test('an upgrade that another tab does not let through is held up', async () => {
  const name = freshName();
  const old = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const { kind, failure } = await openStorage({ name });
  expect(kind).toBe('memory');
  expect(failure).toMatchObject({ kind: 'held-up', message: expect.stringContaining('Close other tabs of Coppice') });
  old.close();
});

test('where the browser refuses, storage goes on in memory and the failure is told', async () => {
  const refusing = {
    open: () => {
      throw new DOMException('denied', 'SecurityError');
    },
  } as unknown as IDBFactory;
  const { storage, kind, failure } = await openStorage({ name: freshName(), factory: refusing });
  expect(kind).toBe('memory');
  expect(failure).toMatchObject({ name: 'StorageFailure', kind: 'blocked' });
  await storage.append(sampleEntries(1, 1), sampleMeta('a'));
  expect(await storage.read('a')).toEqual(sampleEntries(1, 1));
});

/** Databases that fail to open in this way, so many times. */
const failingToOpen = (name: string, times: number): IDBFactory => {
  let left = times;
  return {
    open: (...given: Parameters<IDBFactory['open']>) => {
      if (left-- > 0) throw new DOMException('Internal error opening backing store.', name);
      return indexedDB.open(...given);
    },
  } as IDBFactory;
};

test('a database that does not open at first is opened the next time', async () => {
  const name = freshName();
  await (await connect(name)).append(sampleEntries(1, 1), sampleMeta('a'));
  const { storage, kind, failure } = await openStorage({ name, factory: failingToOpen('AbortError', 1) });
  closedAtEnd(storage as IndexedDbStorage);
  expect({ kind, failure }).toEqual({ kind: 'indexeddb', failure: null });
  expect(await storage.read('a')).toEqual(sampleEntries(1, 1));
});

test('what could not be opened is told apart from what the browser forbids', async () => {
  const failureOf = async (name: string) =>
    (await openStorage({ name: freshName(), factory: failingToOpen(name, 99) })).failure;
  for (const name of ['UnknownError', 'AbortError']) {
    expect(await failureOf(name)).toMatchObject({
      kind: 'held-up',
      message: 'Your stored conversations could not be opened. They are still there. Reload the page.',
    });
  }
  for (const name of ['SecurityError', 'NotAllowedError', 'InvalidStateError'])
    expect(await failureOf(name)).toMatchObject({ kind: 'blocked' });
});

test('what opens and cannot be read then could not be opened', async () => {
  const databases = breakableDatabases();
  const { kind, failure } = await openStorage({ name: freshName(), factory: databases.factory }, () => {
    databases.factory.open = failingToOpen('UnknownError', 99).open;
    databases.cut();
  });
  expect(kind).toBe('memory');
  expect(failure).toMatchObject({ kind: 'held-up', message: expect.stringContaining('They are still there') });
});

test('where the browser allows it, storage stays and there is no failure', async () => {
  const { storage, kind, failure } = await openStorage({ name: freshName() });
  closedAtEnd(storage as IndexedDbStorage);
  expect({ kind, failure }).toEqual({ kind: 'indexeddb', failure: null });
  expect(await storage.estimate()).toMatchObject({ usage: expect.any(Number), quota: expect.any(Number) });
  expect(await storage.persist()).toEqual(expect.any(Boolean));
  expect(await storage.persisted()).toEqual(expect.any(Boolean));
});

test('a setting is kept as it was saved', async () => {
  const options = { name: freshName() };
  const first = await openIndexedDbStorage(options);
  expect(await first.setting('models')).toBeUndefined();
  await first.saveSetting('models', { chat: { kind: 'embedded' } });
  first.close();
  const second = await openIndexedDbStorage(options);
  closedAtEnd(second);
  expect(await second.setting('models')).toEqual({ chat: { kind: 'embedded' } });
});

test('a full disk is told, stores nothing, and what is stored can still be read', async () => {
  const bucket = await navigator.storageBuckets.open('small', { quota: 200_000 });
  const options = { name: freshName(), factory: bucket.indexedDB };
  const storage = await openIndexedDbStorage(options);
  closedAtEnd(storage);
  await storage.append(sampleEntries(1, 1), sampleMeta('a'));

  // Random words, since the browser may store repeated ones compressed.
  const long = Array.from({ length: 50_000 }, () => Math.random().toString(36)).join(' ');
  const late = storage.append(sampleEntries(2, 2, long), sampleMeta('a', { title: 'late' }));
  await expect(late).rejects.toMatchObject({ name: 'StorageFailure', kind: 'full' });
  expect(await storage.read('a')).toEqual(sampleEntries(1, 1));
  expect(await storage.conversations()).toEqual([sampleMeta('a')]);

  storage.close();
  await navigator.storageBuckets.delete('small');
});

test('a disk that is full already when Coppice opens still shows what it holds', async () => {
  const bucket = await navigator.storageBuckets.open('tiny', { quota: 100_000 });
  const options = { name: freshName(), factory: bucket.indexedDB };
  const storage = await openIndexedDbStorage(options);
  await storage.append(sampleEntries(1, 1), sampleMeta('a'));
  let seq = 2;
  for (let size = 100_000; size >= 1; ) {
    const stored = await storage.append(sampleEntries(seq, seq, 'x'.repeat(size)), sampleMeta('a')).catch(() => 'full');
    if (stored === null) seq += 1;
    else size = Math.floor(size / 2);
  }
  storage.close();

  const reopened = await openStorage(options);
  closedAtEnd(reopened.storage as IndexedDbStorage);
  expect(reopened).toMatchObject({ kind: 'indexeddb', failure: { kind: 'full' } });
  expect(await reopened.storage.read('a')).toHaveLength(seq - 1);
  await navigator.storageBuckets.delete('tiny');
});
