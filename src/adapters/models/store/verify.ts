import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { ModelFailure } from '../../../engine/model-failure.ts';
import type { DepotFile } from './depot.ts';
import { fileInWords } from './words.ts';

/**
 * Rejects with `corrupt` if the stored bytes are not the file. Read back piece by piece: files are larger than memory,
 * and what counts is what is on the disk. (WebCrypto hashes only what is in memory as a whole.)
 */
export const verify = async (
  disk: DepotFile,
  total: number | null,
  expected: string | null,
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
  const hash = sha256.create();
  for await (const piece of disk.read()) {
    signal.throwIfAborted();
    hash.update(piece);
  }
  if (bytesToHex(hash.digest()) !== expected.toLowerCase()) {
    throw new ModelFailure(
      'corrupt',
      `${file} is not what it should be (its SHA-256 differs). It was deleted; try again, or choose another model.`,
    );
  }
};
