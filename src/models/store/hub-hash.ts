import * as z from 'zod/mini';

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
