import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { bytesInWords, sum } from '../../../domain/numbers.ts';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { dueEvery } from '../../../engine/tasks.ts';
import { failureOfNoAnswer, failureOfStatus, fileInWords, isQuota } from '../../store/failures.ts';
import type { LoadOptions } from '../runtime.ts';
import {
  bytesOf,
  type CachedModelFile,
  ChatConfig,
  configFile,
  corrupt,
  dropFile,
  keepFile,
  keptFile,
  libraryFile,
  type ModelLocation,
  manifestFile,
  packageFile,
  parseAs,
  saveEntry,
  shardFiles,
  TensorCache,
  tokenizerFile,
} from './webllm-cache.ts';

/** Maximum number of concurrent downloads. */
const AT_ONCE = 3;

interface Downloadable extends ModelLocation {
  /** As in `specKey`; `name` is for display. */
  readonly key: string;
  readonly name: string;
  /** The library's `model_manifest`, if the model has one. */
  readonly manifest: string | null;
}

interface DownloadedModel {
  readonly config: ChatConfig;
  /** The model's code. */
  readonly library: Blob;
  /** Bytes of all files. */
  readonly total: number;
}

/**
 * Downloads all files of a model into the library's caches, so that it fetches nothing itself: progress is counted in bytes, a
 * cancelled download resumes from the files already stored, and stored models work offline.
 */
export const downloadModel = (
  model: Downloadable,
  { signal, onProgress }: Pick<LoadOptions, 'signal' | 'onProgress'>,
): Promise<DownloadedModel> =>
  // If two roles or two tabs load the same model, the second waits and finds the files.
  navigator.locks.request(`webllm ${model.folder}`, { signal }, async () => {
    const tally = new Tally(onProgress);
    const get = (file: CachedModelFile, stop = signal): Promise<Response> => have(file, stop, tally);
    const { key, name, folder, library } = model;
    const entry = { key, name, folder, library };
    await saveEntry({ ...entry, total: null });

    const config = parseAs(ChatConfig, await (await get(configFile(model))).arrayBuffer(), model.source);
    const manifest = parseAs(TensorCache, await (await get(manifestFile(model))).arrayBuffer(), model.source);
    const shards = shardFiles(model, manifest);
    tally.expect(shards.reduce((sum, { shard }) => sum + (shard?.bytes ?? 0), 0));
    await requireRoom(shards);
    const others = [
      libraryFile(model),
      tokenizerFile(model, config),
      ...(model.manifest === null ? [] : [packageFile(model, model.manifest)]),
    ];
    await each([...others, ...shards], signal, get);
    await saveEntry({ ...entry, total: tally.loaded });
    tally.report(true);
    return { config, library: await (await get(libraryFile(model))).blob(), total: tally.loaded };
  });

const have = async (file: CachedModelFile, signal: AbortSignal, tally: Tally): Promise<Response> => {
  signal.throwIfAborted();
  const before = await keptFile(file);
  if (before === null) await fetchFile(file, signal, (loaded, total) => tally.note(file, loaded, total));
  const kept = before ?? (await keptFile(file));
  if (kept === null) throw full(file.shard?.bytes ?? 0, null);
  tally.note(file, bytesOf(kept), bytesOf(kept));
  return kept;
};

/** Rejects before fetching gigabytes that are known not to fit. */
const requireRoom = async (shards: readonly CachedModelFile[]): Promise<void> => {
  const { quota, usage } = await navigator.storage.estimate();
  if (quota === undefined || usage === undefined) return;
  const missing = await Promise.all(
    shards.map(async (file) => ((await keptFile(file)) === null ? (file.shard?.bytes ?? 0) : 0)),
  );
  const more = sum(missing);
  if (more > quota - usage) throw full(more, quota - usage);
};

const full = (more: number, room: number | null): ModelFailure =>
  new ModelFailure(
    'storage-full',
    `The model needs ${bytesInWords(more)} more${room === null ? ' than the browser keeps' : `, and the browser has room for ${bytesInWords(Math.max(0, room))}`}. Delete models that you no longer use, free disk space, or choose a smaller model. The part received is kept.`,
  );

/** Processes a few files at a time; the first failure aborts the others. */
const each = async (
  files: readonly CachedModelFile[],
  signal: AbortSignal,
  get: (file: CachedModelFile, signal: AbortSignal) => Promise<Response>,
): Promise<void> => {
  const queue = [...files];
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await get(next, stop);
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  } catch (error) {
    failed.abort(error);
    throw error;
  }
};

/** Milliseconds before each retry after a broken connection. */
const RETRY_AFTER = [500, 2000];

/** Bytes of this file received so far, and its size if the server reported it. */
type OnBytes = (loaded: number, total: number | null) => void;

/**
 * Fetches a file into the library's cache. Stores it complete and checked, or not at all. Rejects with a ModelFailure or the
 * signal's reason.
 */
const fetchFile = async (file: CachedModelFile, signal: AbortSignal, onBytes: OnBytes): Promise<void> => {
  for (let tries = 0; ; tries += 1) {
    try {
      return await once(file, signal, onBytes);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const pause = RETRY_AFTER[tries];
      if (pause === undefined || !(error instanceof ModelFailure) || !PASSES.has(error.kind)) throw error;
      await new Promise((later) => setTimeout(later, pause));
      signal.throwIfAborted();
    }
  }
};

const PASSES: ReadonlySet<string> = new Set(['download-interrupted', 'rate-limited', 'server-error']);

const once = async (file: CachedModelFile, signal: AbortSignal, onBytes: OnBytes): Promise<void> => {
  const response = await ask(file.source, signal);
  const length = Number(response.headers.get('content-length'));
  // If compressed in transit, Content-Length is not the file's size.
  const total = file.shard?.bytes ?? (length > 0 && !response.headers.has('content-encoding') ? length : null);
  const watch = new ShardWatch(file, total, onBytes);
  try {
    const body = (response.body ?? new Blob([]).stream()).pipeThrough(watch.stream);
    if (file.shard !== null) {
      await keepFile(file, body, file.shard.bytes);
    } else {
      const bytes = await new Response(body).arrayBuffer();
      await file.check(bytes);
      await keepFile(file, bytes, bytes.byteLength);
    }
  } catch (error) {
    await dropFile(file).catch(() => undefined);
    throw watch.failure ?? bodyFailure(error, file, signal);
  }
};

const ask = async (source: string, signal: AbortSignal): Promise<Response> => {
  // Stored in the library's cache; the HTTP cache would hold a second copy.
  const response = await fetch(source, { signal, cache: 'no-store' }).catch(async (error: unknown) => {
    throw signal.aborted ? signal.reason : await failureOfNoAnswer(source, error);
  });
  if (!response.ok) throw failureOfStatus(response.status, source);
  return response;
};

/** Counts bytes passing through, and fails a shard that does not match its length and MD5. */
class ShardWatch {
  readonly stream: TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;
  failure: ModelFailure | null = null;

  constructor(file: CachedModelFile, total: number | null, onBytes: OnBytes) {
    const hash = file.shard?.md5 ? md5.create() : null;
    let loaded = 0;
    this.stream = new TransformStream({
      transform: (piece, controller) => {
        hash?.update(piece);
        loaded += piece.length;
        onBytes(loaded, total);
        controller.enqueue(piece);
      },
      flush: (controller) => {
        if (file.shard === null) return;
        const { bytes, md5: expected } = file.shard;
        const why =
          loaded !== bytes
            ? `it is ${loaded} bytes long, not ${bytes}`
            : hash !== null && bytesToHex(hash.digest()) !== expected?.toLowerCase()
              ? 'its MD5 differs'
              : null;
        if (why === null) return;
        this.failure = corrupt(file.source, why);
        controller.error(this.failure);
      },
    });
  }
}

const bodyFailure = (error: unknown, { source }: CachedModelFile, signal: AbortSignal): unknown => {
  if (signal.aborted) return signal.reason;
  // Quota errors and corrupt files already explain themselves.
  if (error instanceof ModelFailure || isQuota(error)) return error;
  return new ModelFailure(
    'download-interrupted',
    `The download of ${fileInWords(source)} was interrupted. The part received is kept. Try again to continue from there.`,
    { cause: error },
  );
};

/** Milliseconds between progress reports. */
const REPORT_EVERY = 100;

/** Download progress over all files. */
class Tally {
  readonly #files = new Map<string, { loaded: number; total: number | null; shard: boolean }>();
  readonly #onProgress: LoadOptions['onProgress'];
  #shards: number | null = null;
  readonly #isDue = dueEvery(REPORT_EVERY);

  constructor(onProgress: LoadOptions['onProgress']) {
    this.#onProgress = onProgress;
  }

  /** Sets the total size of the shards, which make up most of a model and are known in advance. */
  expect(bytes: number): void {
    this.#shards = bytes;
  }

  note({ url, shard }: CachedModelFile, loaded: number, total: number | null): void {
    this.#files.set(url, { loaded, total, shard: shard !== null });
    this.report(false);
  }

  get loaded(): number {
    return [...this.#files.values()].reduce((sum, { loaded }) => sum + loaded, 0);
  }

  get #total(): number | null {
    if (this.#shards === null) return null;
    const others = [...this.#files.values()].filter(({ shard }) => !shard);
    return others.reduce((sum, { loaded, total }) => sum + Math.max(loaded, total ?? 0), this.#shards);
  }

  report(now: boolean): void {
    if (this.#isDue() || now) this.#onProgress({ phase: 'downloading', loaded: this.loaded, total: this.#total });
  }
}
