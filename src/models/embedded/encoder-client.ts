import { errorMessage } from '../../engine/model-failure.ts';
import type { Embedder } from '../../engine/ports.ts';
import { abortable } from '../../engine/tasks.ts';
import type { ModelState, OnModelState } from '../runtimes/runtime.ts';
import { ModelWorker, UnexpectedAnswer } from '../runtimes/worker/model-worker.ts';
import type { EncoderSpec } from './sentence-encoder-worker.ts';

/** Texts per message to the worker, about a tenth of a second: other calls get their turn in between, and aborts take effect soon. */
const CHUNK = 16;
/** The same for idle calls: a call that comes in meanwhile waits no longer than this. */
const IDLE_CHUNK = 6;
/** Idle time before the state becomes ready, in milliseconds: one turn makes a dozen calls, and every view of the state would redraw for each. */
const CALM = 150;

/** The sentence encoder in its worker, loaded on first use. Every failure rejects, and the next call starts afresh. */
export interface EncoderClient extends Pick<Embedder, 'embed'> {
  load(signal?: AbortSignal): Promise<void>;
  count(texts: readonly string[]): Promise<number[]>;
  /** Terminates the worker; pending calls reject. */
  close(): void;
}

interface EncoderWorker {
  readonly worker: ModelWorker<EncoderSpec>;
  readonly loaded: Promise<unknown>;
  /** Why it ended; all its calls reject with this. */
  ended: Error | null;
}

/** `folder`: absolute URL of the model's folder, with a trailing slash. */
export const createEncoderClient = (folder: string, onState: OnModelState): EncoderClient => {
  let running: EncoderWorker | null = null;
  let ready = false;
  let active = 0;
  let shown: ModelState['state'] | null = null;
  let calm: ReturnType<typeof setTimeout> | undefined;

  const tell = (state: ModelState): void => {
    clearTimeout(calm);
    if (state.state === shown) return;
    shown = state.state;
    onState(state);
  };

  const showState = (): void => {
    if (running === null) return;
    const state = !ready ? 'loading' : active > 0 ? 'busy' : 'ready';
    if (state !== 'ready' || shown !== 'busy') return tell({ state, failure: null });
    clearTimeout(calm);
    calm = setTimeout(tell, CALM, { state, failure: null });
  };

  const end = (ending: EncoderWorker, why: Error): void => {
    ending.ended = why;
    ending.worker.close();
    running = null;
    ready = false;
  };

  /** One failure breaks the runtime: the worker is terminated, and all its other calls fail for the same reason. */
  const fail = (failed: EncoderWorker, error: unknown): Error => {
    if (failed.ended !== null) return failed.ended;
    const words = errorMessage(error);
    const failure = `The embedded sentence encoder failed: ${words}. It starts afresh on its next use.`;
    const why = new Error(failure, { cause: error });
    end(failed, why);
    tell({ state: 'failed', failure });
    return why;
  };

  const start = (): EncoderWorker => {
    const worker = new ModelWorker<EncoderSpec>(
      new Worker(new URL('./sentence-encoder-worker.ts', import.meta.url), {
        type: 'module',
        name: 'sentence-encoder',
      }),
    );
    const loaded = worker.load(
      { folder },
      {
        // Loading continues for later callers, even if the first one has aborted.
        signal: new AbortController().signal,
        onProgress: () => undefined,
        onLost: (error) => fail(started, error),
      },
    );
    const started: EncoderWorker = { worker, loaded, ended: null };
    running = started;
    showState();
    loaded.then(
      () => {
        ready = true;
        showState();
      },
      (error: unknown) => fail(started, error),
    );
    return started;
  };

  const use = async <T>(work: (worker: EncoderWorker['worker']) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted();
    const current = running ?? start();
    active += 1;
    showState();
    try {
      await abortable(current.loaded, signal);
      return await work(current.worker);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      // The runtime is intact: only this call has failed.
      if (error instanceof UnexpectedAnswer) throw error;
      throw fail(current, error);
    } finally {
      active -= 1;
      showState();
    }
  };

  return {
    load: (signal) => use(async () => undefined, signal),
    embed: (texts, signal, when) =>
      use(async (worker) => {
        const size = when === 'idle' ? IDLE_CHUNK : CHUNK;
        const vectors: Float32Array[] = [];
        for (let at = 0; at < texts.length; at += size) {
          vectors.push(...(await worker.embed(texts.slice(at, at + size), signal, when)));
        }
        return vectors;
      }, signal),
    count: (texts) => use((worker) => worker.count(texts)),
    close: () => {
      if (running === null) return;
      end(running, new Error('The embedded sentence encoder was closed.'));
      tell({ state: 'idle', failure: null });
    },
  };
};
