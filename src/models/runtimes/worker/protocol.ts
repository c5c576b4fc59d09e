import type { Usage } from '../../../domain/reply.ts';
import type { ModelFailureKind } from '../../../engine/model-failure.ts';
import type { GenerationRequest, LoadProgress } from '../runtime.ts';

/*
 * A model in its own module worker, whatever its runtime.
 *
 *   page ── ModelRequest {id} ──▶ worker     first `load`, once; then any number of `generate`, `embed` and `count`
 *   page ◀─ ModelResponse {id} ── worker     `progress` and `piece` as they come, then exactly one final answer per request
 *   page ── abort {id} ─────────▶ worker     the request ends soon, with `done` (generate) or `failed` of kind `closed`
 *   page ◀─ lost ───────────────── worker    the model is gone (device lost); no more answers
 *
 * The worker processes requests one at a time. Failures are sent as kind and message, never as thrown errors. A worker that
 * does not respond to an abort in time, or dies (with an error or silently), is terminated by the page (model-worker.ts), and
 * the next load starts a new one.
 */

export type SentGeneration = Omit<GenerationRequest, 'onUsage'>;

export type ModelTask<Spec> =
  /** `alive`: a lock that the worker holds for its lifetime (`holdLivenessLock`); null if locks are unavailable. */
  { readonly kind: 'load'; readonly spec: Spec; readonly alive: string | null } | UseTask;

/** Requests to a loaded model. */
export type UseTask =
  | { readonly kind: 'generate'; readonly request: SentGeneration }
  | { readonly kind: 'embed'; readonly texts: readonly string[] }
  | { readonly kind: 'count'; readonly texts: readonly string[] };

export type ModelRequest<Spec> =
  | ({ readonly id: number } & ModelTask<Spec>)
  | { readonly id: number; readonly kind: 'abort' };

/** Properties of a loaded model. */
export interface ModelFacts {
  readonly name: string;
  /** Tokens of prompt and answer together. */
  readonly window: number;
  /** Whether it accepts pictures; omitted if not. */
  readonly sees?: boolean;
  /** Whether its token counts are estimates. */
  readonly estimates: boolean;
  /** Dimensions of its vectors; null if it is not an embedder. */
  readonly dimensions: number | null;
}

export interface SentFailure {
  readonly kind: ModelFailureKind;
  readonly message: string;
  readonly status?: number | undefined;
}

export type ModelAnswer =
  | { readonly kind: 'loaded'; readonly facts: ModelFacts }
  | { readonly kind: 'done'; readonly usage: Usage }
  | { readonly kind: 'embedded'; readonly vectors: Float32Array<ArrayBuffer>[] }
  | { readonly kind: 'counted'; readonly counts: number[] }
  | { readonly kind: 'failed'; readonly failure: SentFailure };

export type ModelResponse =
  | ({ readonly id: number } & ModelAnswer)
  | { readonly id: number; readonly kind: 'progress'; readonly progress: LoadProgress }
  | { readonly id: number; readonly kind: 'piece'; readonly text: string }
  | { readonly kind: 'lost'; readonly failure: SentFailure };

/*
 * A worker that the browser terminates, e.g. to free memory, sends no event. It holds a lock for its lifetime, so whoever
 * acquires that lock next knows that the worker is gone.
 */

let last = 0;

/** A lock name for a new worker, unique across tabs; null if locks are unavailable (no TLS). */
export const newLivenessLock = (): string | null => {
  if (globalThis.navigator?.locks === undefined) return null;
  last += 1;
  return `coppice-model-worker ${performance.timeOrigin} ${Math.random()} ${last}`;
};

/** In the worker: resolves once it holds the lock, or is refused it, as the page is too where site data is blocked. */
export const holdLivenessLock = (name: string): Promise<void> =>
  new Promise((held) => {
    navigator.locks
      .request(name, () => {
        held();
        return new Promise<never>(() => undefined);
      })
      .catch(() => held());
  });

/** In the page: calls `onGone` when the worker is gone, until the signal is aborted. */
export const onWorkerExit = (name: string, signal: AbortSignal, onGone: () => void): void => {
  navigator.locks.request(name, { signal }, onGone).catch(() => undefined);
};

const { port1, port2 } = new MessageChannel();
const waiting: (() => void)[] = [];
port1.onmessage = () => waiting.shift()?.();

/**
 * Lets a worker receive pending messages, above all an abort: a WASM model goes from one piece of work to the next without ever
 * yielding to the event loop. (A timer would also do, but waits 4 ms.)
 */
export const flushMessages = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    port2.postMessage(null);
  });
