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
export const modelFolders = async (
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
