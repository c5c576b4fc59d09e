import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import * as z from 'zod/mini';
import { ModelFailure } from '../../engine/model-failure.ts';
import { failureOfNoAnswer, failureOfStatus, fileInWords, fullFailure, isQuota, requireRoom } from './failures.ts';
import { type DepotFile, type FileStore, type Journal, newJournal } from './file-store.ts';
import type { ModelFile } from './model-files.ts';

/** Bytes and milliseconds between flushes: the most that a closed page or a crash can lose. */
const FLUSH_EVERY = { bytes: 8 << 20, time: 1_000 } as const;

/** How many times a file may change on the server during its download. */
const CHANGES = 2;

export interface DownloadOptions {
  readonly signal: AbortSignal;
  onProgress(loaded: number, total: number | null): void;
  /** Milliseconds before each retry after a broken connection; its length is the number of retries. */
  readonly retryAfter: readonly number[];
  /** Milliseconds without data after which the connection counts as broken. */
  readonly stalledAfter: number;
}

/**
 * Downloads the rest of a file into the depot. Resolves once it is complete and verified. Rejects with a ModelFailure or the
 * signal's reason; what was received is kept for resuming, unless it is corrupt. The caller holds the file's lock.
 */
export const downloadModelFile = async (file: ModelFile, depot: FileStore, options: DownloadOptions): Promise<void> => {
  const known = (await depot.journal(file.url)) ?? newJournal(file.url);
  const run = new Run(file, depot, await depot.open(file.url), withOwner(known, file), options);
  try {
    await run.toTheEnd();
  } finally {
    await run.close();
  }
};

/** The journal with the file's model added to its owners. */
export const withOwner = (journal: Journal, { model }: Pick<ModelFile, 'model'>): Journal => ({
  ...journal,
  models: [...journal.models.filter(({ key }) => key !== model.key), { key: model.key, name: model.name }],
});

class Run {
  readonly #file: ModelFile;
  readonly #depot: FileStore;
  readonly #disk: DepotFile;
  readonly #options: DownloadOptions;
  #journal: Journal;
  #flushedAt = 0;
  /** Whether the server has responded at least once. */
  #answered = false;
  /** The last response was the whole file rather than a range; the server may have compressed it and reported that length. */
  #unranged = false;
  #changes = 0;
  #corrupt = false;
  readonly #hash = new RunningHash();

  constructor(file: ModelFile, depot: FileStore, disk: DepotFile, journal: Journal, options: DownloadOptions) {
    this.#file = file;
    this.#depot = depot;
    this.#disk = disk;
    this.#journal = journal;
    this.#options = options;
    const safe = Math.min(disk.size, journal.flushed, journal.total ?? Number.POSITIVE_INFINITY);
    if (safe < disk.size) disk.truncate(safe);
  }

  async toTheEnd(): Promise<void> {
    const { signal, retryAfter } = this.#options;
    let failures = 0;
    for (;;) {
      signal.throwIfAborted();
      const before = this.#disk.size;
      try {
        this.#tell();
        if (this.#disk.size !== this.#journal.total) await this.#part();
        return await this.#finish();
      } catch (error) {
        if (!(error instanceof BrokenConnection || error instanceof RefusedRequest)) throw error;
        if (!this.#answered) throw await failureOfNoAnswer(this.#file.url, error.cause);
        // An unreliable connection still gets there, as long as each attempt makes progress.
        failures = this.#disk.size > before ? 1 : failures + 1;
        const pause = retryAfter[failures - 1];
        if (pause === undefined) throw givenUp(error, this.#file.url);
        await pauseFor(Math.max(pause, error instanceof RefusedRequest ? error.pause : 0), signal);
      }
    }
  }

  async close(): Promise<void> {
    // A file that never started is not listed.
    const nothing = this.#corrupt || (this.#disk.size === 0 && !this.#journal.whole);
    try {
      if (!nothing) await this.#flush();
    } finally {
      this.#disk.close();
    }
    if (nothing) await this.#depot.drop(this.#file.url);
  }

  #tell(): void {
    const { total } = this.#journal;
    this.#options.onProgress(this.#disk.size, total === null ? null : Math.max(total, this.#disk.size));
  }

  get #flushIsDue(): boolean {
    const { bytes, time } = FLUSH_EVERY;
    return this.#disk.size - this.#journal.flushed >= bytes || performance.now() - this.#flushedAt >= time;
  }

  async #flush(): Promise<void> {
    this.#disk.flush();
    this.#flushedAt = performance.now();
    this.#journal = { ...this.#journal, flushed: this.#disk.size };
    await this.#depot.saveJournal(this.#journal);
  }

  /** A single request, from the end of the local file until the connection breaks or the file is complete. */
  async #part(): Promise<void> {
    const ended = new AbortController();
    const signal = AbortSignal.any([this.#options.signal, ended.signal]);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => ended.abort(), this.#options.stalledAfter);
    };
    try {
      watch();
      const response = await this.#ask(signal);
      const reader = response.body?.getReader();
      while (reader) {
        watch();
        const { done, value } = await reader.read().catch((error: unknown) => {
          throw this.#broken(error);
        });
        if (done) return;
        await this.#keep(value);
      }
    } finally {
      clearTimeout(timer);
      // However this ended, the rest of the response is not needed.
      ended.abort();
    }
  }

  /** Requests the file from the end of the local copy. */
  async #ask(signal: AbortSignal): Promise<Response> {
    const from = this.#disk.size;
    // A range from the start requests the whole file, and keeps servers from compressing it, so that its length is known. `If-Range` would
    // need CORS permission, which some servers do not grant: the version is compared here instead.
    const response = await this.#fetch(signal, { Range: `bytes=${from}-` });
    this.#answered = true;
    if (response.status === 416 && from > 0) return this.#startOver(response, signal);
    // An empty file has no valid range.
    return this.#accept(response.status === 416 ? await this.#fetch(signal, {}) : response, signal);
  }

  async #accept(response: Response, signal: AbortSignal): Promise<Response> {
    const { url } = this.#file;
    if (!response.ok) throw refusal(response, url);
    const facts = factsOf(response, this.#disk.size);
    const { version, total } = this.#journal;
    const another =
      facts.from !== this.#disk.size ||
      (version !== null && facts.version !== null && facts.version !== version) ||
      (total !== null && facts.total !== null && facts.total !== total);
    if (this.#disk.size > 0 && another) {
      if (facts.from > 0) return this.#startOver(response, signal);
      this.#disk.truncate(0);
    }
    this.#unranged = response.status === 200;
    this.#journal = { ...this.#journal, total: facts.total, version: facts.version, sha256: facts.sha256 };
    if (facts.total !== null) await requireRoom(this.#depot, facts.total - this.#disk.size, url);
    await this.#flush();
    this.#tell();
    return response;
  }

  /** Starts over because the file on the server has changed. */
  async #startOver(response: Response, signal: AbortSignal): Promise<Response> {
    await response.body?.cancel();
    this.#changes += 1;
    if (this.#changes > CHANGES) {
      throw new ModelFailure(
        'corrupt',
        `${fileInWords(this.#file.url)} keeps changing during the download. Try again later.`,
      );
    }
    this.#disk.truncate(0);
    this.#journal = { ...this.#journal, total: null, version: null, sha256: null };
    return this.#ask(signal);
  }

  async #fetch(signal: AbortSignal, headers: Record<string, string>): Promise<Response> {
    try {
      return await fetch(this.#file.url, { headers, signal, cache: 'no-store' });
    } catch (error) {
      throw this.#broken(error);
    }
  }

  #broken(cause: unknown): unknown {
    const { signal } = this.#options;
    return signal.aborted ? signal.reason : new BrokenConnection('The line broke.', { cause });
  }

  async #keep(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    try {
      const at = this.#disk.size;
      this.#disk.write(bytes);
      this.#hash.take(bytes, at);
      if (this.#flushIsDue) await this.#flush();
    } catch (error) {
      if (!isQuota(error)) throw error;
      const { total } = this.#journal;
      throw await fullFailure(this.#depot, total === null ? 0 : total - this.#disk.size, this.#file.url);
    }
    this.#tell();
  }

  async #finish(): Promise<void> {
    const { url, sha256 } = this.#file;
    const reported = this.#journal.total;
    const total = reported !== null && this.#unranged ? Math.max(reported, this.#disk.size) : reported;
    try {
      const { signal } = this.#options;
      const known = sha256 ?? this.#journal.sha256;
      const whole = total === null || total === this.#disk.size;
      const expected = known ?? (whole ? await hashAtHub(url, this.#disk.size, signal) : null);
      await verify(this.#disk, total, expected, this.#hash, url, signal);
    } catch (error) {
      // If the check was cancelled, the data is not to blame.
      this.#corrupt = error instanceof ModelFailure;
      throw error;
    }
    this.#journal = { ...this.#journal, total: this.#disk.size, whole: true };
    this.#tell();
  }
}

/** What a response says about the file, apart from its contents. */
interface AnswerFacts {
  /** Offset in the file at which the response starts. */
  readonly from: number;
  /** Bytes of the whole file; null if unknown. */
  readonly total: number | null;
  /** The version of the file (ETag or Last-Modified). */
  readonly version: string | null;
  /** Hex; null if unknown. */
  readonly sha256: string | null;
}

/** Reads the headers of a 200 or 206 response, as far as CORS exposes them. `asked`: the first requested byte. */
export const factsOf = ({ status, headers }: Response, asked: number): AnswerFacts => {
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '');
  const from = status !== 206 ? 0 : Number(range?.[1] ?? asked);
  const length = headers.get('content-length');
  const rest = length === null ? null : Number(length) + from;
  return {
    from,
    total: range?.[2] !== undefined && range[2] !== '*' ? Number(range[2]) : rest,
    version: headers.get('etag') ?? headers.get('last-modified'),
    sha256: hashOf(headers),
  };
};

/**
 * The hub sends the hash of a large file as `X-Linked-ETag`; the standard header is `Repr-Digest` (RFC 9530). A plain ETag may
 * be any hash.
 */
const hashOf = (headers: Headers): string | null => {
  const linked = /^"?([0-9a-f]{64})"?$/.exec(headers.get('x-linked-etag') ?? '')?.[1];
  if (linked !== undefined) return linked;
  const digest = /(?:^|[\s,])sha-256=:([A-Za-z0-9+/=]+):/.exec(headers.get('repr-digest') ?? '')?.[1];
  if (digest === undefined) return null;
  return Array.from(atob(digest), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
};

/** The connection broke or was never established; retrying may help. */
class BrokenConnection extends Error {}

/** The server refused temporarily. */
class RefusedRequest extends Error {
  readonly failure: ModelFailure;
  /** Milliseconds that the server asks the client to wait. */
  readonly pause: number;
  constructor(failure: ModelFailure, pause: number) {
    super(failure.message);
    this.failure = failure;
    this.pause = pause;
  }
}

/** Longest wait in milliseconds that a server may ask for before the user is told instead. */
const LONGEST_PAUSE = 15_000;

/** The error for a failed response; a `RefusedRequest` if retrying may help. */
const refusal = ({ status, headers }: Response, url: string): ModelFailure | RefusedRequest => {
  const failure = failureOfStatus(status, url);
  const pause = 1000 * Number(headers.get('retry-after') ?? 0) || 0;
  const passes = failure.kind === 'rate-limited' || failure.kind === 'server-error';
  return passes && pause <= LONGEST_PAUSE ? new RefusedRequest(failure, pause) : failure;
};

/** The failure shown to the user once retries are exhausted. */
const givenUp = (error: BrokenConnection | RefusedRequest, url: string): ModelFailure =>
  error instanceof RefusedRequest
    ? error.failure
    : new ModelFailure(
        'download-interrupted',
        `The download of ${fileInWords(url)} was interrupted. The part received is kept. Try again to continue from there.`,
        { cause: error.cause },
      );

/** Resolves after the given milliseconds; rejects with the signal's reason. */
const pauseFor = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', onAbort, { once: true });
  });

/** Minimum file size in bytes for asking the hub for a SHA-256; smaller files are not worth a request. */
const LEAST = 100_000;
/** Timeout in milliseconds for the hub; the file itself is already downloaded by then. */
const PATIENCE = 10_000;

const Listing = z.array(
  z.object({ path: z.string(), lfs: z.optional(z.nullable(z.object({ oid: z.string(), size: z.number() }))) }),
);
const FILE = /^(https?:\/\/[^?#]+)\/([^/?#]+\/[^/?#]+)\/resolve\/([^/?#]+)\/([^?#]+)$/;
const SHA256 = /^[0-9a-f]{64}$/i;

/**
 * The SHA-256 (hex) that a hub lists for a large file. The header that also has it is on a redirect, which a page cannot read.
 * null if the URL is not on a hub, or it lists none.
 */
const hashAtHub = async (url: string, size: number, signal: AbortSignal): Promise<string | null> => {
  const [, hub, repo, revision, path] = FILE.exec(url.split('?')[0] ?? '') ?? [];
  if (path === undefined || size < LEAST) return null;
  const folder = path.includes('/') ? `/${path.slice(0, path.lastIndexOf('/'))}` : '';
  try {
    const response = await fetch(`${hub}/api/models/${repo}/tree/${revision}${folder}`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]),
    });
    if (!response.ok) return null;
    const entries = Listing.parse(await response.json());
    const listed = entries.find((entry) => entry.path === decodeURIComponent(path))?.lfs;
    // A different length means a different version.
    return listed && listed.size === size && SHA256.test(listed.oid) ? listed.oid : null;
  } catch {
    signal.throwIfAborted();
    // No response, or not a hub: then only the length is checked.
    return null;
  }
};

/** Rejects with `corrupt` if the stored data is not the expected file. */
const verify = async (
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
      `${file} was damaged during the download (its SHA-256 differs). It was deleted. Download it again, or choose another model.`,
    );
  }
};

/**
 * Computes the SHA-256 of a file as it arrives. (WebCrypto only hashes data that is entirely in memory.) For a resumed
 * download, the whole file is read back from disk.
 */
class RunningHash {
  #hash = sha256.create();
  /** Number of bytes hashed, from the start. */
  #seen = 0;

  /** `at`: offset of the bytes in the file. */
  take(bytes: Uint8Array, at: number): void {
    if (at === 0 && this.#seen > 0) this.#anew();
    if (at !== this.#seen) return;
    this.#hash.update(bytes);
    this.#seen += bytes.length;
  }

  /** Returns the hash of the whole file as hex. Rejects with the signal's reason. */
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
