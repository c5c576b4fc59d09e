import type { Usage } from '../../../domain/reply.ts';
import type { ModelFailureKind } from '../../../engine/model-failure.ts';
import type { GenerationRequest, LoadProgress } from '../runtime.ts';

/*
 * A model in a module worker of its own, whatever runs it.
 *
 *   page ── ModelRequest {id} ──▶ worker     first `load`, once; then `generate`, `embed` and `count`, as many as one likes
 *   page ◀─ ModelResponse {id} ── worker     `progress` and `piece` as they come, then exactly one last answer to each request
 *   page ── abort {id} ─────────▶ worker     the request ends soon, with `done` (generate) or `failed` of kind `closed`
 *   page ◀─ lost ───────────────── worker    the model is gone (device lost); nothing more is answered
 *
 * The worker does one request after the other. Failures cross as kind and words, never as thrown things. A worker that
 * does not answer an abort in time, or dies (with an error, or without a word), is terminated by the page (model-worker.ts), and a load starts another.
 */

export type SentGeneration = Omit<GenerationRequest, 'onUsage'>;

export type ModelTask<Spec> =
  /** `alive`: a lock that the worker holds as long as it lives (worker-life.ts); null where there are no locks. */
  { readonly kind: 'load'; readonly spec: Spec; readonly alive: string | null } | UseTask;

/** What is asked of a model that is loaded. */
export type UseTask =
  | { readonly kind: 'generate'; readonly request: SentGeneration }
  | { readonly kind: 'embed'; readonly texts: readonly string[] }
  | { readonly kind: 'count'; readonly texts: readonly string[] };

export type ModelRequest<Spec> =
  | ({ readonly id: number } & ModelTask<Spec>)
  | { readonly id: number; readonly kind: 'abort' };

/** What a loaded model is. */
export interface ModelFacts {
  readonly name: string;
  /** Tokens of prompt and answer together. */
  readonly window: number;
  /** It takes pictures; left out where it does not. */
  readonly sees?: boolean;
  /** Whether its token counts are estimates. */
  readonly estimates: boolean;
  /** Floats in a vector; null if it does not embed. */
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
 * A worker that the browser ends, for memory say, tells nobody. It holds a lock as long as it lives: whoever is given
 * that lock after it knows that it is gone.
 */

let last = 0;

/** A name for the lock of a new worker, of its own among all tabs; null where there are no locks (no TLS). */
export const lifeName = (): string | null => {
  if (globalThis.navigator?.locks === undefined) return null;
  last += 1;
  return `coppice-model-worker ${performance.timeOrigin} ${Math.random()} ${last}`;
};

/** In the worker: resolves once it holds the lock. */
export const liveBy = (name: string): Promise<void> =>
  new Promise((held, reject) => {
    navigator.locks
      .request(name, () => {
        held();
        return new Promise<never>(() => undefined);
      })
      .catch(reject);
  });

/** In the page: tells when the worker is gone, until the signal is aborted. */
export const watchLife = (name: string, signal: AbortSignal, onGone: () => void): void => {
  navigator.locks.request(name, { signal }, onGone).catch(() => undefined);
};

const { port1, port2 } = new MessageChannel();
const waiting: (() => void)[] = [];
port1.onmessage = () => waiting.shift()?.();

/**
 * Lets a worker hear what it was sent meanwhile, an abort above all: a model in WASM goes from one piece of work to the next
 * without ever coming to rest. (A timer would do, too, but waits 4 ms.)
 */
export const otherMessages = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    port2.postMessage(null);
  });
