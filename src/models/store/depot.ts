import type { Journal } from './journal.ts';

/** Where bytes and journals of files are kept. Calls for one file are never made at once: the caller holds its lock. */
export interface Depot {
  /** null: it stays when the page is closed. Else why it does not, for the person. */
  readonly fleeting: string | null;
  journals(): Promise<Journal[]>;
  journal(url: string): Promise<Journal | null>;
  saveJournal(journal: Journal): Promise<void>;
  /** The bytes of a file, to go on from; made where there are none. */
  open(url: string): Promise<DepotFile>;
  /** The bytes as they are; null where there are none. */
  blob(url: string): Promise<Blob | null>;
  drop(url: string): Promise<void>;
  /** Bytes that still fit; null where nobody knows. */
  room(): Promise<number | null>;
}

/** An open file. Closed, it is of no use any more. */
export interface DepotFile {
  readonly size: number;
  /** Adds to the end. Throws a QuotaExceededError when the storage is full; what fitted may have been written. */
  write(bytes: Uint8Array<ArrayBuffer>): void;
  truncate(size: number): void;
  /** What was written survives a crash from here on. */
  flush(): void;
  /** Pieces of the whole file in order, a few MB each. */
  read(): AsyncIterable<Uint8Array>;
  close(): void;
}

/** Bytes that are read at once to be hashed. */
export const READ_AT_ONCE = 4 << 20;
