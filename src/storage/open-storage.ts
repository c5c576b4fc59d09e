import type { Storage, StorageFailure } from '../engine/ports.ts';
import type { DatabaseOptions } from './coppice-database.ts';
import { openIndexedDbStorage } from './indexeddb-storage.ts';
import { memoryStorage } from './memory-storage.ts';
import { toStorageFailure } from './storage-failure.ts';

export interface OpenedStorage {
  readonly storage: Storage;
  readonly kind: 'indexeddb' | 'memory';
  /** Why nothing is kept, or (kind `indexeddb`) why nothing more can be: what is stored can still be read. */
  readonly failure: StorageFailure | null;
}

/** Opens the storage that stays if it really works, else one in memory. Never rejects. */
export const openStorage = async (options: DatabaseOptions = {}): Promise<OpenedStorage> => {
  try {
    const storage = await openIndexedDbStorage(options);
    const failure = await probe(storage);
    if (failure === null || failure.kind === 'full') return { storage, kind: 'indexeddb', failure };
    storage.close();
    return { storage: memoryStorage(), kind: 'memory', failure };
  } catch (error) {
    return { storage: memoryStorage(), kind: 'memory', failure: toStorageFailure(error) };
  }
};

/** Some browsers open a database in a private window and refuse only what is done with it. */
const probe = async (storage: Storage): Promise<StorageFailure | null> => {
  try {
    await storage.conversations();
    await storage.saveVectors('probe', new Map([['probe', Float32Array.of(1)]]));
    await storage.readVectors('probe', ['probe']);
    return null;
  } catch (error) {
    return toStorageFailure(error);
  }
};
