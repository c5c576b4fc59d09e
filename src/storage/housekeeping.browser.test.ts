import { expect, test } from 'vitest';
import { inDatabase, makeOfVersion, testDatabases } from './testing/databases.ts';
import { sampleEntries, sampleMeta } from './testing/storage-contract.ts';

const { freshName, connect } = testDatabases();
const always = async () => true;

interface StoredRow {
  readonly conversationId: string;
  readonly seq: number;
  readonly bytes?: ArrayBuffer;
}

const rowsIn = (name: string): Promise<StoredRow[]> => inDatabase(name, (db) => db.table('entries').toArray());

/** The numbers of the compressed rows, and how many rows are not compressed. */
const compressedIn = async (name: string) => {
  const rows = await rowsIn(name);
  const seqs = rows.flatMap(({ seq, bytes }) => (bytes === undefined ? [] : [seq]));
  return { seqs, others: rows.length - seqs.length };
};

test('a log that was compressed is read, continued, packed, written anew and removed like any', async () => {
  const name = freshName();
  const storage = await connect(name);
  // One row at a time, then in bundles, then one at a time again.
  for (let seq = 1; seq <= 5; seq++) await storage.append(sampleEntries(seq, seq), sampleMeta('a'));
  await storage.append(sampleEntries(6, 1_300), sampleMeta('a'));
  await storage.append(sampleEntries(1_301, 1_303), sampleMeta('a'));
  await storage.compress('a', always);
  expect(await compressedIn(name)).toEqual({
    seqs: [5, 205, 405, 605, 805, 1_005, 1_205, 1_300, 1_303],
    others: 0,
  });
  expect(await storage.read('a')).toEqual(sampleEntries(1, 1_303));
  expect(await storage.read('a', 300, 4)).toEqual(sampleEntries(301, 304));

  await storage.append(sampleEntries(1_304, 1_305), sampleMeta('a'));
  expect(await storage.append(sampleEntries(1_302, 1_302, 'late'), sampleMeta('a'))).toEqual({
    missed: sampleEntries(1_302, 1_305),
  });
  await storage.pack('a', always);
  expect((await storage.open('a')).entries).toEqual(sampleEntries(1, 1_305));
  await storage.compress('a', always);
  expect(await compressedIn(name)).toMatchObject({ others: 0 });
  expect(await storage.read('a')).toEqual(sampleEntries(1, 1_305));

  expect(await storage.rewrite(sampleEntries(1, 1_300, 'anew'), 1_300, sampleMeta('a'), [])).toEqual({
    missed: sampleEntries(1_301, 1_305),
  });
  expect(await storage.rewrite(sampleEntries(1, 1_300, 'anew'), 1_305, sampleMeta('a'), [])).toBeNull();
  expect(await storage.read('a')).toEqual(sampleEntries(1, 1_300, 'anew'));
  expect(await compressedIn(name)).toMatchObject({ seqs: [] });
  await storage.compress('a', always);
  expect(await storage.read('a')).toEqual(sampleEntries(1, 1_300, 'anew'));
  await storage.purge('a');
  expect(await rowsIn(name)).toEqual([]);
});

test('compressing that is ended in the middle goes on the next time, and other logs stay as they are', async () => {
  const name = freshName();
  const storage = await connect(name);
  await storage.append(sampleEntries(1, 1_000), sampleMeta('a'));
  await storage.append(sampleEntries(1, 30), sampleMeta('b'));
  let parts = 0;
  await storage.compress('a', async () => ++parts <= 2);
  expect(await compressedIn(name)).toEqual({ seqs: [200, 400], others: 4 });
  expect(await storage.read('a')).toEqual(sampleEntries(1, 1_000));
  await storage.compress('a', always);
  expect(await compressedIn(name)).toEqual({ seqs: [200, 400, 600, 800, 1_000], others: 1 });
  expect(await storage.read('a')).toEqual(sampleEntries(1, 1_000));
});

test('what is written anew while it is compressed, or compressed in two tabs at once, is what was written', async () => {
  const name = freshName();
  const [here, there] = [await connect(name), await connect(name)];
  await here.append(sampleEntries(1, 2_000, 'secret'), sampleMeta('a'));
  const work = Promise.all([here.compress('a', always), there.compress('a', always)]);
  await there.rewrite(sampleEntries(1, 2_000, 'gone'), 2_000, sampleMeta('a'), []);
  await work;
  await Promise.all([here.compress('a', always), there.compress('a', always)]);
  expect(await here.read('a')).toEqual(sampleEntries(1, 2_000, 'gone'));
});

test('a compressed row that was spoiled is named; a log that is damaged is not compressed', async () => {
  const name = freshName();
  const storage = await connect(name);
  await storage.append(sampleEntries(1, 400), sampleMeta('a'));
  await storage.compress('a', always);
  const spoiled = { conversationId: 'a', seq: 400, bytes: new Uint8Array([1, 2, 3]).buffer };
  await inDatabase(name, (db) => db.table('entries').put(spoiled));
  await expect(storage.read('a')).rejects.toMatchObject({
    kind: 'damaged',
    message: expect.stringContaining('entry 201'),
  });

  await storage.append(sampleEntries(1, 3), sampleMeta('b'));
  await inDatabase(name, (db) => db.table('entries').delete(['b', 2]));
  await expect(storage.compress('b', always)).rejects.toMatchObject({ kind: 'damaged' });
  expect((await rowsIn(name)).filter(({ conversationId }) => conversationId === 'b')).toHaveLength(2);
});

test('a database of the seventh version is upgraded: nothing in it changes, and its logs can be compressed', async () => {
  const name = freshName();
  await makeOfVersion(name, 7, async (seventh) => {
    await seventh.table('entries').bulkAdd(sampleEntries(1, 3).map((entry) => ({ ...entry, conversationId: 'a' })));
    await seventh.table('conversations').put(sampleMeta('a'));
  });
  const storage = await connect(name);
  expect(await storage.read('a')).toEqual(sampleEntries(1, 3));
  await storage.compress('a', always);
  expect(await compressedIn(name)).toEqual({ seqs: [3], others: 0 });
  expect(await storage.read('a')).toEqual(sampleEntries(1, 3));
});

test('what takes how much is counted, and what is made again when it is needed can be removed', async () => {
  const storage = await connect(freshName());
  const measure = () => storage.measure(() => undefined, new AbortController().signal);
  const nothing = { logs: 0, opening: 0, search: 0, vectors: 0, files: 0, studies: 0 };
  expect(await measure()).toEqual(nothing);

  await storage.append(sampleEntries(1, 1_100), sampleMeta('a'));
  await storage.pack('a', always);
  await storage.saveVectors('m', new Map([['h', new Float32Array(256)]]));
  await storage.saveTexts({ conversationId: 'a', part: 0, seq: 1_100, text: 'x'.repeat(500) });
  await storage.saveBlobs(new Map([['f', new Blob(['y'.repeat(2_000)])]]));
  const told: number[] = [];
  const use = await storage.measure(({ logs }) => told.push(logs), new AbortController().signal);
  expect(use.logs).toBeGreaterThan(50_000);
  expect(told.at(-1)).toBe(use.logs);
  expect(use.opening).toBeGreaterThan(1_000);
  expect(use.vectors).toBeGreaterThanOrEqual(1_024);
  expect(use.search).toBeGreaterThanOrEqual(500);
  expect(use.files).toBeGreaterThanOrEqual(2_000);

  await storage.compress('a', always);
  expect((await measure()).logs).toBeLessThan(use.logs / 4);
  for (const kind of ['opening', 'search', 'vectors'] as const) await storage.clear(kind);
  expect(await measure()).toMatchObject({ opening: 0, search: 0, vectors: 0, files: use.files });
  expect(await storage.read('a')).toEqual(sampleEntries(1, 1_100));
});

test('counting ends when it is told to', async () => {
  const storage = await connect(freshName());
  await storage.append(sampleEntries(1, 400), sampleMeta('a'));
  const left = new AbortController();
  left.abort();
  await expect(storage.measure(() => undefined, left.signal)).rejects.toBeDefined();
});
