import { Dexie } from 'dexie';
import { afterAll } from 'vitest';
import { type IndexedDbStorage, openIndexedDbStorage } from '../indexeddb-storage.ts';

/** The tables of each version of the database so far: what an upgrade may find. */
const FIRST = { entries: '[conversationId+seq]', conversations: 'id', vectors: '[model+hash]' };
const SECOND = { ...FIRST, lessons: '[conversationId+nodeId+question]', settings: 'name' };
const THIRD = { ...SECOND, blobs: 'id, at', blobUses: '[conversationId+id], id' };
const FOURTH = { ...THIRD, studies: 'id', labelEvents: 'id, study' };
const FIFTH = { ...FOURTH, packs: '[conversationId+from]' };
const SIXTH = { ...FIFTH, texts: '[conversationId+part]' };
const SEVENTH = { ...SIXTH, forests: '[conversationId+part]' };
const EIGHTH = { ...SEVENTH, compressed: 'conversationId' };
const VERSIONS = [FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH, SEVENTH, EIGHTH];

/** The databases of a file's tests, which are removed after the last. */
export const testDatabases = () => {
  const names: string[] = [];
  const opened: IndexedDbStorage[] = [];
  afterAll(async () => {
    for (const storage of opened) storage.close();
    for (const name of names) await Dexie.delete(name);
  });
  const freshName = (): string => {
    const name = `test-${crypto.randomUUID()}`;
    names.push(name);
    return name;
  };
  /** Closed after the last test. */
  const closedAtEnd = <S extends IndexedDbStorage>(storage: S): S => {
    opened.push(storage);
    return storage;
  };
  const connect = async (name: string): Promise<IndexedDbStorage> => closedAtEnd(await openIndexedDbStorage({ name }));
  return { freshName, connect, closedAtEnd };
};

/** Works on a database without Coppice's care, to look at what is stored or to spoil it. */
export const inDatabase = async <T>(name: string, work: (db: Dexie) => Promise<T>): Promise<T> => {
  const db = await new Dexie(name).open();
  try {
    return await work(db);
  } finally {
    db.close();
  }
};

/** Makes the database as an earlier version had it. */
export const makeOfVersion = async (
  name: string,
  version: number,
  fill: (db: Dexie) => Promise<unknown>,
): Promise<void> => {
  const db = new Dexie(name);
  db.version(version).stores(VERSIONS[version - 1] ?? {});
  await db.open();
  await fill(db);
  db.close();
};

/** The database as a Coppice that does not exist yet may have it: open. */
export const openNewer = (name: string): Promise<Dexie> => {
  const db = new Dexie(name);
  db.version(VERSIONS.length + 1).stores({ ...VERSIONS.at(-1), later: 'id' });
  return db.open();
};
