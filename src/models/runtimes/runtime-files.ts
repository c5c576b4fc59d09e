import type { StoredModel } from '../../app/model-control.ts';
import { sum } from '../../domain/numbers.ts';
import { ModelFailure } from '../../engine/model-failure.ts';
import type { ModelFile, ModelFiles } from '../store/model-files.ts';
import type { LoadOptions } from './runtime.ts';

/** Downloads the files one after the other and reports their combined progress. Rejects as `files.get` does; completed files are kept. */
export const downloadAll = async (
  files: ModelFiles,
  wanted: readonly ModelFile[],
  { signal, onProgress }: Pick<LoadOptions, 'signal' | 'onProgress'>,
): Promise<Blob[]> => {
  const loaded = wanted.map(() => 0);
  const totals: (number | null)[] = wanted.map(() => null);
  const known = (): number | null => {
    const all = totals.filter((total) => total !== null);
    return all.length === totals.length ? sum(all) : null;
  };
  const blobs: Blob[] = [];
  for (const [i, file] of wanted.entries()) {
    const blob = await files.get(file, {
      signal,
      onProgress: (bytes, total) => {
        loaded[i] = bytes;
        totals[i] = total;
        onProgress({ phase: 'downloading', loaded: sum(loaded), total: known() });
      },
    });
    loaded[i] = blob.size;
    totals[i] = blob.size;
    blobs.push(blob);
  }
  return blobs;
};

/**
 * Returns the result of `loading`. If the model's files turn out to be corrupt, deletes them so that the next attempt downloads
 * them again. Not for the user's own files, which are theirs to remove.
 */
export const forgetBroken = async <T>(files: ModelFiles, modelKey: string, loading: Promise<T>): Promise<T> => {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof ModelFailure && error.kind === 'corrupt') await files.remove(modelKey);
    throw error;
  }
};

/** The `stored` and `remove` methods of a runtime whose models are files. `runtime` is the prefix of its keys. */
export const keptModels = (files: ModelFiles, runtime: string) => ({
  stored: async (): Promise<readonly StoredModel[]> =>
    (await files.list()).filter(({ key }) => key.startsWith(`${runtime}:`)),
  remove: (key: string): Promise<void> => files.remove(key),
});
