import { type Depot, type DepotFile, READ_AT_ONCE } from './depot.ts';
import { idOf, type Journal, parseJournal } from './journal.ts';

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
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(name, { create: true });

  const textOf = async (handle: FileSystemHandle): Promise<string> =>
    (await (handle as FileSystemFileHandle).getFile()).text();
  const existing = async (file: string): Promise<FileSystemFileHandle | null> => {
    try {
      return await folder.getFileHandle(file);
    } catch (error) {
      if (error instanceof DOMException && error.name === 'NotFoundError') return null;
      throw error;
    }
  };
  const remove = async (file: string): Promise<void> => {
    if ((await existing(file)) !== null) await whenFree(() => folder.removeEntry(file));
  };

  return {
    fleeting: null,
    journals: async () => {
      const journals: Journal[] = [];
      for await (const [file, handle] of folder.entries()) {
        if (!file.endsWith('.json')) continue;
        const journal = parseJournal(await textOf(handle));
        if (journal !== null) journals.push(journal);
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
      const handle = await folder.getFileHandle(`${idOf(journal.url)}.json`, { create: true });
      const access = await accessTo(handle);
      try {
        access.write(padded, { at: 0 });
        if (access.getSize() > padded.length) access.truncate(padded.length);
        access.flush();
      } finally {
        access.close();
      }
    },
    open: async (url) => {
      const handle = await folder.getFileHandle(`${idOf(url)}.data`, { create: true });
      return openHandle(await accessTo(handle));
    },
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
