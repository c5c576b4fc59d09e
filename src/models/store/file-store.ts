import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import * as z from 'zod/mini';
import { parsedJson } from '../../domain/expectation.ts';
import type { ModelFile } from './model-files.ts';

/** Stores file contents and journals. Calls for one file never run concurrently: the caller holds its lock. */
export interface FileStore {
  /** null if storage persists after the page is closed; otherwise a message for the user that says why not. */
  readonly fleeting: string | null;
  journals(): Promise<Journal[]>;
  journal(url: string): Promise<Journal | null>;
  saveJournal(journal: Journal): Promise<void>;
  /** Opens a file to resume it; creates it if missing. */
  open(url: string): Promise<DepotFile>;
  /** The current contents; null if there are none. */
  blob(url: string): Promise<Blob | null>;
  drop(url: string): Promise<void>;
  /** Bytes that still fit; null if unknown. */
  room(): Promise<number | null>;
}

/** An open file; unusable after `close`. */
export interface DepotFile {
  readonly size: number;
  /** Appends. Throws a QuotaExceededError when storage is full; part of the bytes may have been written. */
  write(bytes: Uint8Array<ArrayBuffer>): void;
  truncate(size: number): void;
  /** Makes everything written so far survive a crash. */
  flush(): void;
  /** The whole file in order, in chunks of a few MB. */
  read(): AsyncIterable<Uint8Array>;
  close(): void;
}

/** Chunk size in bytes for reading. */
const READ_AT_ONCE = 4 << 20;

/** Metadata stored for a file. */
export const Journal = z.object({
  url: z.string(),
  /** All models that it belongs to: two builds of one model share their tokenizer. */
  models: z.array(z.object({ key: z.string(), name: z.string() })),
  /** Bytes of the whole file; null until the server reports it. */
  total: z.nullable(z.number()),
  /** The server's version of the file (ETag or Last-Modified). */
  version: z.nullable(z.string()),
  /** Hex, as sent by the server; null if it was not. */
  sha256: z.nullable(z.string()),
  /** Bytes from the start that are safely stored. There may be more, but with gaps after a crash. */
  flushed: z.number(),
  /** The file is complete and verified. */
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

/** Parses a stored journal; null if the tab was killed during the very first write: the download then starts over. */
const parseJournal = (text: string): Journal | null => Journal.safeParse(parsedJson(text)).data ?? null;

/** File name in the store, since URLs contain characters that file systems do not allow. */
export const fileIdOf = (url: string): string => bytesToHex(sha256(utf8ToBytes(url))).slice(0, 32);

/** Returns a file if it is complete. */
export const wholeFile = async (depot: FileStore, url: string): Promise<Blob | null> => {
  const journal = await depot.journal(url);
  if (journal?.whole !== true) return null;
  const blob = await depot.blob(url);
  // The data may have been deleted without the journal.
  return blob !== null && blob.size === journal.total ? blob : null;
};

/**
 * Returns a model's file if it is complete but was downloaded while another hub was set. Only if all of the model's downloads
 * are complete and from that hub, since another may have a different version.
 */
export const wholeFromAnotherHub = async (depot: FileStore, { model, url }: ModelFile): Promise<Blob | null> => {
  const wanted = placeOnHub(url);
  if (wanted === null) return null;
  // One that another tab is just writing may be unreadable; the file is then downloaded.
  const journals = await depot.journals().catch(() => []);
  const stored = journals.flatMap(({ url: from, models, whole }) => {
    const place = models.some(({ key }) => key === model.key) ? placeOnHub(from) : null;
    return place === null ? [] : [{ ...place, from, whole }];
  });
  const found = stored.find(({ path }) => path === wanted.path);
  if (found === undefined || !stored.every(({ whole, hub }) => whole && hub === found.hub)) return null;
  return wholeFile(depot, found.from);
};

/** A file's hub, and the part of its URL that is the same on every hub; null for one from elsewhere. */
const placeOnHub = (url: string): { readonly hub: string; readonly path: string } | null => {
  const [, hub, path] = /^(.+?)\/([^/]+\/[^/]+\/resolve\/main\/.+)$/.exec(url) ?? [];
  return hub === undefined || path === undefined ? null : { hub, path };
};

/** Journals are padded to a multiple of this, so that a single write replaces the previous one completely. */
const JOURNAL_BLOCK = 1024;

/** Retries for a file that is still locked for a moment by a tab that just closed; `pause` in milliseconds. */
const LOCKED_FOR = { tries: 40, pause: 50 };

/**
 * Files in the origin private file system, written through sync access handles, which exist only in workers. They write in
 * place and can be flushed, in Chromium, Firefox and Safari since 2023; a `createWritable` stream keeps everything in a swap
 * file until it is closed (a killed tab would lose it all), and Safari has it only since version 26. Rejects if the browser has
 * no such file system or refuses access (some private windows).
 */
export const opfsDepot = async (name: string): Promise<FileStore> => {
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
  /** Returns the existing file, or creates it in the first folder. */
  const made = async (file: string): Promise<FileSystemFileHandle> =>
    (await existing(file)) ?? folders[0].getFileHandle(file, { create: true });
  const remove = async (file: string): Promise<void> => {
    for (const folder of folders) {
      if ((await inFolder(folder, file)) !== null) await retryLocked(() => folder.removeEntry(file));
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
      const handle = await existing(`${fileIdOf(url)}.json`);
      return handle === null ? null : parseJournal(await textOf(handle));
    },
    saveJournal: async (journal) => {
      const text = JSON.stringify(journal);
      const bytes = new TextEncoder().encode(text);
      const padded = new Uint8Array(Math.ceil(bytes.length / JOURNAL_BLOCK) * JOURNAL_BLOCK).fill(0x20);
      padded.set(bytes);
      const access = await accessTo(await made(`${fileIdOf(journal.url)}.json`));
      try {
        access.write(padded, { at: 0 });
        if (access.getSize() > padded.length) access.truncate(padded.length);
        access.flush();
      } finally {
        access.close();
      }
    },
    open: async (url) => openHandle(await accessTo(await made(`${fileIdOf(url)}.data`))),
    blob: async (url) => (await existing(`${fileIdOf(url)}.data`))?.getFile() ?? null,
    drop: async (url) => {
      // The journal goes last, so that leftovers can still be found and removed.
      await remove(`${fileIdOf(url)}.data`);
      await remove(`${fileIdOf(url)}.json`);
    },
    room: async () => {
      const { quota, usage } = await navigator.storage.estimate();
      return quota === undefined || usage === undefined ? null : Math.max(0, quota - usage);
    },
  };
};

/** The sync access handle of workers, which TypeScript's DOM types lack. */
interface SyncAccess {
  read(into: Uint8Array, options: { at: number }): number;
  write(bytes: Uint8Array, options: { at: number }): number;
  truncate(size: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

const accessTo = (handle: FileSystemFileHandle): Promise<SyncAccess> =>
  retryLocked(() => (handle as unknown as { createSyncAccessHandle(): Promise<SyncAccess> }).createSyncAccessHandle());

const openHandle = (access: SyncAccess): DepotFile => {
  let size = access.getSize();
  return {
    get size() {
      return size;
    },
    write: (bytes) => {
      const written = access.write(bytes, { at: size });
      size = access.getSize();
      // When storage is full, Chromium does not throw but returns an error code as the count (seen in 156: 2³² − 8).
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

const retryLocked = async <T>(open: () => Promise<T>): Promise<T> => {
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

/** Keeps files until the page is closed, for browsers that store none. Browsers move large blobs to disk. */
export const memoryDepot = (fleeting: string | null): FileStore => {
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
 * Model files can be downloaded again, conversations cannot. So where the browser has storage buckets (Chromium), models get
 * their own, which never asks to be persistent and which the browser may evict when the disk is full, before any user data.
 */

/** The parts of a storage bucket used here; not in TypeScript's types yet. */
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
  // A private window may expose the API but refuse to open a bucket.
  return storageBuckets?.open(MODEL_BUCKET, { persisted: false, durability: 'relaxed' }).catch(() => null) ?? null;
};

/**
 * The folders for models: in the bucket, and the older one outside it, whose files stay there. Rejects if the browser has no
 * private file system.
 */
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
 * The cache storage for models. The caches from before the bucket stay in use while they are not empty (`index`: the cache that
 * lists them), because a library that looks up files itself looks in one place only.
 */
export const modelCaches = async (index: string): Promise<CacheStorage> => {
  if ((await caches.has(index)) && (await (await caches.open(index)).keys()).length > 0) return caches;
  return (await openBucket())?.caches ?? caches;
};
