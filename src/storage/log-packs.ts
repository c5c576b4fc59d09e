import { gunzipSync } from 'fflate';
import { type Entry, LOG_VERSION } from '../domain/entry.ts';
import { Blocks, longList } from '../domain/long-list.ts';

/** How packs are made, and of which version of the log. What was packed in another way is packed anew. */
const FORMAT = 1000 * LOG_VERSION + 2;

/**
 * Entries that follow each other in a log, as one row: of a hundred thousand turns they are read in a tenth of the time
 * that their own rows take. Those stay what counts; a pack that is not just what was made of them is none.
 */
export interface PackRow {
  readonly conversationId: string;
  /** `seq` of its first entry. */
  readonly from: number;
  readonly to: number;
  readonly format: number;
  /** JSON, compressed. */
  readonly bytes: ArrayBuffer;
  /** SHA-256 of all this. */
  readonly sum: ArrayBuffer;
}

/** Under `from` 0: which writing of the log was packed. Whoever writes it anew removes this with the packs. */
export interface PackStamp {
  readonly conversationId: string;
  readonly from: 0;
  readonly stamp: string;
}

/** Sums are made in secure contexts only: over plain HTTP logs are read row by row. */
export const canPack = (): boolean => globalThis.crypto?.subtle !== undefined && 'CompressionStream' in globalThis;

/** The entries have been parsed: what is unpacked is not parsed again. */
export const pack = async (conversationId: string, entries: readonly Entry[]): Promise<PackRow> => {
  const from = entries[0]?.seq ?? 0;
  const to = from + entries.length - 1;
  const bytes = await compressed(JSON.stringify(entries));
  return { conversationId, from, to, format: FORMAT, bytes, sum: await sumOf({ from, to, bytes }) };
};

/** Packs that stay as entries once they were read: those around a moment that somebody looks at. */
const READ = 8;

/**
 * What is packed of a log from its first entry on, as far as there is no doubt about it. Entries are made of it when they are
 * asked for; those of the last pack, which the next one goes on from, are there.
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
    // Spoiled in whatever way: the rows are read instead.
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

/** What is being summed: `digest` takes a copy before it returns, so that one will do for hundreds of packs. */
let summed = new Uint8Array(0);

export const sameBytes = (a: ArrayBuffer, b: ArrayBuffer): boolean => {
  const [one, other] = [new Uint8Array(a), new Uint8Array(b)];
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
};

/** Elsewhere than on the page's own thread. */
export const compressed = (text: string): Promise<ArrayBuffer> =>
  new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();

export const decompressedBehind = (bytes: ArrayBuffer): Promise<string> =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();

/** At once, on this thread: for parts of some ten kilobytes. */
export const decompressed = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string =>
  new TextDecoder().decode(gunzipSync(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)));
