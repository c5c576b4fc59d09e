import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { DepotFile } from './depot.ts';

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
