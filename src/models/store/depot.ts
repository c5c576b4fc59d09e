import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import * as z from 'zod/mini';

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
const READ_AT_ONCE = 4 << 20;

/** What is kept of a file, beside its bytes. */
export const Journal = z.object({
  url: z.string(),
  /** Every model that it belongs to: two builds of one model share their tokenizer. */
  models: z.array(z.object({ key: z.string(), name: z.string() })),
  /** Bytes of the whole file; null while the server did not tell. */
  total: z.nullable(z.number()),
  /** The server's mark of this version of the file (ETag, or when it was changed). */
  version: z.nullable(z.string()),
  /** Hex, as the server told it; null if it did not. */
  sha256: z.nullable(z.string()),
  /** Bytes from the start that are safely stored. More may be there, but a crash can have left gaps in them. */
  flushed: z.number(),
  /** All of it is there and was checked. */
  whole: z.boolean(),
});
export type Journal = z.infer<typeof Journal>;

export const newJournal = (url: string): Journal => ({
  url,
  models: [],
  total: null,
  version: null,
  sha256: null,
  flushed: 0,
  whole: false,
});

/** The journal as it was stored; null where it is none. */
const parseJournal = (text: string): Journal | null => {
  try {
    return Journal.parse(JSON.parse(text));
  } catch {
    // A tab that was killed in the middle of the very first write. The download begins again.
    return null;
  }
};

/** Names a file in the store: addresses hold characters that file systems do not. */
export const idOf = (url: string): string => bytesToHex(sha256(utf8ToBytes(url))).slice(0, 32);

/** A journal is padded to a multiple of this, so that one write replaces the one before as a whole. */
const JOURNAL_BLOCK = 1024;

/** A file that a tab just closed with is still locked for a moment. */
const LOCKED_FOR = { tries: 40, pause: 50 };

/**
 * Files in the origin's private file system, written through sync access handles: only a worker has them. They write in
 * place and can be flushed, in Chromium, Firefox and Safari since 2023; a `createWritable` stream keeps everything in
 * a swap file until it is closed (a killed tab would lose it all), and Safari has had it only since version 26.
 * Rejects where the browser has no such file system, or does not open it (private windows of some).
 */
export const opfsDepot = async (name: string): Promise<Depot> => {
  const folders = await modelFolders(name);

  const textOf = async (handle: FileSystemHandle): Promise<string> =>
    (await (handle as FileSystemFileHandle).getFile()).text();
  const inFolder = async (folder: FileSystemDirectoryHandle, file: string): Promise<FileSystemFileHandle | null> => {
    try {
      return await folder.getFileHandle(file);
    } catch (error) {
      if (error instanceof DOMException && error.name === 'NotFoundError') return null;
      throw error;
    }
  };
  const existing = async (file: string): Promise<FileSystemFileHandle | null> => {
    for (const folder of folders) {
      const handle = await inFolder(folder, file);
      if (handle !== null) return handle;
    }
    return null;
  };
  /** Where it is, or new in the first folder. */
  const made = async (file: string): Promise<FileSystemFileHandle> =>
    (await existing(file)) ?? folders[0].getFileHandle(file, { create: true });
  const remove = async (file: string): Promise<void> => {
    for (const folder of folders) {
      if ((await inFolder(folder, file)) !== null) await whenFree(() => folder.removeEntry(file));
    }
  };

  return {
    fleeting: null,
    journals: async () => {
      const journals: Journal[] = [];
      for (const folder of folders) {
        for await (const [file, handle] of folder.entries()) {
          if (!file.endsWith('.json')) continue;
          const journal = parseJournal(await textOf(handle));
          if (journal !== null) journals.push(journal);
        }
      }
      return journals;
    },
    journal: async (url) => {
      const handle = await existing(`${idOf(url)}.json`);
      return handle === null ? null : parseJournal(await textOf(handle));
    },
    saveJournal: async (journal) => {
      const text = JSON.stringify(journal);
      const bytes = new TextEncoder().encode(text);
      const padded = new Uint8Array(Math.ceil(bytes.length / JOURNAL_BLOCK) * JOURNAL_BLOCK).fill(0x20);
      padded.set(bytes);
      const access = await accessTo(await made(`${idOf(journal.url)}.json`));
      try {
        access.write(padded, { at: 0 });
        if (access.getSize() > padded.length) access.truncate(padded.length);
        access.flush();
      } finally {
        access.close();
      }
    },
    open: async (url) => openHandle(await accessTo(await made(`${idOf(url)}.data`))),
    blob: async (url) => (await existing(`${idOf(url)}.data`))?.getFile() ?? null,
    drop: async (url) => {
      // The journal last: whatever is left of a file can then be found and removed.
      await remove(`${idOf(url)}.data`);
      await remove(`${idOf(url)}.json`);
    },
    room: async () => {
      const { quota, usage } = await navigator.storage.estimate();
      return quota === undefined || usage === undefined ? null : Math.max(0, quota - usage);
    },
  };
};

/** What workers have of a file, and TypeScript's types of pages lack. */
interface SyncAccess {
  read(into: Uint8Array, options: { at: number }): number;
  write(bytes: Uint8Array, options: { at: number }): number;
  truncate(size: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

const accessTo = (handle: FileSystemFileHandle): Promise<SyncAccess> =>
  whenFree(() => (handle as unknown as { createSyncAccessHandle(): Promise<SyncAccess> }).createSyncAccessHandle());

const openHandle = (access: SyncAccess): DepotFile => {
  let size = access.getSize();
  return {
    get size() {
      return size;
    },
    write: (bytes) => {
      const written = access.write(bytes, { at: size });
      size = access.getSize();
      // Without room, Chromium throws nothing: it returns an error's number as if it were a count (seen in 156: 2³² − 8).
      if (written !== bytes.length) throw new DOMException('It was not written whole.', 'QuotaExceededError');
    },
    truncate: (to) => {
      access.truncate(to);
      size = to;
    },
    flush: () => access.flush(),
    read: async function* () {
      const buffer = new Uint8Array(READ_AT_ONCE);
      for (let at = 0; at < size; ) {
        const read = access.read(buffer, { at });
        if (read === 0) return;
        yield buffer.subarray(0, read);
        at += read;
      }
    },
    close: () => access.close(),
  };
};

const whenFree = async <T>(open: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await open();
    } catch (error) {
      const locked = error instanceof DOMException && error.name === 'NoModificationAllowedError';
      if (!locked || tries === LOCKED_FOR.tries) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOCKED_FOR.pause));
    }
  }
};

/** Keeps files until the page is closed, for where the browser keeps none. Browsers move large blobs to the disk. */
export const memoryDepot = (fleeting: string | null): Depot => {
  const journals = new Map<string, Journal>();
  const blobs = new Map<string, Blob>();
  return {
    fleeting,
    journals: async () => [...journals.values()],
    journal: async (url) => journals.get(url) ?? null,
    saveJournal: async (journal) => {
      journals.set(journal.url, journal);
    },
    open: async (url) => openBlob(blobs.get(url) ?? new Blob(), (blob) => blobs.set(url, blob)),
    blob: async (url) => blobs.get(url) ?? null,
    drop: async (url) => {
      journals.delete(url);
      blobs.delete(url);
    },
    room: async () => null,
  };
};

const openBlob = (begun: Blob, keep: (blob: Blob) => void): DepotFile => {
  let blob = begun;
  let pending: Uint8Array<ArrayBuffer>[] = [];
  let size = begun.size;
  const flush = (): void => {
    if (pending.length > 0) blob = new Blob([blob, ...pending]);
    pending = [];
    keep(blob);
  };
  return {
    get size() {
      return size;
    },
    write: (bytes) => {
      pending.push(bytes);
      size += bytes.length;
    },
    truncate: (to) => {
      flush();
      blob = blob.slice(0, to);
      size = blob.size;
      flush();
    },
    flush,
    read: async function* () {
      flush();
      for (let at = 0; at < size; at += READ_AT_ONCE) {
        yield new Uint8Array(await blob.slice(at, at + READ_AT_ONCE).arrayBuffer());
      }
    },
    close: flush,
  };
};

/*
 * Files of models can be had again, conversations cannot. So they are kept apart where the browser has storage buckets (Chromium): one
 * that never asks to be persistent, and that the browser may drop by itself when the disk is full, before it drops anything of a person's.
 */

/** What this needs of a storage bucket, which TypeScript does not know yet. */
interface Bucket {
  readonly caches: CacheStorage;
  getDirectory(): Promise<FileSystemDirectoryHandle>;
}
interface Buckets {
  open(name: string, options: { readonly persisted: boolean; readonly durability: 'relaxed' }): Promise<Bucket>;
}

export const MODEL_BUCKET = 'models';

const openBucket = async (): Promise<Bucket | null> => {
  const { storageBuckets } = navigator as unknown as { readonly storageBuckets?: Buckets };
  // A private window may have the interface and refuse to open one.
  return storageBuckets?.open(MODEL_BUCKET, { persisted: false, durability: 'relaxed' }).catch(() => null) ?? null;
};

/** The private file system for models, and those of before it, whose files stay where they are. Rejects where the browser has none. */
const modelFolders = async (
  name: string,
): Promise<readonly [FileSystemDirectoryHandle, ...FileSystemDirectoryHandle[]]> => {
  const common = await navigator.storage.getDirectory();
  const bucket = await openBucket();
  if (bucket === null) return [await common.getDirectoryHandle(name, { create: true })];
  const own = await (await bucket.getDirectory()).getDirectoryHandle(name, { create: true });
  const before = await common.getDirectoryHandle(name).catch(() => null);
  return before === null ? [own] : [own, before];
};

/**
 * The caches for models. Those of before the bucket are used on while they hold any (`index`: the cache that lists them): a library that finds
 * its files by itself looks in one place.
 */
export const modelCaches = async (index: string): Promise<CacheStorage> => {
  if ((await caches.has(index)) && (await (await caches.open(index)).keys()).length > 0) return caches;
  return (await openBucket())?.caches ?? caches;
};
