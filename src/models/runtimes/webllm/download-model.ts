import { ModelFailure } from '../../../engine/model-failure.ts';
import { bytesInWords } from '../../store/words.ts';
import type { LoadOptions } from '../runtime.ts';
import { fetchFile } from './fetch-file.ts';
import { bytesOf, keptFile, saveEntry } from './kept-files.ts';
import {
  ChatConfig,
  configFile,
  libraryFile,
  type ModelFile,
  manifestFile,
  type Place,
  packageFile,
  parseAs,
  shardFiles,
  TensorCache,
  tokenizerFile,
} from './model-files.ts';
import { Tally } from './tally.ts';

/** Files that are fetched at a time. */
const AT_ONCE = 3;

export interface Downloadable extends Place {
  /** As `specKey`, and for people. */
  readonly key: string;
  readonly name: string;
  /** The library's `model_manifest`, where the model has one. */
  readonly manifest: string | null;
}

export interface Downloaded {
  readonly config: ChatConfig;
  /** The model's code. */
  readonly library: Blob;
  /** Bytes of all files. */
  readonly total: number;
}

/**
 * Brings all files of a model into the library's caches, so that it fetches nothing itself: bytes are counted, a
 * cancelled download stops and goes on from the files that are there, and what is there is used with the network off.
 */
export const downloadModel = (
  model: Downloadable,
  { signal, onProgress }: Pick<LoadOptions, 'signal' | 'onProgress'>,
): Promise<Downloaded> =>
  // Two roles, or two tabs, that load the same model: the second waits and finds the files.
  navigator.locks.request(`webllm ${model.folder}`, { signal }, async () => {
    const tally = new Tally(onProgress);
    const get = (file: ModelFile, stop = signal): Promise<Response> => have(file, stop, tally);
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

const have = async (file: ModelFile, signal: AbortSignal, tally: Tally): Promise<Response> => {
  signal.throwIfAborted();
  const before = await keptFile(file);
  if (before === null) await fetchFile(file, signal, (loaded, total) => tally.note(file, loaded, total));
  const kept = before ?? (await keptFile(file));
  if (kept === null) throw full(file.shard?.bytes ?? 0, null);
  tally.note(file, bytesOf(kept), bytesOf(kept));
  return kept;
};

/** Rejects before gigabytes are fetched that are known not to fit. */
const requireRoom = async (shards: readonly ModelFile[]): Promise<void> => {
  const { quota, usage } = await navigator.storage.estimate();
  if (quota === undefined || usage === undefined) return;
  const missing = await Promise.all(
    shards.map(async (file) => ((await keptFile(file)) === null ? (file.shard?.bytes ?? 0) : 0)),
  );
  const more = missing.reduce((sum, bytes) => sum + bytes, 0);
  if (more > quota - usage) throw full(more, quota - usage);
};

const full = (more: number, room: number | null): ModelFailure =>
  new ModelFailure(
    'storage-full',
    `The model needs ${bytesInWords(more)} more${room === null ? ' than the browser keeps' : `, and the browser has room for ${bytesInWords(Math.max(0, room))}`}. Delete models that you no longer use, free disk space, or choose a smaller model; what came is kept.`,
  );

/** A few at a time; the first failure ends the others. */
const each = async (
  files: readonly ModelFile[],
  signal: AbortSignal,
  get: (file: ModelFile, signal: AbortSignal) => Promise<Response>,
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
