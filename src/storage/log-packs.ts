import { type Entry, LOG_VERSION } from '../domain/entry.ts';

/** How packs are made, and of which version of the log. What was packed in another way is packed anew. */
const FORMAT = 1000 * LOG_VERSION + 1;

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
  /** SHA-256 of the bytes. */
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
  const text = new Blob([JSON.stringify(entries)]);
  const bytes = await new Response(text.stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
  const sum = await crypto.subtle.digest('SHA-256', bytes);
  return { conversationId, from, to: from + entries.length - 1, format: FORMAT, bytes, sum };
};

/** Packs that are decompressed, elsewhere, while one is read. */
const AHEAD = 3;

/** What is packed of a log from its first entry on, as far as there is no doubt about it. */
export const unpacked = async (rows: readonly PackRow[]): Promise<Entry[]> => {
  const log: Entry[] = [];
  const texts: Promise<string | null>[] = [];
  for (const [at, row] of rows.entries()) {
    while (texts.length < Math.min(rows.length, at + AHEAD)) texts.push(textOf(rows[texts.length] as PackRow));
    const text = (await texts[at]) ?? null;
    texts[at] = Promise.resolve(null);
    if (text === null || row.from !== log.length + 1) break;
    const entries: Entry[] = JSON.parse(text);
    if (entries.length !== row.to - row.from + 1 || entries[0]?.seq !== row.from) break;
    for (const entry of entries) log.push(entry);
  }
  return log;
};

/** null where it is not what was packed. */
const textOf = async ({ format, bytes, sum }: PackRow): Promise<string | null> => {
  try {
    if (format !== FORMAT || !sameBytes(await crypto.subtle.digest('SHA-256', bytes), sum)) return null;
    const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return await new Response(text).text();
  } catch {
    // Spoiled in whatever way: the rows are read instead.
    return null;
  }
};

const sameBytes = (a: ArrayBuffer, b: ArrayBuffer): boolean => {
  const [one, other] = [new Uint8Array(a), new Uint8Array(b)];
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
};
