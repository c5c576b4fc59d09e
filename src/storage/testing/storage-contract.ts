import { describe, expect, test } from 'vitest';
import type { Entry } from '../../domain/entry.ts';
import type { Lesson } from '../../engine/lessons.ts';
import type { ConversationMeta, Storage } from '../../engine/storage.ts';

/** Creates a separate, empty storage at each call; every `connect` is another tab on it. */
type Storages = () => { connect(): Promise<Storage> };

/** What every implementation of the port must satisfy. */
export const storageContract = (name: string, storages: Storages): void => {
  describe(`${name} keeps the contract of Storage`, () => {
    test('a log is read back as it was appended, whole or from a place on', async () => {
      const storage = await storages().connect();
      expect(await storage.append(sampleEntries(1, 3), sampleMeta('a'))).toBeNull();
      expect(await storage.append(sampleEntries(4, 5), sampleMeta('a'))).toBeNull();
      expect(await storage.read('a')).toEqual(sampleEntries(1, 5));
      expect(await storage.read('a', 3)).toEqual(sampleEntries(4, 5));
      expect(await storage.read('a', 5)).toEqual([]);
      expect(await storage.read('unheard of')).toEqual([]);
    });

    test('logs do not mix, whatever their ids', async () => {
      const storage = await storages().connect();
      for (const id of ['a', 'aa', 'a/1', '']) await storage.append(sampleEntries(1, 2, id), sampleMeta(id));
      expect(await storage.read('a')).toEqual(sampleEntries(1, 2, 'a'));
      expect(await storage.read('aa')).toEqual(sampleEntries(1, 2, 'aa'));
    });

    test('an append that comes too late stores nothing and returns what it missed', async () => {
      const { connect } = storages();
      const [here, there] = [await connect(), await connect()];
      await here.append(sampleEntries(1, 2), sampleMeta('a', { title: 'before' }));
      await there.append(sampleEntries(3, 4, 'there'), sampleMeta('a', { title: 'there' }));
      const conflict = await here.append(sampleEntries(3, 3, 'here'), sampleMeta('a', { title: 'here' }));
      expect(conflict).toEqual({ missed: sampleEntries(3, 4, 'there') });
      expect(await here.read('a', 2)).toEqual(sampleEntries(3, 4, 'there'));
      expect((await here.conversations())[0]?.title).toBe('there');
    });

    test('of appends made at once from two tabs none is lost', async () => {
      const { connect } = storages();
      const tabs = [await connect(), await connect()];
      const appendFrom = async (tab: Storage, says: string) => {
        for (let count = 0, seq = 1; count < 15; ) {
          const conflict = await tab.append(sampleEntries(seq, seq, `${says}${count}`), sampleMeta('a'));
          seq += conflict === null ? 1 : conflict.missed.length;
          if (conflict === null) count += 1;
        }
      };
      await Promise.all(tabs.map((tab, index) => appendFrom(tab, `tab${index}-`)));
      const log = await tabs[0]?.read('a');
      expect(log?.map((entry) => entry.seq)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
      const said = log?.map(({ event }) => (event.type === 'conversation-titled' ? event.title?.split(' ')[0] : ''));
      for (const tab of [0, 1]) {
        const own = Array.from({ length: 15 }, (_, count) => `tab${tab}-${count}`);
        expect(said?.filter((title) => title?.startsWith(`tab${tab}-`))).toEqual(own);
      }
    });

    test('an append to a log that another tab purged fails instead of leaving a hole', async () => {
      const storage = await storages().connect();
      await storage.append(sampleEntries(1, 4), sampleMeta('a'));
      await storage.purge('a');
      const late = storage.append(sampleEntries(5, 5), sampleMeta('a'));
      await expect(late).rejects.toMatchObject({ name: 'StorageFailure', kind: 'damaged' });
      expect(await storage.read('a')).toEqual([]);
      expect(await storage.conversations()).toEqual([]);
    });

    test('conversations are listed most recently updated first, deleted ones included', async () => {
      const storage = await storages().connect();
      const metas = [
        sampleMeta('old', { updatedAt: 10 }),
        sampleMeta('new', { updatedAt: 30, deletedAt: 31 }),
        sampleMeta('mid', { updatedAt: 20 }),
      ];
      for (const meta of metas) await storage.append(sampleEntries(1, 1), meta);
      await storage.append([], sampleMeta('old', { updatedAt: 10, title: 'Renamed' }));
      const listed = await storage.conversations();
      expect(listed.map(({ id, title, deletedAt }) => [id, title, deletedAt])).toEqual([
        ['new', 'Conversation new', 31],
        ['mid', 'Conversation mid', null],
        ['old', 'Renamed', null],
      ]);
    });

    test('a purge leaves nothing of a conversation, and the others alone', async () => {
      const storage = await storages().connect();
      for (const id of ['a', 'b']) await storage.append(sampleEntries(1, 2), sampleMeta(id));
      await storage.saveVectors('m', new Map([['hash', Float32Array.of(1, 2)]]));
      await storage.purge('a');
      expect(await storage.read('a')).toEqual([]);
      expect((await storage.conversations()).map(({ id }) => id)).toEqual(['b']);
      expect(await storage.read('b')).toEqual(sampleEntries(1, 2));
      expect(await storage.readVectors('m', ['hash'])).toEqual([undefined]);
    });

    test('only what is still deleted is purged, if so asked', async () => {
      const { connect } = storages();
      const [here, there] = [await connect(), await connect()];
      for (const id of ['a', 'b']) await here.append(sampleEntries(1, 2), sampleMeta(id, { deletedAt: 9 }));
      await there.setDeleted(['a'], null);
      expect(await here.purge('a', 'deleted')).toBe(false);
      expect(await here.purge('b', 'deleted')).toBe(true);
      expect(await here.purge('nowhere', 'deleted')).toBe(true);
      expect((await there.conversations()).map(({ id }) => id)).toEqual(['a']);
      expect(await there.read('a')).toEqual(sampleEntries(1, 2));
    });

    test('lessons are kept by turn, oldest first; saving takes the place of what a turn had taught', async () => {
      const storage = await storages().connect();
      const branch = sampleLesson('a', 'n1', { question: 'branch', at: 2 });
      await storage.saveLessons({ conversationId: 'b', nodeId: 'n1' }, [sampleLesson('b', 'n1', { at: 3 })]);
      await storage.saveLessons({ conversationId: 'a', nodeId: 'n1' }, [sampleLesson('a', 'n1'), branch]);
      await storage.saveLessons({ conversationId: 'a', nodeId: 'n10' }, [sampleLesson('a', 'n10', { at: 4 })]);
      expect(await storage.lessons()).toEqual([
        sampleLesson('a', 'n1'),
        branch,
        sampleLesson('b', 'n1', { at: 3 }),
        sampleLesson('a', 'n10', { at: 4 }),
      ]);
      await storage.saveLessons({ conversationId: 'a', nodeId: 'n1' }, []);
      expect((await storage.lessons()).map(({ at }) => at)).toEqual([3, 4]);
      await storage.replaceLessons([branch]);
      expect(await storage.lessons()).toEqual([branch]);
    });

    test('a file is kept once, however often it is named, until the last conversation that names it goes', async () => {
      const storage = await storages().connect();
      const [cat, dog] = [new Blob(['cat']), new Blob(['a dog'])];
      await storage.saveBlobs(
        new Map([
          ['cat', cat],
          ['dog', dog],
        ]),
      );
      await storage.saveBlobs(new Map([['cat', new Blob(['cat'])]]));
      expect(await storage.blobsKept()).toEqual({ files: 2, bytes: 8 });
      await storage.append(entriesNaming('cat', 'dog'), sampleMeta('a'));
      await storage.append(entriesNaming('cat'), sampleMeta('b'));
      expect(await (await storage.readBlob('cat'))?.text()).toBe('cat');
      expect(await storage.readBlob('bird')).toBeUndefined();

      await storage.purge('a');
      expect(await storage.readBlob('dog')).toBeUndefined();
      expect(await storage.blobsKept()).toEqual({ files: 1, bytes: 3 });
      await storage.purge('b');
      expect(await storage.blobsKept()).toEqual({ files: 0, bytes: 0 });
    });

    test('a log that is written anew keeps the files that it names, and lets go of others that no other names', async () => {
      const storage = await storages().connect();
      await storage.saveBlobs(new Map(['cat', 'dog', 'elk', 'fox'].map((id) => [id, new Blob([id])])));
      await storage.append(entriesNaming('cat', 'dog', 'elk'), sampleMeta('a'));
      await storage.append(entriesNaming('dog'), sampleMeta('b'));
      await storage.rewrite([...entriesNaming('cat', 'fox'), ...sampleEntries(2, 2)], 1, sampleMeta('a'), []);
      await storage.dropUnused({ before: Number.MAX_SAFE_INTEGER });
      expect(await storage.readBlob('cat')).toBeDefined();
      expect(await storage.readBlob('fox')).toBeDefined();
      expect(await storage.readBlob('dog')).toBeDefined();
      expect(await storage.readBlob('elk')).toBeUndefined();
    });

    test('a file that is spared stays when a log that named it is written anew or purged', async () => {
      const storage = await storages().connect();
      await storage.saveBlobs(new Map(['cat', 'dog'].map((id) => [id, new Blob([id])])));
      await storage.append(entriesNaming('cat', 'dog'), sampleMeta('a'));
      await storage.append(entriesNaming('cat', 'dog'), sampleMeta('b'));
      const spared = new Set(['cat']);
      await storage.purge('a', undefined, spared);
      expect((await storage.blobsKept()).files).toBe(2);
      await storage.rewrite(sampleEntries(1, 1), 1, sampleMeta('b'), [], spared);
      expect(await storage.readBlob('cat')).toBeDefined();
      expect(await storage.readBlob('dog')).toBeUndefined();
    });

    test('a file that nobody names stays until it is dropped, and one that is named is never dropped', async () => {
      const storage = await storages().connect();
      await storage.saveBlobs(new Map(['cat', 'dog', 'elk'].map((id) => [id, new Blob([id])])));
      await storage.append(entriesNaming('cat'), sampleMeta('a'));
      await storage.dropUnused({ id: 'dog' });
      await storage.dropUnused({ id: 'cat' });
      expect((await storage.blobsKept()).files).toBe(2);
      await storage.dropUnused({ before: 0 });
      expect((await storage.blobsKept()).files).toBe(2);
      await storage.dropUnused({ before: Number.MAX_SAFE_INTEGER });
      expect((await storage.blobsKept()).files).toBe(1);
      expect(await storage.readBlob('cat')).toBeDefined();
    });

    test('a purge removes a conversation’s lessons, and no others', async () => {
      const storage = await storages().connect();
      for (const id of ['a', 'aa']) {
        await storage.append(sampleEntries(1, 1), sampleMeta(id));
        await storage.saveLessons({ conversationId: id, nodeId: 'n1' }, [sampleLesson(id, 'n1')]);
      }
      await storage.purge('a');
      expect(await storage.lessons()).toEqual([sampleLesson('aa', 'n1')]);
    });

    test('the decider may learn until the person says otherwise', async () => {
      const { connect } = storages();
      const [here, there] = [await connect(), await connect()];
      expect(await here.learns()).toBe(true);
      await here.setLearns(false);
      expect(await there.learns()).toBe(false);
      await there.setLearns(true);
      expect(await here.learns()).toBe(true);
    });

    test('a study is kept with its events, each once, until it is removed', async () => {
      const { connect } = storages();
      const [here, there] = [await connect(), await connect()];
      await here.saveStudy({ id: 'annotator:s', name: 'first' });
      await here.saveStudy({ id: 'annotator:s', name: 'second' });
      expect(await there.studies()).toEqual([{ id: 'annotator:s', name: 'second' }]);
      const [one, two] = [
        { id: 'e1', study: 's', at: 1 },
        { id: 'e2', study: 's', at: 2 },
      ];
      expect(await here.addStudyEvents([one, { id: 'e3', study: 'other' }])).toBe(2);
      expect(await there.addStudyEvents([two, one])).toBe(1);
      expect(await there.addStudyEvents([{ ...one, at: 9 }])).toBe(0);
      expect((await here.studyEvents('s')).toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([one, two]);
      await here.removeStudyEvents(['e1']);
      await here.removeStudy('annotator:s');
      expect(await there.studyEvents('s')).toEqual([two]);
      expect(await there.studies()).toEqual([]);
    });

    test('a conversation stays filed where it was put while it goes on, and several are filed at once', async () => {
      const storage = await storages().connect();
      await storage.append(sampleEntries(1, 2), sampleMeta('a'));
      await storage.append(sampleEntries(1, 1), sampleMeta('b', { updatedAt: 2 }));
      await storage.file(['a', 'b', 'nowhere'], { folder: 'Garden', tags: ['seeds'] });
      await storage.file(['a'], { pinned: true });
      await storage.append(sampleEntries(3, 3), sampleMeta('a', { turns: 2 }));
      const filed = async () => (await storage.conversations()).map(({ id, turns, filing }) => [id, turns, filing]);
      const inGarden = { pinned: false, archived: false, folder: 'Garden', tags: ['seeds'] };
      expect(await filed()).toEqual([
        ['b', 1, inGarden],
        ['a', 2, { ...inGarden, pinned: true }],
      ]);
      await storage.rewrite(sampleEntries(1, 1, 'scrubbed'), 3, sampleMeta('a'), []);
      expect((await filed())[1]).toEqual(['a', 1, { ...inGarden, pinned: true }]);
    });

    test('a conversation stays deleted while it goes on, unless it is brought back', async () => {
      const storage = await storages().connect();
      for (const id of ['a', 'b']) await storage.append(sampleEntries(1, 1), sampleMeta(id));
      const deleted = async () => (await storage.conversations()).map(({ id, deletedAt }) => [id, deletedAt]).sort();
      await storage.setDeleted(['a', 'b', 'nowhere'], 9);
      const unchanged = { deletedAt: undefined };
      await storage.append(sampleEntries(2, 2), { ...sampleMeta('a'), ...unchanged });
      await storage.rewrite(sampleEntries(1, 1, 'scrubbed'), 1, { ...sampleMeta('b'), ...unchanged }, []);
      expect(await deleted()).toEqual([
        ['a', 9],
        ['b', 9],
      ]);
      await storage.append(sampleEntries(3, 3), sampleMeta('a', { deletedAt: null }));
      await storage.setDeleted(['b'], null);
      expect(await deleted()).toEqual([
        ['a', null],
        ['b', null],
      ]);
    });

    test('vectors come back in the order asked for, per model, undefined where there is none', async () => {
      const storage = await storages().connect();
      const whole = Float32Array.of(9, 1, 2, 9);
      await storage.saveVectors(
        'm',
        new Map([
          ['x', whole.subarray(1, 3)],
          ['y', Float32Array.of(3, 4)],
        ]),
      );
      await storage.saveVectors('other', new Map([['x', Float32Array.of(5)]]));
      whole.fill(0);
      const found = await storage.readVectors('m', ['y', 'none', 'x']);
      expect(found).toEqual([Float32Array.of(3, 4), undefined, Float32Array.of(1, 2)]);
      expect(found[2]?.buffer.byteLength).toBe(8);
      expect(await storage.readVectors('other', ['x', 'y'])).toEqual([Float32Array.of(5), undefined]);
      expect(await storage.readVectors('m', [])).toEqual([]);
    });

    test('vectors are found however many are asked for, close together or far apart', async () => {
      const storage = await storages().connect();
      const name = (at: number) => String(at).padStart(5, '0');
      await storage.saveVectors('m', new Map(Array.from({ length: 1000 }, (_, at) => [name(at), Float32Array.of(at)])));
      for (const every of [1, 7]) {
        const asked = Array.from({ length: 140 }, (_, at) => name(at * every)).toReversed();
        const found = await storage.readVectors('m', [...asked, 'none', name(0)]);
        expect(found).toEqual([...asked.map((one) => Float32Array.of(Number(one))), undefined, Float32Array.of(0)]);
      }
    });
  });
};

/** Entries `from` to `to` of a log, each stating its position in its text. */
export const sampleEntries = (from: number, to: number, says = 'title'): Entry[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    v: 1,
    seq: from + index,
    at: 1_700_000_000_000 + from + index,
    step: `s${from + index}`,
    event: { type: 'conversation-titled', title: `${says} ${from + index}` },
  }));

/** A log of one message with files. */
const entriesNaming = (...ids: string[]): Entry[] => {
  const attachments = ids.map((id) => ({ id, name: `${id}.png`, mediaType: 'image/png', size: 3 }));
  const event = { type: 'message-sent' as const, nodeId: 'n', message: 'look', given: null, target: null, attachments };
  return [{ v: 1, seq: 1, at: 1, step: null, event }];
};

export const sampleMeta = (id: string, change: Partial<ConversationMeta> = {}): ConversationMeta => ({
  id,
  title: `Conversation ${id}`,
  turns: 1,
  createdAt: 1,
  updatedAt: 1,
  deletedAt: null,
  ...change,
});

export const sampleLesson = (conversationId: string, nodeId: string, change: Partial<Lesson> = {}): Lesson => ({
  conversationId,
  nodeId,
  question: 'topic',
  by: 'correction',
  at: 1,
  message: { usual: 1, 'opens “fresh page”': 1 },
  choices: [
    { action: 'continue-topic', base: -0.2, facts: {} },
    { action: 'create-topic', base: -1.7, facts: {} },
  ],
  right: 1,
  ...change,
});
