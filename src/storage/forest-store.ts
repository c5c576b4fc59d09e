import { LOG_VERSION } from '../domain/entry.ts';
import { HandledCounts, type StoredCounts } from '../domain/handled-counts.ts';
import { Blocks } from '../domain/long-list.ts';
import { type Head, type Rows, restoredForest, storableForest } from '../domain/stored-forest.ts';
import type { ForestSnapshot } from '../engine/storage.ts';
import { createYielder } from '../engine/tasks.ts';
import { compressed, decompressed, decompressedBehind, sameBytes } from './log-packs.ts';

/**
 * The format of stored forests, including the log version. One in another format is stored again. Raised as well when
 * what an event does to a forest changes: the rest of the log would not follow from a forest folded before.
 */
const FORMAT = 1000 * LOG_VERSION + 12;

/**
 * The forest of a log at one moment, for fast opening: a head with what is needed of all turns, and shelves with what
 * is read per turn on demand. It is only a copy: if any part differs from what was stored, it is discarded and the log
 * is folded instead.
 */
export interface ForestHead {
  readonly conversationId: string;
  readonly part: 0;
  readonly format: number;
  /** The stamp of the log's packs: the same version of the log. */
  readonly stamp: string;
  /** Number of entries it was made from. */
  readonly seq: number;
  /** A `HeadPrint` as compressed JSON. */
  readonly bytes: ArrayBuffer;
  /** SHA-256 of `FORMAT`, `seq` and the bytes. */
  readonly sum: ArrayBuffer;
  /** SHA-256 of the shelves, by part. */
  readonly sums: Readonly<Record<number, string>>;
}

export interface ForestShelf {
  readonly conversationId: string;
  /** Starts at 1. */
  readonly part: number;
  readonly bytes: ArrayBuffer;
}

interface HeadPrint {
  readonly head: Head;
  readonly handled: StoredCounts;
  readonly lengths: Readonly<Record<keyof Rows, number>>;
  readonly shelves: readonly Shelf[];
}

/** Consecutive blocks of rows, each compressed separately. */
interface Shelf {
  readonly kind: keyof Rows;
  readonly part: number;
  readonly rows: number;
  /** Where each block ends, in bytes. */
  readonly ends: readonly number[];
  readonly sum: string;
}

/** Rows in a block: few enough to be read within a millisecond or two. */
const BLOCK = 128;
/** Blocks on a shelf: few enough to be rewritten when a single turn has changed. */
const SHELF = 32;
/** Number of decoded blocks to keep in memory after reading, by kind. */
const READ: Readonly<Record<keyof Rows, number>> = { texts: 64, details: 16, overviews: 16, steps: 4 };
const KINDS = ['texts', 'details', 'overviews', 'steps'] as const satisfies (keyof Rows)[];

/** Where the rows of a loaded forest are stored. */
export interface StoredForest extends ForestSnapshot {
  /** The stamp of the packs it belongs to. */
  readonly stamp: string;
  readonly rows: Rows;
  readonly shelves: readonly Shelf[];
}

/** Returns the stored forest; null if there is any doubt about it. */
export const readForest = async (rows: readonly (ForestHead | ForestShelf)[]): Promise<StoredForest | null> => {
  try {
    const [head, ...shelfRows] = rows;
    if (head === undefined || !('stamp' in head) || head.format !== FORMAT) return null;
    if (!sameBytes(await headSum(head), head.sum)) return null;
    const printed: HeadPrint = JSON.parse(await decompressedBehind(head.bytes));
    const bytes = new Map(shelfRows.map((row) => [row.part, new Uint8Array(row.bytes)]));
    const sound = await Promise.all(
      printed.shelves.map(async ({ part, sum }) => sum === (await hexSum(bytes.get(part) ?? new Uint8Array()))),
    );
    if (sound.includes(false)) return null;
    const read = rowsIn(printed, bytes);
    const forest = await inParts(
      restoredForest(printed.head, read),
      createYielder(() => performance.now()),
    );
    return {
      stamp: head.stamp,
      count: head.seq,
      forest,
      handled: HandledCounts.ofKept(printed.handled, printed.head.nodes.ids),
      rows: read,
      shelves: printed.shelves,
    };
  } catch {
    // Damaged in some way: the log is folded instead.
    return null;
  }
};

const rowsIn = ({ lengths, shelves }: HeadPrint, bytes: ReadonlyMap<number, Uint8Array<ArrayBuffer>>): Rows => {
  const of = <Row>(kind: keyof Rows): Blocks<Row> => {
    const own = shelves.filter((shelf) => shelf.kind === kind);
    const ends = Array.from({ length: Math.ceil(lengths[kind] / BLOCK) }, (_, at) =>
      Math.min(lengths[kind], (at + 1) * BLOCK),
    );
    const read = (block: number) => {
      const shelf = own[Math.floor(block / SHELF)] as Shelf;
      const at = block % SHELF;
      return JSON.parse(
        decompressed(
          (bytes.get(shelf.part) as Uint8Array<ArrayBuffer>).subarray(shelf.ends[at - 1] ?? 0, shelf.ends[at]),
        ),
      );
    };
    return new Blocks<Row>(ends, read, READ[kind]);
  };
  return { texts: of('texts'), details: of('details'), overviews: of('overviews'), steps: of('steps') };
};

/** What to store of a forest, and which parts are stored already. */
export interface ForestPrint {
  readonly head: ForestHead;
  readonly shelves: readonly ForestShelf[];
  readonly same: readonly Shelf[];
}

/** Prepares a forest for storage; null if told to stop. If it continues from a loaded one, unchanged shelves are left as they are. */
export const printForest = async (
  conversationId: string,
  stamp: string,
  { count: seq, forest, handled }: ForestSnapshot,
  before: StoredForest | null,
  goOn: () => Promise<boolean>,
): Promise<ForestPrint | null> => {
  const breathe = createYielder(() => performance.now());
  const kept = await inParts(storableForest(forest), breathe);
  const all: Shelf[] = [];
  const same: Shelf[] = [];
  const shelves: ForestShelf[] = [];
  for (const [kindAt, kind] of KINDS.entries()) {
    const rows = kept.rows[kind];
    for (let from = 0; from < rows.length; from += SHELF * BLOCK) {
      const to = Math.min(rows.length, from + SHELF * BLOCK);
      const part = 1 + kindAt + (from / (SHELF * BLOCK)) * KINDS.length;
      const there = before?.shelves.find((shelf) => shelf.part === part);
      const isSame = (index: number) => before !== null && kept.isKept(kind, index, before.rows);
      if (there !== undefined && there.rows === to - from && isEach(from, to, isSame)) {
        all.push(there);
        same.push(there);
        continue;
      }
      const blocks: ArrayBuffer[] = [];
      for (let at = from; at < to; at += BLOCK) {
        if (!(await goOn())) return null;
        const length = Math.min(BLOCK, to - at);
        blocks.push(await compressed(JSON.stringify(Array.from({ length }, (_, i) => rows.at(at + i)))));
      }
      const bytes = await new Blob(blocks).arrayBuffer();
      let end = 0;
      const ends = blocks.map(({ byteLength }) => (end += byteLength));
      all.push({ kind, part, rows: to - from, ends, sum: await hexSum(new Uint8Array(bytes)) });
      shelves.push({ conversationId, part, bytes });
    }
  }
  const { texts, details, overviews, steps } = kept.rows;
  const lengths = { texts: texts.length, details: details.length, overviews: overviews.length, steps: steps.length };
  const counts = await inParts(handled.toKeep(kept.head.nodes.ids), breathe);
  await breathe();
  const bytes = await compressed(
    JSON.stringify({ head: kept.head, handled: counts, lengths, shelves: all } satisfies HeadPrint),
  );
  const sum = await headSum({ seq, bytes });
  const sums = Object.fromEntries(all.map((shelf) => [shelf.part, shelf.sum]));
  return { head: { conversationId, part: 0, format: FORMAT, stamp, seq, bytes, sum, sums }, shelves, same };
};

const inParts = async <T>(parts: Generator<undefined, T>, breathe: () => Promise<void>): Promise<T> => {
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return value;
    await breathe();
  }
};

const isEach = (from: number, to: number, isSo: (index: number) => boolean): boolean => {
  for (let index = from; index < to; index++) if (!isSo(index)) return false;
  return true;
};

const headSum = async ({ seq, bytes }: Pick<ForestHead, 'seq' | 'bytes'>): Promise<ArrayBuffer> => {
  const all = new Uint8Array(bytes.byteLength + 16);
  all.set(new Uint8Array(new Float64Array([FORMAT, seq]).buffer));
  all.set(new Uint8Array(bytes), 16);
  return crypto.subtle.digest('SHA-256', all);
};

const hexSum = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
