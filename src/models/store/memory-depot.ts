import { type Depot, type DepotFile, READ_AT_ONCE } from './depot.ts';
import type { Journal } from './journal.ts';

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
