import { Dexie, type Table } from 'dexie';
import * as z from 'zod/mini';
import { BranchAction, TopicAction } from '../domain/decision.ts';
import { type Entry, LOG_VERSION, parseEntry } from '../domain/entry.ts';
import type { Lesson } from '../engine/lessons.ts';
import {
  type ConversationMeta,
  StorageFailure,
  type StudyEventRow,
  type StudyRow,
  type TextsRow,
} from '../engine/storage.ts';
import type { ForestHead, ForestShelf } from './forest-store.ts';
import { decompressedBehind, type PackRow, type PackStamp } from './log-packs.ts';
import { clearedFailure, isBroken, storageFailure, toStorageFailure } from './storage-failure.ts';

/** The version of tables and rows; entries have their own (domain/entry.ts). */
const SCHEMA_VERSION = 8;

/** How long a browser may take to open its database before it counts as blocked, in milliseconds. */
const OPENING_LIMIT = 15_000;

/** How long it may take after that, in milliseconds: the time also passes while the page is suspended, and it opens soon after. */
const ONCE_AWAKE = 2_000;

export interface DatabaseOptions {
  readonly name?: string;
  /** Replaces the browser's own, e.g. with one that refuses. */
  readonly factory?: IDBFactory;
}

class CoppiceDatabase extends Dexie {
  declare readonly entries: Table<EntryRow, [string, number]>;
  declare readonly conversations: Table<ConversationMeta, string>;
  declare readonly vectors: Table<VectorRow, [string, string]>;
  declare readonly lessons: Table<LessonRow, [string, string, string]>;
  declare readonly settings: Table<SettingRow, string>;
  declare readonly blobs: Table<BlobRow, string>;
  declare readonly blobUses: Table<BlobUse, [string, string]>;
  declare readonly studies: Table<StudyRow, string>;
  declare readonly labelEvents: Table<StudyEventRow, string>;
  declare readonly packs: Table<PackRow | PackStamp, [string, number]>;
  declare readonly texts: Table<TextsRow, [string, number]>;
  declare readonly forests: Table<ForestHead | ForestShelf, [string, number]>;
  declare readonly compressed: Table<CompressedMark, string>;

  /** Closed for good, and not opened again. */
  isEnded = false;

  constructor({ name = 'coppice', factory }: DatabaseOptions) {
    super(name, {
      ...(factory === undefined ? {} : { indexedDB: factory }),
      // Every read parses its rows, so Dexie's row cache would only cost memory.
      cache: 'disabled',
      // A commit is handed to the browser's own process: it survives a killed tab and a crashed browser.
      // 'strict' also waits for the disk, several milliseconds a turn, and only protects against a power cut.
      chromeTransactionDurability: 'relaxed',
    });
    this.version(1).stores({
      entries: '[conversationId+seq]',
      conversations: 'id',
      vectors: '[model+hash]',
    });
    // Each version only adds tables; existing ones stay as they are.
    this.version(2).stores({
      lessons: '[conversationId+nodeId+question]',
      settings: 'name',
    });
    this.version(3).stores({
      blobs: 'id, at',
      blobUses: '[conversationId+id], id',
    });
    this.version(4).stores({
      studies: 'id',
      labelEvents: 'id, study',
    });
    // Rows of `entries` may be bundles from here on.
    this.version(5).stores({
      packs: '[conversationId+from]',
    });
    this.version(6).stores({
      texts: '[conversationId+part]',
    });
    this.version(7).stores({
      forests: '[conversationId+part]',
    });
    // Rows of `entries` may be compressed from here on.
    this.version(SCHEMA_VERSION).stores({
      compressed: 'conversationId',
    });
    // Dexie silently opens a database of a later version; also when it opens it again, as after the page was suspended.
    const refuseNewer = () => {
      if (Math.floor(this.backendDB().version / 10) > SCHEMA_VERSION) throw storageFailure('newer-version');
      wasThere = true;
    };
    this.on('ready', refuseNewer, true);
    let wasThere = false;
    // Nor is an empty one created in place of what was there: the page still shows that.
    this.on('populate', () => {
      if (wasThere) throw clearedFailure();
    });
  }

  end(): void {
    this.isEnded = true;
    this.close();
  }
}

export type { CoppiceDatabase };

/** Opens the database, creating or upgrading it. Rejects with a StorageFailure. */
export const openDatabase = async (options: DatabaseOptions = {}): Promise<CoppiceDatabase> => {
  const db = new CoppiceDatabase(options);
  // A newer Coppice in another tab wants to upgrade: make room. From here on, this tab's calls fail as
  // `closed`; false keeps Dexie from reopening the database, with tables this tab does not know.
  db.on('versionchange', () => {
    db.end();
    return false;
  });
  const open = () =>
    db.open().catch((error: unknown) => {
      if (db.isEnded || !isBroken(error)) throw error;
      // The next try may succeed, as where the page was just woken up.
      db.close({ disableAutoOpen: false });
      return db.open();
    });
  try {
    await inTime(db, open);
  } catch (error) {
    db.end();
    // Some browsers forbid it so in private windows.
    throw (error as Partial<Error>)?.name === 'InvalidStateError' ? storageFailure('blocked', error) : notOpened(error);
  }
  return db;
};

/** The failure of a database that does not open, or of which nothing can be read then. */
export const notOpened = (error: unknown): StorageFailure => {
  const failure = toStorageFailure(error);
  if (failure.kind !== 'unknown' && failure.kind !== 'closed') return failure;
  return new HeldUp('Your stored conversations could not be opened.', 'Reload the page.', error);
};

/**
 * Returns what carries out operations on the database. One whose connection broke is carried out once more on a new
 * connection: browsers, WebKit above all, cut those of a page in the background, and some never say so. With `again`, the first
 * try may have been stored nevertheless. Rejects with a StorageFailure.
 */
export const guardOf = (db: CoppiceDatabase) => {
  let opened = 0;
  let opening: Promise<void> | null = null;
  const openAgain = async (): Promise<void> => {
    try {
      db.close({ disableAutoOpen: false });
      await inTime(db, () => db.open());
      opened += 1;
    } catch (error) {
      // What to do then is not what to do while the page opens: there may be something to export.
      throw error instanceof HeldUp ? storageFailure('closed', error) : error;
    } finally {
      opening = null;
    }
  };
  const repeated = async <T>(work: (again: boolean) => Promise<T>): Promise<T> => {
    const before = opened;
    try {
      return await work(false);
    } catch (error) {
      if (db.isEnded || !isBroken(error)) throw error;
      // Several operations may have met with the same broken connection.
      if (opened === before) {
        opening ??= openAgain();
        await opening;
      }
      return work(true);
    }
  };
  return <T>(work: (again: boolean) => Promise<T>): Promise<T> => asStorageFailures(() => repeated(work));
};

/** Rejects with a StorageFailure where the work rejects. */
export const asStorageFailures = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw toStorageFailure(error);
  }
};

/** What is stored may be read later: nothing forbids it. */
class HeldUp extends StorageFailure {
  constructor(why: string, remedy = 'Close other tabs of Coppice, then reload the page.', cause?: unknown) {
    super('held-up', `${why} They are still there. ${remedy}`, { cause });
  }
}

/** Opens the database. Rejects if another tab does not release an older version, or if the browser never answers. */
const inTime = async (db: CoppiceDatabase, open: () => PromiseLike<unknown>): Promise<void> => {
  let giveUp = (_: HeldUp): void => undefined;
  const heldUp = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  const blocked = () => giveUp(new HeldUp('Another tab with an older Coppice holds your stored conversations.'));
  const slow = () => giveUp(new HeldUp('The browser did not open your stored conversations in time.'));
  let timer = setTimeout(() => {
    timer = setTimeout(slow, ONCE_AWAKE);
  }, OPENING_LIMIT);
  db.on('blocked', blocked);
  try {
    await Promise.race([open(), heldUp]);
  } finally {
    clearTimeout(timer);
    db.on('blocked').unsubscribe(blocked);
  }
};

/** A stored part of a log and the conversation it belongs to: a single entry, or several stored together under the `seq` of the last one. */
export type EntryRow = (Entry | Bundle | CompressedBundle) & { readonly conversationId: string };

interface Bundle {
  readonly seq: number;
  /** Not parsed yet. */
  readonly entries: readonly unknown[];
}

interface CompressedBundle {
  readonly seq: number;
  /** JSON of the entries, compressed. */
  readonly bytes: ArrayBuffer;
}

/** Up to which entry the rows of a log have been compressed. */
interface CompressedMark {
  readonly conversationId: string;
  readonly seq: number;
}

/** Maximum number of entries in a row. */
export const BUNDLE = 200;

/** At least this many entries are bundled: one row each takes ten times as long to write. */
const MANY = 20;

export const entryRows = (conversationId: string, entries: readonly Entry[]): EntryRow[] => {
  if (entries.length < MANY) return entries.map((entry) => ({ ...entry, conversationId }));
  const rows: EntryRow[] = [];
  for (let from = 0; from < entries.length; from += BUNDLE) {
    const bundle = entries.slice(from, from + BUNDLE);
    rows.push({ conversationId, seq: (bundle.at(-1) as Entry).seq, entries: bundle });
  }
  return rows;
};

interface VectorRow {
  readonly model: string;
  readonly hash: string;
  readonly vector: Float32Array;
}

/** The bytes of a file by their SHA-256, and when they were first stored. */
interface BlobRow {
  readonly id: string;
  readonly at: number;
  readonly size: number;
  readonly blob: Blob;
}

/** A conversation whose log names a file. */
interface BlobUse {
  readonly conversationId: string;
  readonly id: string;
}

/** A lesson as it is stored. */
type LessonRow = Lesson;

/** A setting of the person for all conversations. The reader parses the value. */
interface SettingRow {
  readonly name: string;
  readonly value: unknown;
}

const Facts = z.record(z.string(), z.number());

const LessonSchema = z
  .object({
    conversationId: z.string(),
    nodeId: z.string(),
    question: z.enum(['topic', 'branch']),
    by: z.enum(['correction', 'confirmation']),
    at: z.number(),
    message: Facts,
    choices: z.array(z.object({ action: z.union([TopicAction, BranchAction]), base: z.number(), facts: Facts })),
    right: z.int().check(z.nonnegative()),
  })
  .check(z.refine(({ choices, right }) => right < choices.length));

/** If damaged, only the place in the list is lost. */
const Filed = z.object({
  pinned: z.boolean(),
  archived: z.boolean(),
  folder: z.nullable(z.string()),
  tags: z.array(z.string()),
});

const Meta = z.object({
  id: z.string(),
  title: z.string(),
  turns: z.number(),
  createdAt: z.number(),
  updatedAt: z.number(),
  deletedAt: z.nullable(z.number()),
  filing: z.catch(z.optional(Filed), undefined),
});

export const isCompressed = (row: EntryRow): row is EntryRow & CompressedBundle =>
  'bytes' in row && row.bytes instanceof ArrayBuffer;

export const isBundle = (row: EntryRow): row is EntryRow & Bundle => 'entries' in row && Array.isArray(row.entries);

/**
 * Parses the entries after `afterSeq` from the rows that start there. Rejects with a StorageFailure that names the
 * conversation and the entry. Must not run inside a transaction: decompressing takes longer than a transaction lasts.
 */
export const parseEntries = async (id: string, rows: readonly EntryRow[], afterSeq: number): Promise<Entry[]> =>
  entriesIn(id, rows.some(isCompressed) ? await Promise.all(rows.map(decompressedRow)) : rows, afterSeq);

const decompressedRow = async (row: EntryRow): Promise<EntryRow> => {
  if (!isCompressed(row)) return row;
  const { conversationId, seq, bytes } = row;
  try {
    return { conversationId, seq, entries: JSON.parse(await decompressedBehind(bytes)) };
  } catch {
    // Reported as an unreadable entry.
    return { conversationId, seq, entries: [null] };
  }
};

/** Same as `parseEntries`, for rows that are all uncompressed. Throws. */
export const entriesIn = (conversationId: string, rows: readonly EntryRow[], afterSeq: number): Entry[] => {
  const damaged = (why: string): StorageFailure =>
    new StorageFailure(
      'damaged',
      `The stored conversation ${conversationId} is damaged (${why}). Open another conversation, or import this one again from an export.`,
    );
  const log: Entry[] = [];
  for (const row of rows) {
    const bundled = isBundle(row);
    for (const stored of bundled ? row.entries : [row]) {
      if (bundled && seqOf(stored) <= afterSeq) continue;
      const seq = afterSeq + log.length + 1;
      const parsed = parseEntry(stored);
      if (!parsed.ok && parsed.kind === 'newer-version') throw newerEntry(conversationId, seq, parsed.version);
      if (!parsed.ok) throw damaged(`entry ${seq}: expected ${parsed.expectation.text}`);
      if (parsed.entry.seq !== seq) throw damaged(`entry ${seq} is missing`);
      log.push(parsed.entry);
    }
    if (bundled && row.seq > afterSeq + log.length) throw damaged(`entry ${afterSeq + log.length + 1} is missing`);
  }
  return log;
};

/** NaN if it is no entry. */
const seqOf = (stored: unknown): number =>
  typeof stored === 'object' && stored !== null && 'seq' in stored ? Number(stored.seq) : Number.NaN;

const newerEntry = (conversationId: string, seq: number, version: number): StorageFailure =>
  new StorageFailure(
    'newer-version',
    `Conversation ${conversationId} was continued by a newer Coppice (entry ${seq} has version ${version}; this one reads up to ${LOG_VERSION}). Export anything new, then reload the page to get the newer one.`,
  );

/**
 * Parses a row of the conversation list. A damaged one is listed with what is known about it, so that it can still be
 * opened (everything but its place in the list is in the log) and the others are not lost with it.
 */
export const parseMeta = (id: string, row: unknown): ConversationMeta => {
  const parsed = Meta.safeParse(row);
  if (parsed.success) return parsed.data;
  return { id, title: 'Damaged conversation', turns: 0, createdAt: 0, updatedAt: 0, deletedAt: null };
};

/** The readable lessons, oldest first. A damaged one is skipped and nothing else is lost. */
export const parseLessons = (rows: readonly unknown[]): Lesson[] =>
  rows
    .flatMap((row) => {
      const parsed = LessonSchema.safeParse(row);
      return parsed.success ? [parsed.data] : [];
    })
    .sort((a, b) => a.at - b.at);

/** A cached vector; a damaged one counts as not cached and is computed again. */
export const parseVector = (row: unknown): Float32Array | undefined => {
  const vector = (row as Partial<VectorRow> | undefined)?.vector;
  return vector instanceof Float32Array ? vector : undefined;
};

/** The bytes of a file; damaged ones count as missing, which is shown where the file is shown. */
export const parseBlob = (row: unknown): Blob | undefined => {
  const blob = (row as Partial<BlobRow> | undefined)?.blob;
  return blob instanceof Blob ? blob : undefined;
};
