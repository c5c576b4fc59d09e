import { ModelFailure } from '../../../engine/model-failure.ts';
import { languagesOf } from '../embedding.ts';
import type { GenerationRequest, LoadedEmbedder, LoadOptions, LoadProgress, TextGenerator } from '../runtime.ts';
import {
  type ModelAnswer,
  type ModelFacts,
  type ModelRequest,
  type ModelResponse,
  type ModelTask,
  newLivenessLock,
  onWorkerExit,
  type SentFailure,
} from './protocol.ts';

/** Milliseconds that an aborted request may continue before its worker is terminated. */
const ABORT_PATIENCE = 10_000;
/** Milliseconds without other requests before idle work begins, so that it does not run between the requests of one turn. */
const IDLE = 150;

interface Call {
  resolve(answer: ModelAnswer): void;
  reject(error: Error): void;
  onPiece?(text: string): void;
  onProgress?(progress: LoadProgress): void;
}

/** The page's side of a model worker; see protocol.ts. Every call rejects with a ModelFailure or its signal's reason. */
export class ModelWorker<Spec> {
  readonly #worker: Worker;
  readonly #calls = new Map<number, Call>();
  #lastId = 0;
  /** Set once; every later call rejects with it. */
  #ended: ModelFailure | null = null;
  #onLost: ((error: Error) => void) | null = null;
  readonly #watching = new AbortController();
  /** Number of urgent calls in progress, and when the last one ended. */
  #urgent = 0;
  #lastUrgent = Number.NEGATIVE_INFINITY;

  /** Takes ownership of `worker`. */
  constructor(worker: Worker) {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<ModelResponse>) => this.#hear(data);
    worker.onerror = ({ message }) => this.#lose({ kind: 'worker-died', message: died(message) });
    worker.onmessageerror = () => this.#lose({ kind: 'worker-died', message: died('it sent an unreadable message') });
  }

  /** Terminates the worker if loading fails or is aborted, so that nothing stays half loaded. */
  async load(spec: Spec, { signal, onProgress, onLost }: LoadOptions): Promise<ModelFacts> {
    try {
      const alive = newLivenessLock();
      const answer = await this.#ask({ kind: 'load', spec, alive }, signal, { onProgress });
      if (answer.kind !== 'loaded') throw new UnexpectedAnswer(answer);
      this.#onLost = onLost;
      if (alive !== null) {
        onWorkerExit(alive, this.#watching.signal, () =>
          this.#lose({ kind: 'worker-died', message: died('the browser stopped it') }),
        );
      }
      return answer.facts;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Aborting the signal or leaving the loop also ends the answer in the worker. */
  async *generate({ onUsage, ...request }: GenerationRequest, signal: AbortSignal): AsyncIterable<string> {
    const left = new AbortController();
    const stop = AbortSignal.any([signal, left.signal]);
    const pieces: string[] = [];
    let wake: () => void = () => undefined;
    let ended = false;
    stop.addEventListener('abort', () => wake(), { once: true });
    const answered = this.#ask({ kind: 'generate', request }, stop, {
      onPiece: (text) => {
        pieces.push(text);
        wake();
      },
    }).finally(() => {
      ended = true;
      wake();
    });
    // Awaited below; avoids an unhandled rejection until then.
    answered.catch(() => undefined);
    try {
      for (;;) {
        if (pieces.length > 0) yield pieces.splice(0).join('');
        else if (ended || stop.aborted) break;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
      const answer = await answered;
      if (answer.kind === 'done') onUsage?.(answer.usage);
    } catch (error) {
      if (!stop.aborted) throw error;
    } finally {
      left.abort();
    }
  }

  async embed(texts: readonly string[], signal?: AbortSignal, when?: 'idle'): Promise<Float32Array[]> {
    const task = { kind: 'embed', texts } as const;
    const answer = await (when === 'idle' ? this.#askIdle(task, signal) : this.#askAtOnce(task, signal));
    if (answer.kind !== 'embedded') throw new UnexpectedAnswer(answer);
    return answer.vectors;
  }

  async count(texts: readonly string[]): Promise<number[]> {
    const answer = await this.#askAtOnce({ kind: 'count', texts });
    if (answer.kind !== 'counted') throw new UnexpectedAnswer(answer);
    return answer.counts;
  }

  /** Terminates the worker immediately; pending calls reject. */
  close(): void {
    this.#end(new ModelFailure('closed', 'The model was unloaded before it answered. Try again.'));
  }

  async #askAtOnce(task: ModelTask<Spec>, signal?: AbortSignal): Promise<ModelAnswer> {
    this.#urgent += 1;
    try {
      return await this.#ask(task, signal);
    } finally {
      this.#urgent -= 1;
      this.#lastUrgent = performance.now();
    }
  }

  async #askIdle(task: ModelTask<Spec>, signal?: AbortSignal): Promise<ModelAnswer> {
    while (this.#ended === null && (this.#urgent > 0 || performance.now() - this.#lastUrgent < IDLE)) {
      signal?.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, IDLE));
    }
    return this.#ask(task, signal);
  }

  #ask(task: ModelTask<Spec>, signal?: AbortSignal, listeners: Partial<Call> = {}): Promise<ModelAnswer> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    if (signal?.aborted) return Promise.reject(signal.reason);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<ModelAnswer>((resolve, reject) => {
      let patience: ReturnType<typeof setTimeout> | undefined;
      const onAbort = (): void => {
        this.#post({ id, kind: 'abort' });
        patience = setTimeout(
          () => this.#lose({ kind: 'worker-died', message: died('it did not stop when it was told to') }),
          ABORT_PATIENCE,
        );
        // A generation still waits for its usage; everything else is rejected immediately.
        if (task.kind !== 'generate') reject(signal?.reason);
      };
      const settled = (): void => {
        clearTimeout(patience);
        signal?.removeEventListener('abort', onAbort);
        this.#calls.delete(id);
      };
      this.#calls.set(id, {
        ...listeners,
        resolve: (answer) => {
          settled();
          if (answer.kind === 'failed') reject(toFailure(answer.failure));
          else resolve(answer);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#post({ id, ...task });
    });
  }

  #post(request: ModelRequest<Spec>): void {
    this.#worker.postMessage(request);
  }

  #hear(response: ModelResponse): void {
    if (response.kind === 'lost') return this.#lose(response.failure);
    const call = this.#calls.get(response.id);
    if (response.kind === 'piece') call?.onPiece?.(response.text);
    else if (response.kind === 'progress') call?.onProgress?.(response.progress);
    else call?.resolve(response);
  }

  #lose(failure: SentFailure): void {
    const error = toFailure(failure);
    const first = this.#ended === null;
    this.#end(error);
    if (first) this.#onLost?.(error);
  }

  #end(error: ModelFailure): void {
    if (this.#ended !== null) return;
    this.#ended = error;
    this.#watching.abort();
    this.#worker.terminate();
    for (const call of [...this.#calls.values()]) call.reject(error);
  }
}

const toFailure = ({ kind, message, status }: SentFailure): ModelFailure => new ModelFailure(kind, message, { status });

const died = (why: string): string =>
  `The model’s worker ended: ${why || 'its script could not be loaded'}. Try again; if it happens again, choose a smaller model.`;

/** A worker's answer does not match the request; the worker may still be usable. */
export class UnexpectedAnswer extends ModelFailure {
  constructor({ kind }: ModelAnswer) {
    super('unknown', `The model’s worker answered “${kind}” to another question. Try again.`);
  }
}

/** Wraps a loaded model's worker as a language model. */
export const workerGenerator = <Spec>(
  worker: ModelWorker<Spec>,
  { name, window, sees = false, estimates }: ModelFacts,
): TextGenerator => ({
  name,
  window,
  sees,
  estimates,
  generate: (request, signal) => worker.generate(request, signal),
  count: (texts) => worker.count(texts),
  close: () => worker.close(),
});

/** Wraps a loaded model's worker as an embedder. `theta` as in the port. */
export const workerEmbedder = <Spec>(
  worker: ModelWorker<Spec>,
  { name, dimensions }: ModelFacts,
  theta: number,
): LoadedEmbedder => ({
  name,
  dimensions: dimensions ?? 0,
  theta,
  languages: languagesOf(name),
  embed: (texts, signal, when) => worker.embed(texts, signal, when),
  close: () => worker.close(),
});
