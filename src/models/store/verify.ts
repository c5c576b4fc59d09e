import { ModelFailure } from '../../engine/model-failure.ts';
import type { DepotFile } from './depot.ts';
import type { RunningHash } from './running-hash.ts';
import { fileInWords } from './words.ts';

/** Rejects with `corrupt` if the stored bytes are not the file. */
export const verify = async (
  disk: DepotFile,
  total: number | null,
  expected: string | null,
  hash: RunningHash,
  url: string,
  signal: AbortSignal,
): Promise<void> => {
  const file = fileInWords(url);
  if (total !== null && disk.size !== total) {
    throw new ModelFailure(
      'corrupt',
      `${file} is ${disk.size} bytes long, not ${total} as the server said. It was deleted; try again, or choose another model.`,
    );
  }
  if (expected === null) return;
  if ((await hash.of(disk, signal)) !== expected.toLowerCase()) {
    throw new ModelFailure(
      'corrupt',
      `${file} is not what it should be: it was damaged on its way (its SHA-256 differs). It was deleted; try again to download it anew, or choose another model.`,
    );
  }
};
