import type { OnModelState } from '../runtimes/runtime.ts';
import type { EncoderRequest, EncoderResponse, EncoderResult, EncoderTask } from './sentence-encoder-worker.ts';

/** Texts in one message to the worker, about a tenth of a second: others get their turn in between, and an abort is soon felt. */
const CHUNK = 16;

const CLOSED = 'The embedded sentence encoder was closed.';

/** The sentence encoder, in its worker. Loads on first use. Every failure rejects, and the next call starts afresh. */
export interface EncoderClient {
  load(signal?: AbortSignal): Promise<void>;
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  count(texts: readonly string[]): Promise<number[]>;
  /** Ends the worker; calls under way reject. */
  close(): void;
}

interface Running {
  readonly worker: Worker;
  readonly calls: Map<number, { resolve(result: EncoderResult): void; reject(error: Error): void }>;
  loaded: Promise<void>;
}

/** `folder`: absolute address of the model's folder, with a slash at the end. */
export const createEncoderClient = (folder: string, onState: OnModelState): EncoderClient => {
  let running: Running | null = null;
  let ready = false;
  let active = 0;
  let lastId = 0;

  const showState = (): void => {
    if (running === null) return;
    onState({ state: !ready ? 'loading' : active > 0 ? 'busy' : 'ready', failure: null });
  };

  const ask = (asked: Running, task: EncoderTask): Promise<EncoderResult> =>
    new Promise((resolve, reject) => {
      // A worker that was ended answers nothing.
      if (running !== asked) return reject(new Error(CLOSED));
      lastId += 1;
      asked.calls.set(lastId, { resolve, reject });
      asked.worker.postMessage({ id: lastId, ...task } satisfies EncoderRequest);
    });

  const stop = (stopped: Running, error: Error): void => {
    stopped.worker.terminate();
    for (const { reject } of stopped.calls.values()) reject(error);
    stopped.calls.clear();
    if (running === stopped) {
      running = null;
      ready = false;
    }
  };

  const fail = (failed: Running, why: string): void => {
    if (running !== failed) return;
    const failure = `The embedded sentence encoder failed: ${why}. It starts afresh on its next use.`;
    stop(failed, new Error(failure));
    onState({ state: 'failed', failure });
  };

  const start = (): Running => {
    const worker = new Worker(new URL('./sentence-encoder-worker.ts', import.meta.url), {
      type: 'module',
      name: 'sentence-encoder',
    });
    const started: Running = { worker, calls: new Map(), loaded: Promise.resolve() };
    running = started;
    worker.onmessage = ({ data }: MessageEvent<EncoderResponse>) => {
      if (data.kind === 'failed') return fail(started, data.message);
      started.calls.get(data.id)?.resolve(data);
      started.calls.delete(data.id);
    };
    worker.onerror = ({ message }) => fail(started, message || 'its script could not be loaded');
    worker.onmessageerror = () => fail(started, 'it sent what cannot be read');
    showState();
    started.loaded = ask(started, { kind: 'load', folder }).then(() => {
      ready = true;
      showState();
    });
    return started;
  };

  const use = async <T>(work: (running: Running) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted();
    const current = running ?? start();
    active += 1;
    showState();
    try {
      await abortable(current.loaded, signal);
      return await work(current);
    } finally {
      active -= 1;
      showState();
    }
  };

  return {
    load: (signal) => use(({ loaded }) => loaded, signal),
    embed: (texts, signal) =>
      use(async (current) => {
        const vectors: Float32Array[] = [];
        for (let at = 0; at < texts.length; at += CHUNK) {
          const result = await abortable(ask(current, { kind: 'embed', texts: texts.slice(at, at + CHUNK) }), signal);
          if (result.kind !== 'embedded') throw new Error(`expected vectors, got ${result.kind}`);
          vectors.push(...result.vectors);
        }
        return vectors;
      }, signal),
    count: (texts) =>
      use(async (current) => {
        const result = await ask(current, { kind: 'count', texts });
        if (result.kind !== 'counted') throw new Error(`expected counts, got ${result.kind}`);
        return result.counts;
      }),
    close: () => {
      if (running === null) return;
      stop(running, new Error(CLOSED));
      onState({ state: 'idle', failure: null });
    },
  };
};

/** The promise, or the signal's reason as soon as it is aborted. */
const abortable = <T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> => {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
};
