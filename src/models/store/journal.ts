import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import * as z from 'zod/mini';

/** What is kept of a file, beside its bytes. */
export const Journal = z.object({
  url: z.string(),
  /** Every model that it belongs to: two builds of one model share their tokenizer. */
  models: z.array(z.object({ key: z.string(), name: z.string() })),
  /** Bytes of the whole file; null while the server did not tell. */
  total: z.nullable(z.number()),
  /** The server's mark of this version of the file (ETag, or when it was changed). */
  version: z.nullable(z.string()),
  /** Hex, as the server told it; null if it did not. */
  sha256: z.nullable(z.string()),
  /** Bytes from the start that are safely stored. More may be there, but a crash can have left gaps in them. */
  flushed: z.number(),
  /** All of it is there and was checked. */
  whole: z.boolean(),
});
export type Journal = z.infer<typeof Journal>;

export const newJournal = (url: string): Journal => ({
  url,
  models: [],
  total: null,
  version: null,
  sha256: null,
  flushed: 0,
  whole: false,
});

/** The journal as it was stored; null where it is none. */
export const parseJournal = (text: string): Journal | null => {
  try {
    return Journal.parse(JSON.parse(text));
  } catch {
    // A tab that was killed in the middle of the very first write. The download begins again.
    return null;
  }
};

/** Names a file in the store: addresses hold characters that file systems do not. */
export const idOf = (url: string): string => bytesToHex(sha256(utf8ToBytes(url))).slice(0, 32);
