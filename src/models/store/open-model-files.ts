import { ModelFailure } from '../../engine/model-failure.ts';
import { abortable } from '../../engine/tasks.ts';
import {
  type GetOptions,
  type ModelFile,
  type ModelFiles,
  progressChannel,
  type StoreAnswer,
  type StoreOptions,
  type StoreProgress,
  type StoreRequest,
  type StoreResult,
  type StoreTask,
} from './model-files.ts';

const DEFAULTS: StoreOptions = { folder: 'models', retryAfter: [500, 2000, 5000], stalledAfter: 60_000 };

export interface OpenModelFiles extends ModelFiles {
  /** null if files persist after the page is closed; otherwise a message for the user that says why not. */
  fleeting(): Promise<string | null>;
  /** Terminates the worker and pending downloads; what was received is kept. */
  close(): void;
}

interface Download {
  readonly id: number;
  readonly done: Promise<Blob>;
  readonly callers: Set<GetOptions>;
  last: StoreProgress | null;
}

/** Model files, managed by a dedicated worker that starts on first use. Works in pages and workers. */
export const openModelFiles = (options: Partial<StoreOptions> = {}): OpenModelFiles => {
  const store = { ...DEFAULTS, ...options };
  const downloads = new Map<string, Download>();
  const calls = new Map<number, (result: StoreResult) => void>();
  let worker: Worker | null = null;
  let channel: BroadcastChannel | null = null;
  let opened: Promise<string | null> = Promise.resolve(null);
  let lastId = 0;

  const send = (request: StoreRequest): void => worker?.postMessage(request);
  const ask = (task: StoreTask): { id: number; result: Promise<StoreResult> } => {
    lastId += 1;
    const id = lastId;
    const result = new Promise<StoreResult>((resolve) => calls.set(id, resolve));
    send({ id, ...task });
    return { id, result };
  };

  const stop = (failure: StoreResult): void => {
    worker?.terminate();
    channel?.close();
    worker = null;
    channel = null;
    for (const resolve of calls.values()) resolve(failure);
    calls.clear();
    downloads.clear();
  };

  const start = (): void => {
    if (worker !== null) return;
    worker = new Worker(new URL('./store-worker.ts', import.meta.url), { type: 'module', name: 'model-store' });
    worker.onmessage = ({ data }: MessageEvent<StoreAnswer>) => {
      calls.get(data.id)?.(data);
      calls.delete(data.id);
    };
    worker.onerror = ({ message }) =>
      stop({
        kind: 'failed',
        failure: 'worker-died',
        message: `The model store stopped: ${message || 'its script could not be loaded'}. Try again.`,
      });
    channel = progressChannel();
    channel?.addEventListener('message', ({ data }: MessageEvent<StoreProgress>) => {
      const download = data.folder === store.folder ? downloads.get(data.url) : undefined;
      if (download === undefined) return;
      download.last = data;
      for (const { onProgress } of download.callers) onProgress?.(data.loaded, data.total);
    });
    opened = ask({ kind: 'open', options: store }).result.then((result) =>
      result.kind === 'opened' ? result.fleeting : raise(result),
    );
    // The first caller gets the error; avoids an unhandled rejection until then.
    opened.catch(() => undefined);
  };

  const use = (task: StoreTask): { id: number; result: Promise<StoreResult> } => {
    start();
    return ask(task);
  };

  const begin = (file: ModelFile): Download => {
    const { id, result } = use({ kind: 'get', file });
    const done = result.then((answer) => (answer.kind === 'file' && answer.blob ? answer.blob : raise(answer)));
    const download: Download = { id, done, callers: new Set(), last: null };
    const forget = (): void => {
      if (downloads.get(file.url) === download) downloads.delete(file.url);
    };
    done.then(forget, forget);
    downloads.set(file.url, download);
    return download;
  };

  const get = async (file: ModelFile, asked: GetOptions): Promise<Blob> => {
    const { signal, onProgress } = asked;
    signal.throwIfAborted();
    const download = downloads.get(file.url) ?? begin(file);
    const caller: GetOptions = { ...asked };
    download.callers.add(caller);
    if (download.last !== null) onProgress?.(download.last.loaded, download.last.total);
    try {
      const blob = await abortable(download.done, signal);
      onProgress?.(blob.size, blob.size);
      return blob;
    } finally {
      download.callers.delete(caller);
      if (download.callers.size === 0 && downloads.get(file.url) === download) {
        // No caller is left. A later call queues after its end.
        downloads.delete(file.url);
        send({ id: download.id, kind: 'abort' });
      }
    }
  };

  return {
    get,
    kept: async (url) => {
      const result = await use({ kind: 'kept', url }).result;
      return result.kind === 'file' ? result.blob : raise(result);
    },
    keep: async (model, url, blob) => {
      const result = await use({ kind: 'keep', model, url, blob }).result;
      if (result.kind !== 'done') raise(result);
    },
    list: async () => {
      const result = await use({ kind: 'list' }).result;
      return result.kind === 'models' ? result.models : raise(result);
    },
    remove: async (modelKey) => {
      const result = await use({ kind: 'remove', modelKey }).result;
      if (result.kind !== 'done') raise(result);
    },
    fleeting: () => {
      start();
      return opened;
    },
    close: () => stop({ kind: 'failed', failure: 'closed', message: 'The model store was closed.' }),
  };
};

const raise = (result: StoreResult): never => {
  throw result.kind === 'failed'
    ? new ModelFailure(result.failure, result.message, { status: result.status })
    : new Error(`The model store answered ${result.kind}.`);
};
