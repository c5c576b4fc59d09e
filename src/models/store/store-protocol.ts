/*
 * The model store in its worker.
 *
 *   page ── StoreRequest {id} ──▶ worker     `open` first, once; then whatever, as much as one likes
 *   page ── abort {id} ─────────▶ worker     ends a download; what came is kept
 *   page ◀─ StoreAnswer {id} ─── worker      exactly one for each request (an abort has none of its own)
 *   all  ◀─ StoreProgress ────── worker      on the broadcast channel: other tabs may wait for the same file
 */
import type { ModelFailureKind } from '../../engine/model-failure.ts';
import type { StoredModel } from '../runtimes/runtime.ts';
import type { ModelFile, ModelRef } from './model-files.ts';

export const PROGRESS_CHANNEL = 'coppice-model-files';

export interface StoreOptions {
  /** Folder in the origin's private file system. */
  readonly folder: string;
  /** Milliseconds before each further try after the line broke. */
  readonly retryAfter: readonly number[];
  /** Milliseconds without a byte after which the line counts as broken. */
  readonly stalledAfter: number;
}

export type StoreTask =
  | { readonly kind: 'open'; readonly options: StoreOptions }
  | { readonly kind: 'get'; readonly file: ModelFile }
  | { readonly kind: 'kept'; readonly url: string }
  | { readonly kind: 'keep'; readonly model: ModelRef; readonly url: string; readonly blob: Blob }
  | { readonly kind: 'list' }
  | { readonly kind: 'remove'; readonly modelKey: string };

export type StoreRequest = { readonly id: number } & (StoreTask | { readonly kind: 'abort' });

export type StoreResult =
  /** Of `open`. */
  | { readonly kind: 'opened'; readonly fleeting: string | null }
  /** Of `get` and `kept`. */
  | { readonly kind: 'file'; readonly blob: Blob | null }
  | { readonly kind: 'models'; readonly models: readonly StoredModel[] }
  | { readonly kind: 'done' }
  | {
      readonly kind: 'failed';
      readonly failure: ModelFailureKind;
      readonly message: string;
      readonly status?: number | undefined;
    };

export type StoreAnswer = { readonly id: number } & StoreResult;

export interface StoreProgress {
  readonly folder: string;
  readonly url: string;
  readonly loaded: number;
  readonly total: number | null;
}
