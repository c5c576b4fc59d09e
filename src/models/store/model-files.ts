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
