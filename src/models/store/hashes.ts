import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import * as z from 'zod/mini';
import { ModelFailure } from '../../engine/model-failure.ts';
import type { DepotFile } from './depot.ts';
import { fileInWords } from './failures.ts';

/** Bytes from which a hub keeps a file by its SHA-256 at the soonest; smaller ones are not worth a question. */
const LEAST = 100_000;
/** Milliseconds that a hub may take to tell: the file itself is here by then. */
const PATIENCE = 10_000;

const Listing = z.array(
  z.object({ path: z.string(), lfs: z.optional(z.nullable(z.object({ oid: z.string(), size: z.number() }))) }),
);
const FILE = /^(https?:\/\/[^?#]+)\/([^/?#]+\/[^/?#]+)\/resolve\/([^/?#]+)\/([^?#]+)$/;
const SHA256 = /^[0-9a-f]{64}$/i;

/**
 * The SHA-256 (hex) that a hub tells of a large file, by the listing of its folder; the header that has it, too, is on
 * a redirect, which a page cannot read. null where the address is not of a hub, or it does not tell.
 */
export const hashAtHub = async (url: string, size: number, signal: AbortSignal): Promise<string | null> => {
  const [, hub, repo, revision, path] = FILE.exec(url.split('?')[0] ?? '') ?? [];
  if (path === undefined || size < LEAST) return null;
  const folder = path.includes('/') ? `/${path.slice(0, path.lastIndexOf('/'))}` : '';
  try {
    const response = await fetch(`${hub}/api/models/${repo}/tree/${revision}${folder}`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]),
    });
    if (!response.ok) return null;
    const entries = Listing.parse(await response.json());
    const told = entries.find((entry) => entry.path === decodeURIComponent(path))?.lfs;
    // Of another length, it tells of another version.
    return told && told.size === size && SHA256.test(told.oid) ? told.oid : null;
  } catch {
    signal.throwIfAborted();
    // No answer, or not a hub's: then its length has to do.
    return null;
  }
};

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

/**
 * The SHA-256 of a file while it comes. (WebCrypto hashes only what is in memory as a whole.) What was there before,
 * of a download that is gone on with, is read back from the disk, and with it the rest.
 */
export class RunningHash {
  #hash = sha256.create();
  /** Bytes from the start that it has seen. */
  #seen = 0;

  /** `at`: where in the file the bytes stand. */
  take(bytes: Uint8Array, at: number): void {
    if (at === 0 && this.#seen > 0) this.#anew();
    if (at !== this.#seen) return;
    this.#hash.update(bytes);
    this.#seen += bytes.length;
  }

  /** Hex, of all that the file has now. Rejects with the signal's reason. */
  async of(disk: DepotFile, signal: AbortSignal): Promise<string> {
    if (this.#seen !== disk.size) {
      this.#anew();
      for await (const piece of disk.read()) {
        signal.throwIfAborted();
        this.take(piece, this.#seen);
      }
    }
    return bytesToHex(this.#hash.digest());
  }

  #anew(): void {
    this.#hash = sha256.create();
    this.#seen = 0;
  }
}
