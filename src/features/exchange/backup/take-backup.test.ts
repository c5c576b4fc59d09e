import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { initialState } from '../../../app/state.ts';
import { readyRoles } from '../../../app/testing/plain-app.ts';
import { fold } from '../../../domain/apply.ts';
import type { Entry } from '../../../domain/entry.ts';
import { conversationTitle } from '../../../domain/queries.ts';
import { Life, lives, type Move } from '../../../domain/testing/random-life.ts';
import type { Lesson } from '../../../engine/lessons.ts';
import { type ConversationMeta, type Storage, StorageFailure } from '../../../engine/storage.ts';
import { memoryStorage, overlayStorage } from '../../../storage/memory-storage.ts';
import { BackupFailure, isBackup, packBackup, readBackup } from './backup-file.ts';
import { restoreObstacle, takeBackup } from './take-backup.ts';

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const watch = {
  signal: new AbortController().signal,
  onProgress: () => undefined,
  fileId: async (bytes: Blob) => hashOf(new Uint8Array(await bytes.arrayBuffer())),
};
const pack = async (storage: Storage) => (await packBackup(storage, 1000, watch)).file;
const merge = async (storage: Storage, backup: Blob) => takeBackup(backup, storage, 'merge', 2000, watch);

const meta = (id: string, entries: readonly Entry[]): ConversationMeta => ({
  id,
  title: `Title ${id}`,
  turns: 0,
  createdAt: 1,
  updatedAt: entries.length,
  deletedAt: null,
});

const lesson = (nodeId: string, at: number): Lesson => ({
  conversationId: 'a',
  nodeId,
  question: 'topic',
  by: 'correction',
  at,
  message: { length: at },
  choices: [{ action: 'create-topic', base: 0, facts: {} }],
  right: 0,
});

const logOf = (moves: readonly Move[]): readonly Entry[] => {
  const life = new Life();
  life.say(null, 'the first');
  for (const move of moves) life.live(move);
  return life.entries;
};

const keep = async (storage: Storage, id: string, log: readonly Entry[]): Promise<void> => {
  await storage.append(log, meta(id, log));
};

/** The conversations and lessons, whatever their ids. */
const contents = async (storage: Storage): Promise<unknown> => {
  const logs: string[] = [];
  for (const { id, deletedAt } of await storage.conversations()) {
    if (deletedAt === null) logs.push(JSON.stringify(await storage.read(id)));
  }
  return { logs: logs.sort(), lessons: (await storage.lessons()).map((one) => JSON.stringify(one)).sort() };
};

/** Browsers whose conversations share a beginning: how much of it each has, and how each went on. */
const pairs = fc.record({
  begun: lives.filter((moves) => moves.length > 0),
  ids: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }),
  left: fc.record({
    share: fc.nat({ max: 4 }),
    more: lives,
    taught: fc.uniqueArray(fc.nat({ max: 3 }), { maxLength: 3 }),
  }),
  right: fc.record({
    share: fc.nat({ max: 4 }),
    more: lives,
    taught: fc.uniqueArray(fc.nat({ max: 3 }), { maxLength: 3 }),
  }),
});
type Pair = typeof pairs extends fc.Arbitrary<infer P> ? P : never;

const storagesOf = async ({ begun, ids, left, right }: Pair) => {
  const make = async ({ share, more, taught }: Pair['left'], side: number): Promise<Storage> => {
    const storage = memoryStorage();
    for (const id of ids) {
      const moves = share === 4 ? [...begun, ...more] : begun.slice(0, Math.ceil((begun.length * share) / 3));
      await keep(storage, id, logOf(moves));
    }
    await storage.replaceLessons(taught.map((at) => lesson(`n${at}`, at * (side + 1))));
    return storage;
  };
  return [await make(left, 0), await make(right, 1)] as const;
};

test('what is merged is the same whichever comes first, nothing that was here is lost, and again adds nothing', async () => {
  await fc.assert(
    fc.asyncProperty(pairs, async (pair) => {
      const [one, other] = await storagesOf(pair);
      const [ofOne, ofOther] = [await pack(one), await pack(other)];
      const before = await Promise.all(
        (await one.conversations()).map(async ({ id }) => [id, await one.read(id)] as const),
      );
      await merge(one, ofOther);
      for (const [id, log] of before) expect((await one.read(id)).slice(0, log.length)).toEqual(log);
      await merge(other, ofOne);
      const merged = await contents(one);
      expect(await contents(other)).toEqual(merged);

      const again = await merge(one, ofOther);
      expect(again).toMatchObject({ added: 0, longer: 0, differing: 0, lessons: 0 });
      expect(await contents(one)).toEqual(merged);
      // The merged conversations are all in the other browser too: nothing is duplicated under another id.
      await merge(one, await pack(other));
      expect(await contents(one)).toEqual(merged);
    }),
    { numRuns: 60 },
  );
}, 120_000);

test('a look changes nothing and says what a merge would do', async () => {
  const [here, there] = [memoryStorage(), memoryStorage()];
  const life = new Life();
  const root = life.say(null, 'one');
  const begun = [...life.entries];
  life.say(root, 'two');
  await keep(here, 'grown', begun);
  await keep(there, 'grown', life.entries);
  await keep(here, 'alike', begun);
  await keep(there, 'alike', begun);
  await keep(there, 'fresh', begun);
  await keep(here, 'mine', begun);
  const fork = new Life();
  fork.say(fork.say(null, 'one'), 'otherwise');
  await keep(here, 'forked', life.entries);
  await keep(there, 'forked', fork.entries);
  const backup = await pack(there);
  const before = await contents(here);
  const report = await takeBackup(backup, here, 'look', 0, watch);
  expect(report).toMatchObject({ added: 1, longer: 1, differing: 1, same: 1, onlyHere: 1, madeAt: 1000, damaged: [] });
  expect(await contents(here)).toEqual(before);
  await merge(here, backup);
  expect(await here.read('grown')).toEqual(life.entries);
  expect((await here.conversations()).map(({ title }) => title)).toContain('Title forked (from the backup)');
});

test('restored, all is as it was, and what was here besides can still be brought back', async () => {
  const [here, there] = [memoryStorage(), memoryStorage()];
  const life = new Life();
  life.say(null, 'one');
  const begun = [...life.entries];
  life.say(null, 'two');
  await keep(there, 'a', begun);
  await keep(there, 'new', begun);
  await there.saveSetting('keys', { undo: ['X'] });
  await there.saveSetting('server-keys', { secret: 'do not take' });
  await there.replaceLessons([lesson('n1', 5)]);
  await there.setLearns(false);
  await keep(here, 'a', life.entries);
  await keep(here, 'mine', begun);
  await here.replaceLessons([lesson('n2', 6)]);
  await here.saveSetting('personas', { all: [] });

  await takeBackup(await pack(there), here, 'restore', 3000, watch);
  expect(await contents(here)).toEqual(await contents(there));
  expect(await here.read('a')).toEqual(begun);
  expect([await here.setting('keys'), await here.setting('server-keys')]).toEqual([{ undo: ['X'] }, undefined]);
  expect(await here.setting('personas')).toBeUndefined();
  expect(await here.learns()).toBe(false);
  const deleted = (await here.conversations()).filter(({ deletedAt }) => deletedAt === 3000);
  expect(deleted.map(({ title }) => title).sort()).toEqual(['Title a (before the backup)', 'Title mine']);
});

test('a conversation that the backup replaces is never gone meanwhile: another tab may have it open', async () => {
  const [stored, there] = [memoryStorage(), memoryStorage()];
  const life = new Life();
  life.say(null, 'one');
  await keep(there, 'a', [...life.entries]);
  life.say(null, 'two');
  await keep(stored, 'a', life.entries);
  const seen: boolean[] = [];
  const look = async <T>(done: Promise<T>): Promise<T> => {
    const result = await done;
    seen.push((await stored.conversation('a')) !== undefined);
    return result;
  };
  const here: Storage = {
    ...stored,
    append: (...args) => look(stored.append(...args)),
    rewrite: (...args) => look(stored.rewrite(...args)),
    purge: (...args) => look(stored.purge(...args)),
  };
  await takeBackup(await pack(there), here, 'restore', 2000, watch);
  expect(await here.read('a')).toEqual(await there.read('a'));
  expect(new Set(seen)).toEqual(new Set([true]));
});

test('a merge brings back what was deleted here, whether the backup continues it or not', async () => {
  const [here, there] = [memoryStorage(), memoryStorage()];
  const life = new Life();
  const root = life.say(null, 'one');
  const begun = [...life.entries];
  life.say(root, 'two');
  for (const id of ['alike', 'grown']) await keep(here, id, begun);
  await keep(there, 'alike', begun);
  await keep(there, 'grown', life.entries);
  await here.setDeleted(['alike', 'grown'], 1500);
  const backup = await pack(there);
  expect(await takeBackup(backup, here, 'look', 0, watch)).toMatchObject({ restored: 1, longer: 1, same: 0 });
  expect(await merge(here, backup)).toMatchObject({ restored: 1, longer: 1, same: 0 });
  expect(await contents(here)).toEqual(await contents(there));
  expect(await merge(here, backup)).toMatchObject({ restored: 0, longer: 0, same: 2 });
});

test('a conversation that the backup continues has the title that it has there', async () => {
  const [here, there] = [memoryStorage(), memoryStorage()];
  const life = new Life();
  life.say(null, 'Which oak grows fastest?');
  const begun = [...life.entries];
  await here.append(begun, { ...meta('a', begun), title: conversationTitle(fold(begun)) });
  await keep(here, 'named', begun);
  life.do({ type: 'record', step: null, event: { type: 'conversation-titled', title: 'Oaks' } });
  for (const id of ['a', 'named']) await keep(there, id, life.entries);
  await merge(here, await pack(there));
  expect((await here.conversation('a'))?.title).toBe('Oaks');
  // Not from its log.
  expect((await here.conversation('named'))?.title).toBe('Title named');
});

test('a restore can be cancelled while the backup is checked, and not once it has begun', async () => {
  const there = memoryStorage();
  await keep(there, 'a', logOf([]));
  const backup = await pack(there);
  const here = memoryStorage();
  const restored = (cancel: AbortController, onRestoring: () => void) =>
    takeBackup(backup, here, 'restore', 3000, { ...watch, signal: cancel.signal, onRestoring });
  const early = new AbortController();
  early.abort();
  await expect(restored(early, () => expect.unreachable())).rejects.toThrow();
  expect(await here.conversations()).toEqual([]);
  const late = new AbortController();
  await restored(late, () => late.abort());
  expect(await contents(here)).toEqual(await contents(there));
});

test('nothing is restored while only memory takes what is written: what it replaces would be lost', async () => {
  const life = new Life();
  life.say(null, 'the first');
  const there = memoryStorage();
  await keep(there, 'a', [...life.entries]);
  const backup = await pack(there);
  life.say(null, 'said since');
  const below = memoryStorage();
  await keep(below, 'a', life.entries);

  const { storage: kept } = initialState(readyRoles, 'indexeddb');
  const restored = takeBackup(backup, overlayStorage(below), 'restore', 3000, {
    ...watch,
    obstacle: () => restoreObstacle({ ...kept, kind: 'memory', stopped: 'full' }),
    onRestoring: () => expect.unreachable(),
  });
  await expect(restored).rejects.toThrow(/Make room/);
  expect(await below.read('a')).toEqual(life.entries);
  expect(restoreObstacle({ ...kept, kind: 'memory' })).toContain('does not store');
  expect(restoreObstacle(kept)).toBeNull();
});

test('two versions of one conversation that both went on here are both restored', async () => {
  const here = memoryStorage();
  const [one, other] = [new Life(), new Life()];
  const ends = [one, other].map((life, at) => ({ life, end: life.say(life.say(null, 'the first'), `${at}`) }));
  await keep(here, 'a', [...one.entries]);
  await keep(here, 'a~other~x', [...other.entries]);
  const backup = await pack(here);
  const before = await contents(here);
  for (const { life, end } of ends) life.say(end, 'and on');
  await here.append(one.entries.slice((await here.read('a')).length), meta('a', one.entries));
  await here.append(other.entries.slice((await here.read('a~other~x')).length), meta('a~other~x', other.entries));
  await takeBackup(backup, here, 'restore', 3000, watch);
  expect(await contents(here)).toEqual(before);
  const former = (await here.conversations()).filter(({ deletedAt }) => deletedAt === 3000);
  expect(former.map(({ title }) => title).sort()).toEqual([
    'Title a (before the backup)',
    'Title a~other~x (before the backup)',
  ]);
});

test('a version that an earlier merge put beside a conversation counts as only here, and a restore deletes it', async () => {
  const [here, there] = [memoryStorage(), memoryStorage()];
  const [one, other] = [new Life(), new Life()];
  one.say(null, 'one way');
  other.say(null, 'the other');
  await keep(here, 'a', one.entries);
  await keep(there, 'a', other.entries);
  const backup = await pack(here);
  const before = await contents(here);
  await merge(here, await pack(there));
  expect(await takeBackup(backup, here, 'look', 0, watch)).toMatchObject({ same: 1, onlyHere: 1 });
  await takeBackup(backup, here, 'restore', 3000, watch);
  expect(await contents(here)).toEqual(before);
  const deleted = (await here.conversations()).filter(({ deletedAt }) => deletedAt === 3000);
  expect(deleted.map(({ title }) => title)).toEqual(['Title a (from the backup)']);
});

test('versions that stand side by side have the same names in a browser that has neither', async () => {
  const [here, there, fresh] = [memoryStorage(), memoryStorage(), memoryStorage()];
  const [one, other] = [new Life(), new Life()];
  one.say(null, 'one way');
  other.say(null, 'the other');
  await keep(here, 'a', one.entries);
  await keep(there, 'a', other.entries);
  await merge(here, await pack(there));
  await merge(fresh, await pack(here));
  const namesIn = async (storage: Storage) =>
    (await storage.conversations()).map(({ id, title }) => [id, title]).sort();
  expect(await namesIn(fresh)).toEqual(await namesIn(here));
  expect((await namesIn(fresh)).map(([, title]) => title)).toEqual(['Title a', 'Title a (from the backup)']);
});

test('words that were purged do not come back with an older copy', async () => {
  const [here, there] = [memoryStorage(), memoryStorage()];
  const life = new Life();
  const root = life.say(null, 'hello');
  const secret = life.say(root, 'a secret nobody may read');
  life.say(secret, 'and on');
  await keep(there, 'a', [...life.entries]);
  life.purge([secret]);
  await keep(here, 'a', life.entries);
  expect(await merge(here, await pack(there))).toMatchObject({ added: 0, longer: 0, differing: 0, same: 1 });
  expect(JSON.stringify(await contents(here))).not.toContain('a secret');
});

const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
/** An archive itself. */
const docx = zipSync({ 'word/document.xml': strToU8('hello'.repeat(100)) });
const docxId = hashOf(docx);
const attachment = { id: docxId, name: 'a.docx', mediaType: type, size: docx.length };
const entry = {
  v: 1,
  seq: 1,
  at: 1,
  step: null,
  event: { type: 'message-sent', nodeId: 'n', message: 'see', given: null, target: null, attachments: [attachment] },
} as unknown as Entry;
const withFile = async (): Promise<Storage> => {
  const storage = memoryStorage();
  await storage.saveBlobs(new Map([[docxId, new Blob([docx], { type })]]));
  return storage;
};

test('files that came with messages go along, each once, even one that is an archive itself', async () => {
  const [here, there] = [memoryStorage(), await withFile()];
  await keep(there, 'a', [entry]);
  await keep(there, 'b', [entry]);
  const backup = await pack(there);
  const files: string[] = [];
  for await (const step of readBackup(backup, watch)) if (step.kind === 'file') files.push(step.id);
  expect(files).toEqual([docxId]);
  await merge(here, backup);
  const file = (await here.readBlob(docxId)) ?? new Blob();
  expect([new Uint8Array(await file.arrayBuffer()), file.type]).toEqual([docx, type]);
});

test.each(['coppice-backup-2026-11-30/', ''])(
  'a backup that was unpacked and packed again is one: in “%s”',
  async (folder) => {
    const there = await withFile();
    await keep(there, 'a', [entry]);
    const files = Object.entries(unzipSync(new Uint8Array(await (await pack(there)).arrayBuffer()))).sort();
    const again = files.flatMap(([name, bytes]): [string, Uint8Array][] => [
      [`${folder}${name}`, bytes],
      [`__MACOSX/${folder}${name.replace(/[^/]+$/, '._$&')}`, strToU8('of the Finder')],
    ]);
    const backup = new Blob([zipSync(Object.fromEntries([[`${folder}.DS_Store`, strToU8('icons')], ...again]))]);
    expect(await isBackup(backup)).toBe(true);
    const here = memoryStorage();
    expect(await merge(here, backup)).toMatchObject({ added: 1, damaged: [] });
    expect(await contents(here)).toEqual(await contents(there));
    expect((await here.readBlob(docxId))?.size).toBe(docx.length);
  },
);

test('what unpacks to more than can be held is damaged, and the others are read, of a backup cut off as well', async () => {
  const there = memoryStorage();
  for (const id of ['a', 'b']) await keep(there, id, logOf([]));
  const files = unzipSync(new Uint8Array(await (await pack(there)).arrayBuffer()));
  const zip = zipSync({ ...files, 'conversations/1.jsonl': new Uint8Array(1_000_000) });
  for (const backup of [zip, zip.subarray(0, -22)]) {
    const steps: unknown[] = [];
    for await (const step of readBackup(new Blob([backup]), watch, 100_000)) steps.push(step);
    expect(steps).toMatchObject([
      { kind: 'manifest' },
      { kind: 'damaged', why: expect.stringContaining('unpacks to more than') },
      { kind: 'log' },
    ]);
  }
});

test('a file whose bytes have changed is named and not stored, and no backup with one is restored', async () => {
  const there = await withFile();
  await keep(there, 'a', [entry]);
  const files = unzipSync(new Uint8Array(await (await pack(there)).arrayBuffer()));
  const path = Object.keys(files).find((name) => name.startsWith('files/')) ?? '';
  const changed = new Blob([zipSync({ ...files, [path]: strToU8('something else') })]);
  const damaged = [{ title: 'a.docx', why: 'It is attached in “Title a”, and its bytes have changed.' }];
  const here = memoryStorage();
  expect(await takeBackup(changed, here, 'look', 0, watch)).toMatchObject({ added: 1, damaged });
  await expect(takeBackup(changed, here, 'restore', 0, watch)).rejects.toThrow('Merge the backup instead');
  expect(await here.conversations()).toEqual([]);
  expect(await merge(here, changed)).toMatchObject({ added: 1, damaged });
  expect(await here.readBlob(docxId)).toBeUndefined();
});

/** A browser in which the stored log of a conversation is damaged until it is replaced or deleted for good. */
const withDamaged = (storage: Storage, damaged: string): Storage => {
  let isThere = true;
  return {
    ...storage,
    read: async (id, after) => {
      if (id === damaged && isThere) throw new StorageFailure('damaged', `${id} is damaged`);
      return storage.read(id, after);
    },
    purge: async (id, only) => {
      if (id === damaged) isThere = false;
      return storage.purge(id, only);
    },
    rewrite: async (entries, seen, own, turns) => {
      if (own.id === damaged) isThere = false;
      return storage.rewrite(entries, seen, own, turns);
    },
  };
};

test('a damaged conversation is restored with its files, and filed as in the backup', async () => {
  const sound = await withFile();
  const filing = { pinned: true, archived: false, folder: 'Trips', tags: [] };
  await sound.append([entry], { ...meta('a', [entry]), filing });
  const backup = await pack(sound);
  await sound.file(['a'], { folder: null });
  const storage = withDamaged(sound, 'a');
  await takeBackup(backup, storage, 'restore', 3000, watch);
  expect(await storage.read('a')).toEqual([entry]);
  expect((await storage.readBlob(docxId))?.size).toBe(docx.length);
  expect((await storage.conversation('a'))?.filing).toEqual(filing);
});

test('a damaged conversation is left out and named, and a backup that has it repairs it', async () => {
  const sound = memoryStorage();
  for (const id of ['a', 'b', 'c']) await keep(sound, id, logOf([]));
  const backup = await pack(sound);
  const storage = withDamaged(sound, 'b');

  const packed = await packBackup(storage, 1000, watch);
  expect(packed.damaged).toEqual(['Title b']);
  const other = memoryStorage();
  expect(await merge(other, packed.file)).toMatchObject({ added: 2, damaged: [] });
  expect((await other.conversations()).map(({ id }) => id).sort()).toEqual(['a', 'c']);

  expect(await merge(storage, backup)).toMatchObject({ same: 2, differing: 1 });
  expect(await merge(storage, backup)).toMatchObject({ same: 3, differing: 0 });
  await takeBackup(backup, storage, 'restore', 3000, watch);
  expect(await storage.read('b')).toEqual(logOf([]));
});

test('a file that the browser cannot read any more is left out and named, and all else is packed', async () => {
  const storage = await withFile();
  await keep(storage, 'a', [entry]);
  const gone = new Blob();
  gone.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'));
  const packed = await packBackup({ ...storage, readBlob: async () => gone }, 1000, watch);
  expect(packed.damaged).toEqual(['a.docx, attached in “Title a”']);
  const other = memoryStorage();
  expect(await merge(other, packed.file)).toMatchObject({ added: 1, damaged: [] });
  expect(await other.read('a')).toEqual([entry]);
});

test('a storage that cannot be read at all is not taken for a damaged conversation', async () => {
  const storage = memoryStorage();
  await keep(storage, 'a', logOf([]));
  const closed = { ...storage, read: () => Promise.reject(new StorageFailure('closed', 'It was closed.')) };
  await expect(pack(closed)).rejects.toThrow('It was closed.');
});

test('what is no backup, is cut off or newer is told, and changes nothing', async () => {
  const there = memoryStorage();
  await keep(there, 'a', logOf([]));
  const backup = await pack(there);
  expect([await isBackup(backup), await isBackup(new Blob(['PK...']))]).toEqual([true, false]);
  const other = zipSync({ 'chats/conversations.json': strToU8('[]'), 'a/b/coppice-backup.json': strToU8('{}') });
  expect([await isBackup(backup.slice(0, 300)), await isBackup(new Blob([other]))]).toEqual([true, false]);
  const here = memoryStorage();
  const none = memoryStorage();
  await expect(merge(here, new Blob(['no zip']))).rejects.toBeInstanceOf(BackupFailure);
  const cut = merge(here, backup.slice(0, backup.size - 300));
  await expect(cut.then((report) => report.damaged.map(({ title }) => title))).resolves.toEqual(['Title a']);
  expect(await contents(here)).toEqual(await contents(none));
  const restored = takeBackup(backup.slice(0, backup.size - 300), here, 'restore', 0, watch);
  await expect(restored).rejects.toThrow('Merge the backup instead');
});

test('studies go along with everybody’s labels: merged without doubling, restored without losing a label', async () => {
  const row = (person: string) => ({
    id: 'annotator:s1',
    role: 'annotator',
    study: { id: 's1', name: 'Links' },
    person,
  });
  const label = (id: string) => ({ id, study: 's1', person: 'A', turn: 1 });
  const there = memoryStorage();
  await there.saveStudy(row('A'));
  await there.saveStudy({ ...row('A'), id: 'coordinator:s1' });
  await there.addStudyEvents([label('e1'), label('e2')]);
  const backup = await pack(there);

  const here = memoryStorage();
  await here.saveStudy(row('B'));
  await here.addStudyEvents([label('e2'), label('e3')]);
  expect(await takeBackup(backup, here, 'look', 2000, watch)).toMatchObject({ studies: 1, labels: 1 });
  expect(await here.studyEvents('s1')).toHaveLength(2);
  expect(await merge(here, backup)).toMatchObject({ studies: 1, labels: 1 });
  expect(await merge(here, backup)).toMatchObject({ studies: 0, labels: 0 });
  expect((await here.studyEvents('s1')).map(({ id }) => id).sort()).toEqual(['e1', 'e2', 'e3']);
  expect((await here.studies()).find(({ id }) => id === 'annotator:s1')).toEqual(row('B'));

  await takeBackup(backup, here, 'restore', 3000, watch);
  expect((await here.studies()).find(({ id }) => id === 'annotator:s1')).toEqual(row('A'));
  expect(await here.studyEvents('s1')).toHaveLength(3);
});
