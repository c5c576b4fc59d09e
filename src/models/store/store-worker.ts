/* The model store's worker; what is said to it is in store-protocol.ts. */
import { errorMessage, ModelFailure } from '../../engine/model-failure.ts';
import { type Depot, memoryDepot, opfsDepot } from './depot.ts';
import { fullFailure, isQuota } from './failures.ts';
import { type KeptFiles, keptFiles } from './kept-files.ts';
import {
  PROGRESS_CHANNEL,
  type StoreAnswer,
  type StoreOptions,
  type StoreProgress,
  type StoreRequest,
  type StoreResult,
  type StoreTask,
} from './store-protocol.ts';

/** Milliseconds between two words about how far a download is. */
const TELL_EVERY = 100;

const FLEETING =
  'This browser keeps no large files for this page (a private window, or site data is switched off): models are there until the page is closed, and have to be downloaded again then.';

interface Store {
  readonly files: KeptFiles;
  readonly depot: Depot;
  readonly options: StoreOptions;
}

let opening: Promise<Store> | null = null;
const controllers = new Map<number, AbortController>();
const channel = new BroadcastChannel(PROGRESS_CHANNEL);

self.onmessage = ({ data }: MessageEvent<StoreRequest>) => {
  if (data.kind === 'abort') controllers.get(data.id)?.abort();
  else void answer(data.id, data);
};

const answer = async (id: number, task: StoreTask): Promise<void> => {
  const controller = new AbortController();
  controllers.set(id, controller);
  const result = await perform(task, controller.signal).catch(failed);
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
  let told = Number.NEGATIVE_INFINITY;
  return (loaded, total) => {
    const now = performance.now();
    if (now - told < TELL_EVERY && loaded !== total) return;
    told = now;
    channel.postMessage({ folder, url, loaded, total } satisfies StoreProgress);
  };
};

const failed = async (error: unknown): Promise<StoreResult> => {
  if (error instanceof ModelFailure)
    return { kind: 'failed', failure: error.kind, message: error.message, status: error.status };
  if (isQuota(error) && opening !== null) {
    const { message } = await fullFailure((await opening).depot, 0, 'own:');
    return { kind: 'failed', failure: 'storage-full', message };
  }
  const words = errorMessage(error);
  return { kind: 'failed', failure: 'unknown', message: `The model’s files could not be stored or read: ${words}` };
};
