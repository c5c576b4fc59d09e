/* The model store's worker; its protocol is in model-files.ts. */
import type { StoredModel } from '../../app/model-control.ts';
import { errorMessage, ModelFailure } from '../../engine/model-failure.ts';
import { dueEvery } from '../../engine/tasks.ts';
import { type DownloadOptions, downloadModelFile, withOwner } from './download.ts';
import { fullFailure, isQuota, requireRoom } from './failures.ts';
import {
  type FileStore,
  fileIdOf,
  memoryDepot,
  newJournal,
  opfsDepot,
  wholeFile,
  wholeFromAnotherHub,
} from './file-store.ts';
import {
  type ModelFile,
  type ModelRef,
  progressChannel,
  type StoreAnswer,
  type StoreOptions,
  type StoreProgress,
  type StoreRequest,
  type StoreResult,
  type StoreTask,
} from './model-files.ts';

/** Milliseconds between progress messages. */
const TELL_EVERY = 100;

const FLEETING =
  'This browser does not store large files for this page (a private window, or site data is switched off). Models are lost when the page is closed, and must be downloaded again.';

interface Store {
  readonly files: ModelStore;
  readonly depot: FileStore;
  readonly options: StoreOptions;
}

let opening: Promise<Store> | null = null;
const controllers = new Map<number, AbortController>();
const channel = progressChannel();

self.onmessage = ({ data }: MessageEvent<StoreRequest>) => {
  if (data.kind === 'abort') controllers.get(data.id)?.abort();
  else void answer(data.id, data);
};

const answer = async (id: number, task: StoreTask): Promise<void> => {
  const controller = new AbortController();
  controllers.set(id, controller);
  const result = await perform(task, controller.signal).catch((error: unknown) => failed(error, task));
  controllers.delete(id);
  self.postMessage({ id, ...result } satisfies StoreAnswer);
};

const perform = async (task: StoreTask, signal: AbortSignal): Promise<StoreResult> => {
  if (task.kind === 'open') opening ??= open(task.options);
  if (opening === null) throw new Error('asked before it was opened');
  const { files, depot, options } = await opening;
  switch (task.kind) {
    case 'open':
      return { kind: 'opened', fleeting: depot.fleeting };
    case 'get': {
      const onProgress = teller(options.folder, task.file.url);
      return { kind: 'file', blob: await files.get(task.file, { ...options, signal, onProgress }) };
    }
    case 'kept':
      return { kind: 'file', blob: await files.kept(task.url) };
    case 'keep':
      await files.keep(task.model, task.url, task.blob);
      return { kind: 'done' };
    case 'list':
      return { kind: 'models', models: await files.list() };
    case 'remove':
      await files.remove(task.modelKey);
      return { kind: 'done' };
  }
};

const open = async (options: StoreOptions): Promise<Store> => {
  const depot = await opfsDepot(options.folder).catch(() => memoryDepot(FLEETING));
  return { files: keptFiles(depot, options.folder), depot, options };
};

const teller = (folder: string, url: string): ((loaded: number, total: number | null) => void) => {
  const isDue = dueEvery(TELL_EVERY);
  return (loaded, total) => {
    if (isDue() || loaded === total) channel?.postMessage({ folder, url, loaded, total } satisfies StoreProgress);
  };
};

const failed = async (error: unknown, task: StoreTask): Promise<StoreResult> => {
  if (error instanceof ModelFailure)
    return { kind: 'failed', failure: error.kind, message: error.message, status: error.status };
  if (isQuota(error) && opening !== null) {
    const url = task.kind === 'get' ? task.file.url : 'own:';
    const { message } = await fullFailure((await opening).depot, 0, url);
    return { kind: 'failed', failure: 'storage-full', message };
  }
  const words = errorMessage(error);
  return { kind: 'failed', failure: 'unknown', message: `The model’s files could not be stored or read: ${words}` };
};

/** The operations of the store's worker, over any depot. `name` distinguishes its locks from those of other stores. */
interface ModelStore {
  get(file: ModelFile, options: DownloadOptions): Promise<Blob>;
  kept(url: string): Promise<Blob | null>;
  keep(model: ModelRef, url: string, blob: Blob): Promise<void>;
  list(): Promise<StoredModel[]>;
  remove(modelKey: string): Promise<void>;
}

const keptFiles = (depot: FileStore, name: string): ModelStore => {
  const exclusive = <T>(url: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    locked(`coppice-${name}-${fileIdOf(url)}`, task, signal);

  const get = async (file: ModelFile, options: DownloadOptions): Promise<Blob> => {
    const present = await wholeFile(depot, file.url);
    if (present !== null) {
      const journal = await depot.journal(file.url);
      const known = journal?.models.some(({ key }) => key === file.model.key);
      if (journal !== null && !known) await depot.saveJournal(withOwner(journal, file));
      return present;
    }
    const moved = await wholeFromAnotherHub(depot, file);
    if (moved !== null) return moved;
    if (file.url.startsWith('own:')) {
      throw new ModelFailure(
        'not-found',
        `A file of ${file.model.name} is no longer on this machine. Add the model from your files again.`,
      );
    }
    await downloadModelFile(file, depot, options);
    const blob = await depot.blob(file.url);
    if (blob === null) throw new ModelFailure('corrupt', 'A file that was just downloaded is missing. Try again.');
    return blob;
  };

  const keep = async (model: ModelRef, url: string, blob: Blob): Promise<void> => {
    await requireRoom(depot, blob.size, url);
    await depot.drop(url);
    const disk = await depot.open(url);
    try {
      const reader = (blob.stream() as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        disk.write(value);
      }
      disk.flush();
    } catch (error) {
      disk.close();
      await depot.drop(url);
      throw isQuota(error) ? await fullFailure(depot, blob.size, url) : error;
    }
    disk.close();
    await depot.saveJournal({
      ...withOwner(newJournal(url), { model }),
      total: blob.size,
      flushed: blob.size,
      whole: true,
    });
  };

  return {
    get: (file, options) => exclusive(file.url, () => get(file, options), options.signal),
    kept: (url) => wholeFile(depot, url),
    keep: (model, url, blob) => exclusive(url, () => keep(model, url, blob)),
    list: async () => {
      const models = new Map<string, StoredModel>();
      for (const { models: owners, flushed, total } of await depot.journals()) {
        for (const { key, name: called } of owners) {
          const sum = models.get(key) ?? { key, name: called, bytes: 0, total: 0 };
          const whole = sum.total === null || total === null ? null : sum.total + total;
          models.set(key, { key, name: called, bytes: sum.bytes + flushed, total: whole });
        }
      }
      return [...models.values()];
    },
    remove: async (modelKey) => {
      const isOwner = ({ key }: ModelRef): boolean => key === modelKey;
      for (const { url, models: owners } of await depot.journals()) {
        // Not to wait for another model's download, which holds the lock of its file.
        if (!owners.some(isOwner)) continue;
        await exclusive(url, async () => {
          const journal = await depot.journal(url);
          if (!journal?.models.some(isOwner)) return;
          const models = journal.models.filter(({ key }) => key !== modelKey);
          if (models.length === 0) await depot.drop(url);
          else await depot.saveJournal({ ...journal, models });
        });
      }
    },
  };
};

const last = new Map<string, Promise<unknown>>();

/**
 * Runs a task exclusively by name, across tabs (Web Locks; a lock ends with its tab). Rejects with the signal's reason if
 * aborted before the task starts. Without Web Locks, or where they are refused because site data is blocked, only tasks within
 * this worker wait for each other.
 */
const locked = async <T>(name: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
  if (typeof navigator !== 'undefined' && 'locks' in navigator) {
    let hasBegun = false;
    const begin = (): Promise<T> => {
      hasBegun = true;
      return task();
    };
    try {
      return await navigator.locks.request(name, signal === undefined ? {} : { signal }, begin);
    } catch (error) {
      if (hasBegun || !(error instanceof DOMException && error.name === 'SecurityError')) throw error;
    }
  }
  const turn = (last.get(name) ?? Promise.resolve()).then(() => {
    signal?.throwIfAborted();
    return task();
  });
  last.set(
    name,
    turn.catch(() => undefined),
  );
  return turn;
};
