import type { StoredModel } from '../../app/model-control.ts';
import type { ModelFailureKind } from '../../engine/model-failure.ts';

/**
 * Model files on this machine, by model and URL. Interrupted downloads resume, in this tab or a later one. Implemented on the
 * origin private file system.
 */
export interface ModelFiles {
  /**
   * Returns the file, from this machine if complete, otherwise downloaded. Two calls for one file share one download. Rejects
   * with a ModelFailure (`unreachable`, `cors`, `not-found`, `download-interrupted`, `storage-full`, `corrupt`, …) or the
   * signal's reason; what was received is kept.
   */
  get(file: ModelFile, options: GetOptions): Promise<Blob>;
  /** Returns the file if it is complete on this machine; never uses the network. */
  kept(url: string): Promise<Blob | null>;
  /** Stores a file from the user, under a URL of the form `own:<model>/<path>`. */
  keep(model: ModelRef, url: string, blob: Blob): Promise<void>;
  /** Every model with stored files. */
  list(): Promise<readonly StoredModel[]>;
  remove(modelKey: string): Promise<void>;
}

/** The model that a file belongs to: `specKey` and display name. */
export interface ModelRef {
  readonly key: string;
  readonly name: string;
}

export interface ModelFile {
  readonly model: ModelRef;
  readonly url: string;
  /** Hex; checked once the file is complete. null relies on the server (the length, and the hash if it sends one or a hub lists one). */
  readonly sha256: string | null;
}

export interface GetOptions {
  readonly signal: AbortSignal;
  /** Bytes of this file received so far, and its size if the server reported it. */
  onProgress?(loaded: number, total: number | null): void;
}

/*
 * The model store in its worker.
 *
 *   page ── StoreRequest {id} ──▶ worker     `open` first, once; then any number of others
 *   page ── abort {id} ─────────▶ worker     ends a download; what was received is kept
 *   page ◀─ StoreAnswer {id} ─── worker      exactly one per request (none for an abort)
 *   all  ◀─ StoreProgress ────── worker      on the broadcast channel: other tabs may wait for the same file
 */

/** Null where site data is blocked and the browser refuses channels with it: downloads then show no progress. */
export const progressChannel = (): BroadcastChannel | null => {
  try {
    return new BroadcastChannel('coppice-model-files');
  } catch {
    return null;
  }
};

export interface StoreOptions {
  /** Folder in the origin's private file system. */
  readonly folder: string;
  /** Milliseconds before each retry after a broken connection. */
  readonly retryAfter: readonly number[];
  /** Milliseconds without data after which the connection counts as broken. */
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
  /** Result of `open`. */
  | { readonly kind: 'opened'; readonly fleeting: string | null }
  /** Result of `get` and `kept`. */
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
