import type { ModelFile, ModelFiles } from '../store/model-files.ts';
import type { LoadOptions } from './runtime.ts';

/** The files, one after the other, with the progress of all together. Rejects as `files.get` does; what came is kept. */
export const downloadAll = async (
  files: ModelFiles,
  wanted: readonly ModelFile[],
  { signal, onProgress }: Pick<LoadOptions, 'signal' | 'onProgress'>,
): Promise<Blob[]> => {
  const loaded = wanted.map(() => 0);
  const totals: (number | null)[] = wanted.map(() => null);
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
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
