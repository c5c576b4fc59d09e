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
import type { Usage } from '../../../domain/generation.ts';
import type { ModelFailureKind } from '../../../engine/model-failure.ts';
import type { LoadProgress } from '../runtime.ts';
import type { GenerationRequest } from '../text-generator.ts';

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
  /** Whether its token counts are estimates. */
  readonly estimates: boolean;
  /** Floats in a vector; null if it does not embed. */
  readonly dimensions: number | null;
}

export interface SentFailure {
  readonly kind: ModelFailureKind;
  readonly message: string;
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
