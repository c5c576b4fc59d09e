import { gunzipSync } from 'fflate';
import { type Entry, LOG_VERSION } from '../domain/entry.ts';
import { Blocks, longList } from '../domain/long-list.ts';

/** The format of packs, including the log version. Packs in another format are created again. */
const FORMAT = 1000 * LOG_VERSION + 2;

/**
 * Consecutive log entries as one row: for a hundred thousand turns, reading packs takes a tenth of the time of reading
 * single rows. The rows remain authoritative; a pack that does not match them exactly is discarded.
 */
export interface PackRow {
  readonly conversationId: string;
  /** `seq` of its first entry. */
  readonly from: number;
  readonly to: number;
  readonly format: number;
  /** Compressed JSON. */
  readonly bytes: ArrayBuffer;
  /** SHA-256 of `from`, `to` and the bytes. */
  readonly sum: ArrayBuffer;
}

/** Stored under `from` 0: which version of the log was packed. Rewriting the log removes it along with the packs. */
export interface PackStamp {
  readonly conversationId: string;
  readonly from: 0;
  readonly stamp: string;
}

/** Hashing needs a secure context: over plain HTTP, logs are read row by row. */
export const canPack = (): boolean => globalThis.crypto?.subtle !== undefined && 'CompressionStream' in globalThis;

/** Expects parsed entries: unpacked ones are not parsed again. */
export const pack = async (conversationId: string, entries: readonly Entry[]): Promise<PackRow> => {
  const from = entries[0]?.seq ?? 0;
  const to = from + entries.length - 1;
  const bytes = await compressed(JSON.stringify(entries));
  return { conversationId, from, to, format: FORMAT, bytes, sum: await sumOf({ from, to, bytes }) };
};

/** Number of packs kept as entries after reading: those around a moment being viewed. */
const READ = 8;

/**
 * Returns the packed part of a log from its first entry on, as far as it is intact. Entries are created on demand,
 * except for those of the last pack, which the next one continues from.
 */
export const unpacked = async (rows: readonly PackRow[]): Promise<Entry[]> => {
  const sound = await Promise.all(rows.map(isSound));
  let end = 0;
  while (end < rows.length && sound[end] === true && rows[end]?.from === (rows[end - 1]?.to ?? 0) + 1) end++;
  const last = rows[end - 1];
  if (last === undefined) return [];
  const earlier = rows.slice(0, end - 1);
  const ends = earlier.map(({ to }) => to);
  const read = (at: number): Entry[] => JSON.parse(decompressed((earlier[at] as PackRow).bytes));
  return longList(new Blocks(ends, read, READ), JSON.parse(decompressed(last.bytes)) as Entry[]);
};

const isSound = async (row: PackRow): Promise<boolean> => {
  try {
    return row.format === FORMAT && sameBytes(await sumOf(row), row.sum);
  } catch {
    // Damaged in some way: the rows are read instead.
    return false;
  }
};

const sumOf = ({ from, to, bytes }: Pick<PackRow, 'from' | 'to' | 'bytes'>): Promise<ArrayBuffer> => {
  const length = 16 + bytes.byteLength;
  if (summed.length < length) summed = new Uint8Array(length);
  summed.set(new Uint8Array(new Float64Array([from, to]).buffer));
  summed.set(new Uint8Array(bytes), 16);
  return crypto.subtle.digest('SHA-256', summed.subarray(0, length));
};

/** Hash input buffer: `digest` takes a copy before it returns, so one buffer serves hundreds of packs. */
let summed = new Uint8Array(0);

export const sameBytes = (a: ArrayBuffer, b: ArrayBuffer): boolean => {
  const [one, other] = [new Uint8Array(a), new Uint8Array(b)];
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
};

/** Compresses off the main thread. */
export const compressed = (text: string): Promise<ArrayBuffer> =>
  new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();

export const decompressedBehind = (bytes: ArrayBuffer): Promise<string> =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();

/** Synchronous, on this thread: for parts of some ten kilobytes. */
export const decompressed = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string =>
  new TextDecoder().decode(gunzipSync(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)));
