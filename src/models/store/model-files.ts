import type { ModelFailureKind } from '../../engine/model-failure.ts';
import type { StoredModel } from '../runtimes/runtime.ts';

/**
 * Files of models on this machine, by the model they belong to and their address. Downloads go on from where they
 * broke off, in this tab or a later one. Implemented over the origin's private file system.
 */
export interface ModelFiles {
  /**
   * The file, from this machine if it is there whole, else downloaded. Two calls for one file share one download. Rejects with a
   * ModelFailure (`unreachable`, `cors`, `not-found`, `download-interrupted`, `storage-full`, `corrupt`, …), or with
   * the signal's reason; what came is kept.
   */
  get(file: ModelFile, options: GetOptions): Promise<Blob>;
  /** The file if it is on this machine whole; never asks the network. */
  kept(url: string): Promise<Blob | null>;
  /** Keeps a file that the person gave, under an address of the form `own:<model>/<path>`. */
  keep(model: ModelRef, url: string, blob: Blob): Promise<void>;
  /** Every model of which something is kept. */
  list(): Promise<readonly StoredModel[]>;
  remove(modelKey: string): Promise<void>;
}

/** The model that a file belongs to, as `specKey` and for people. */
export interface ModelRef {
  readonly key: string;
  readonly name: string;
}

export interface ModelFile {
  readonly model: ModelRef;
  readonly url: string;
  /** Hex; checked when the file is whole. null: the server's own word (its length, and its hash where it sends one or a hub lists one). */
  readonly sha256: string | null;
}

export interface GetOptions {
  readonly signal: AbortSignal;
  /** Bytes of this file that are here, and of the whole file where the server told. */
  onProgress?(loaded: number, total: number | null): void;
}

/*
 * The model store in its worker.
 *
 *   page ── StoreRequest {id} ──▶ worker     `open` first, once; then whatever, as much as one likes
 *   page ── abort {id} ─────────▶ worker     ends a download; what came is kept
 *   page ◀─ StoreAnswer {id} ─── worker      exactly one for each request (an abort has none of its own)
 *   all  ◀─ StoreProgress ────── worker      on the broadcast channel: other tabs may wait for the same file
 */
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
