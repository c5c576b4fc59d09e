import { Dexie, type Table } from 'dexie';
import type { ClearedKind, StorageUse } from '../engine/storage.ts';
import {
  BUNDLE,
  type CoppiceDatabase,
  type EntryRow,
  entriesIn,
  isBundle,
  isCompressed,
  parseEntries,
} from './coppice-database.ts';
import { compressed } from './log-packs.ts';

/**
 * Compresses the next rows of a log, as many as will share a row afterwards. Returns false if none are left or the log
 * was rewritten in the meantime. Can be interrupted at any point: a row is replaced in one transaction, and only if it
 * still has the content that was compressed.
 */
export const compressNext = async (db: CoppiceDatabase, id: string): Promise<boolean> => {
  const { after, rows } = await db.transaction('r', db.entries, db.compressed, async () => {
    const mark = await db.compressed.get(id);
    const rest = db.entries.where('[conversationId+seq]').between([id, mark?.seq ?? 0], [id, Dexie.maxKey], false);
    const next = await rest
      .limit(BUNDLE)
      .until((row) => isBundle(row) || isCompressed(row), true)
      .toArray();
    return { after: mark?.seq ?? 0, rows: next };
  });
  const part = rows.length > 1 && !isSingle(rows.at(-1) as EntryRow) ? rows.slice(0, -1) : rows;
  const last = part.at(-1);
  if (last === undefined) return false;
  const text = JSON.stringify(await parseEntries(id, part, after));
  const bytes = await compressed(text);
  return db.transaction('rw', db.entries, db.compressed, async () => {
    const there = db.entries.where('[conversationId+seq]').between([id, after], [id, last.seq], false, true);
    const now = await there.toArray();
    // Compressed by another tab, or rewritten: purged words must not come back.
    if (now.some(isCompressed) || JSON.stringify(entriesIn(id, now, after)) !== text) return false;
    await there.delete();
    await db.entries.put({ conversationId: id, seq: last.seq, bytes });
    await db.compressed.put({ conversationId: id, seq: last.seq });
    return true;
  });
};

const isSingle = (row: EntryRow): boolean => !isBundle(row) && !isCompressed(row);

const NOTHING: StorageUse = { logs: 0, opening: 0, search: 0, vectors: 0, files: 0, studies: 0 };

/** How long reading a batch of rows may take, in milliseconds: half a frame. */
const SPELL = 8;

/** Returns the stored bytes by kind, as handed to the browser, and reports them while counting. Rejects when the signal fires. */
export const measureStorage = async (
  db: CoppiceDatabase,
  onPart: (use: StorageUse) => void,
  signal: AbortSignal,
): Promise<StorageUse> => {
  const { entries, conversations, packs, forests, texts, vectors, blobs, studies, labelEvents } = db;
  const tables = {
    files: [blobs],
    opening: [packs, forests],
    search: [texts],
    vectors: [vectors],
    studies: [studies, labelEvents],
    logs: [conversations, entries],
  } satisfies Record<keyof StorageUse, Table[]>;
  let use = NOTHING;
  for (const [kind, own] of Object.entries(tables) as [keyof StorageUse, Table[]][]) {
    for (const table of own) {
      await eachRow(table, signal, (bytes) => {
        use = { ...use, [kind]: use[kind] + bytes };
        onPart(use);
      });
    }
  }
  return use;
};

/** Uses as many transactions as needed to let the page render and other writers take their turn. */
const eachRow = async (table: Table, signal: AbortSignal, onBytes: (bytes: number) => void): Promise<void> => {
  const { keyPath } = table.schema.primKey;
  const keyOf = (row: Record<string, unknown>) =>
    typeof keyPath === 'string' ? row[keyPath] : (keyPath as string[]).map((name) => row[name]);
  let [many, last] = [8, null as unknown];
  for (;;) {
    signal.throwIfAborted();
    const begun = performance.now();
    const rows = await (last === null ? table.limit(many) : table.where(':id').above(last).limit(many)).toArray();
    onBytes(rows.reduce((sum, row) => sum + bytesOf(row), 0));
    if (rows.length < many) return;
    last = keyOf(rows.at(-1));
    many = performance.now() - begun > SPELL ? Math.max(1, many >> 1) : 2 * many;
  }
};

/** Stored by browsers with two bytes for each unit of the text instead of one. */
const BEYOND_LATIN = /[\u0100-\uffff]/;

/** Roughly the bytes the browser stores for a value, before its own compression. */
export const bytesOf = (value: unknown): number => {
  if (typeof value === 'string') return BEYOND_LATIN.test(value) ? 2 * value.length : value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (value instanceof Blob) return value.size;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength;
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + bytesOf(one), 0);
  let sum = 0;
  for (const [name, one] of Object.entries(value)) sum += name.length + bytesOf(one);
  return sum;
};

/** Removes data that is recreated when needed. */
export const clearStorage = async (db: CoppiceDatabase, kind: ClearedKind): Promise<void> => {
  const { packs, forests, texts, vectors } = db;
  const tables: Table[] = { opening: [packs, forests], search: [texts], vectors: [vectors] }[kind];
  await db.transaction('rw', tables, () => Promise.all(tables.map((table) => table.clear())));
};
