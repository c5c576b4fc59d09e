import { Dexie, type Table } from 'dexie';
import type { ConversationMeta } from '../engine/ports.ts';
import { failureOf, toStorageFailure } from './storage-failure.ts';
import type { EntryRow, LessonRow, SettingRow, VectorRow } from './stored-rows.ts';

/** The version of the tables; entries carry their own (see migrations.ts). */
const SCHEMA_VERSION = 2;

/** How long a browser may take to open its database before it counts as blocked, in milliseconds. */
const OPENING_LIMIT = 15_000;

export interface DatabaseOptions {
  readonly name?: string;
  /** Stands in for the browser's own, e.g. one that refuses. */
  readonly factory?: IDBFactory;
}

class CoppiceDatabase extends Dexie {
  declare readonly entries: Table<EntryRow, [string, number]>;
  declare readonly conversations: Table<ConversationMeta, string>;
  declare readonly vectors: Table<VectorRow, [string, string]>;
  declare readonly lessons: Table<LessonRow, [string, string, string]>;
  declare readonly settings: Table<SettingRow, string>;

  constructor({ name = 'coppice', factory }: DatabaseOptions) {
    super(name, {
      ...(factory === undefined ? {} : { indexedDB: factory }),
      // Every read parses what it gets, so Dexie's cache of rows would only cost memory.
      cache: 'disabled',
      // Committed is handed to the browser's own process: it survives a killed tab and a crashed browser.
      // 'strict' also waits for the disk, several milliseconds a turn, against a power cut alone.
      chromeTransactionDurability: 'relaxed',
    });
    this.version(1).stores({
      entries: '[conversationId+seq]',
      conversations: 'id',
      vectors: '[model+hash]',
    });
    // Two tables more; what was there stays as it is.
    this.version(SCHEMA_VERSION).stores({
      lessons: '[conversationId+nodeId+question]',
      settings: 'name',
    });
  }
}

export type { CoppiceDatabase };

/** Opens the database, making or upgrading it. Rejects with a StorageFailure. */
export const openDatabase = async (options: DatabaseOptions = {}): Promise<CoppiceDatabase> => {
  const db = new CoppiceDatabase(options);
  // A newer Coppice in another tab wants to upgrade: make room. From here on this tab's calls fail as
  // `closed`; false keeps Dexie from opening the database again, with tables this tab does not know.
  db.on('versionchange', () => {
    db.close();
    return false;
  });
  try {
    await Promise.race([db.open(), heldUp(db)]);
    // Dexie opens a database of a later version without a word.
    if (Math.floor(db.backendDB().version / 10) > SCHEMA_VERSION) throw failureOf('newer-version');
  } catch (error) {
    db.close();
    const failure = toStorageFailure(error);
    // Whatever else keeps a database from opening, the person can do the same about it.
    throw failure.kind === 'full' || failure.kind === 'newer-version' ? failure : failureOf('blocked', error);
  }
  return db;
};

/** Rejects when another tab does not let go of an older version, or the browser never answers. */
const heldUp = (db: CoppiceDatabase): Promise<never> =>
  new Promise((_, reject) => {
    db.on('blocked', () => reject(new Error('another tab holds an older version of the database')));
    setTimeout(() => reject(new Error('the browser did not open the database in time')), OPENING_LIMIT);
  });
