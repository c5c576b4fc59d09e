import { Dexie } from 'dexie';
import { afterAll } from 'vitest';
import { type IndexedDbStorage, openIndexedDbStorage } from '../indexeddb-storage.ts';

/** The tables of each database version so far, any of which an upgrade may find. */
const FIRST = { entries: '[conversationId+seq]', conversations: 'id', vectors: '[model+hash]' };
const SECOND = { ...FIRST, lessons: '[conversationId+nodeId+question]', settings: 'name' };
const THIRD = { ...SECOND, blobs: 'id, at', blobUses: '[conversationId+id], id' };
const FOURTH = { ...THIRD, studies: 'id', labelEvents: 'id, study' };
const FIFTH = { ...FOURTH, packs: '[conversationId+from]' };
const SIXTH = { ...FIFTH, texts: '[conversationId+part]' };
const SEVENTH = { ...SIXTH, forests: '[conversationId+part]' };
const EIGHTH = { ...SEVENTH, compressed: 'conversationId' };
const VERSIONS = [FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH, SEVENTH, EIGHTH];

/** The databases of a file's tests, removed after the last test. */
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
  /** Closes the storage after the last test. */
  const closedAtEnd = <S extends IndexedDbStorage>(storage: S): S => {
    opened.push(storage);
    return storage;
  };
  const connect = async (name: string): Promise<IndexedDbStorage> => closedAtEnd(await openIndexedDbStorage({ name }));
  return { freshName, connect, closedAtEnd };
};

/** Works on a database behind Coppice's back, to inspect or spoil what is stored. */
export const inDatabase = async <T>(name: string, work: (db: Dexie) => Promise<T>): Promise<T> => {
  const db = await new Dexie(name).open();
  try {
    return await work(db);
  } finally {
    db.close();
  }
};

/** Creates the database as an earlier version had it. */
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

/** Opens the database as a future Coppice may have it. */
export const openNewer = (name: string): Promise<Dexie> => {
  const db = new Dexie(name);
  db.version(VERSIONS.length + 1).stores({ ...VERSIONS.at(-1), later: 'id' });
  return db.open();
};

/**
 * The browser's databases, whose connections break when they are told to. `cut`: every operation on those that are open fails,
 * without a word to them; `loseAnswer`: the next transaction that writes is carried out, and fails all the same.
 */
export const breakableDatabases = () => {
  const cut = new WeakSet<IDBDatabase>();
  const connections: IDBDatabase[] = [];
  let loses = false;
  const opened = (db: IDBDatabase): void => {
    connections.push(db);
    const transaction = db.transaction.bind(db);
    db.transaction = (...given) => {
      if (cut.has(db)) throw new DOMException('Connection to Indexed Database server lost.', 'UnknownError');
      const made = transaction(...given);
      if (loses && made.mode === 'readwrite') {
        loses = false;
        loseAnswer(made);
      }
      return made;
    };
  };
  const factory = {
    open: (...given: Parameters<IDBFactory['open']>) => {
      const request = indexedDB.open(...given);
      request.addEventListener('success', () => opened(request.result));
      return request;
    },
  } as IDBFactory;
  return {
    factory,
    cut: (): void => {
      for (const db of connections) cut.add(db);
    },
    loseAnswer: (): void => {
      loses = true;
    },
    /** How many connections have been opened. */
    opened: (): number => connections.length,
  };
};

/** Whoever made the transaction hears that it was aborted, once it is complete. */
const loseAnswer = (transaction: IDBTransaction): void => {
  let aborted: IDBTransaction['onabort'] = null;
  Object.defineProperties(transaction, {
    onabort: {
      set: (listener: typeof aborted) => {
        aborted = listener;
      },
    },
    oncomplete: { set: () => undefined },
  });
  transaction.addEventListener('complete', () => aborted?.call(transaction, new Event('abort')));
};
