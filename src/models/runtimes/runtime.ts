import type { Embedder } from '../../engine/ports.ts';
import type { TextGenerator } from './text-generator.ts';

/** How far a download has come. */
export interface LoadProgress {
  /** `preparing`: downloaded, on its way into memory or onto the GPU. */
  readonly phase: 'downloading' | 'preparing';
  /** Bytes. What was on this machine already counts as come. */
  readonly loaded: number;
  /** Bytes; null while it is not known. 1 where only the share that has come is told (the browser’s own model). */
  readonly total: number | null;
}

export interface LoadOptions {
  /** Aborted: the load rejects with the signal's reason, and what was downloaded is kept to go on from. */
  readonly signal: AbortSignal;
  onProgress(progress: LoadProgress): void;
  /**
   * The model failed by itself after it was loaded (device lost, worker died). It is of no use any more; the
   * next use loads it again.
   */
  onLost(error: Error): void;
}

/** An embedder that holds memory or a worker of its own. */
export interface LoadedEmbedder extends Embedder {
  close(): void;
}

/** What runs models of one kind. A load rejects with a ModelFailure and leaves nothing half loaded behind. */
export interface Runtime<Spec> {
  loadGenerator?(spec: Spec, options: LoadOptions): Promise<TextGenerator>;
  loadEmbedder?(spec: Spec, options: LoadOptions): Promise<LoadedEmbedder>;
  /** What of its models is kept on this machine. */
  stored?(): Promise<readonly StoredModel[]>;
  /** Deletes what is kept of a model. */
  remove?(key: string): Promise<void>;
}

/** A model's files on this machine. */
export interface StoredModel {
  /** As `specKey` where the spec is known. */
  readonly key: string;
  readonly name: string;
  /** Bytes on this machine, and of the whole model; `total` is null while it is not known. */
  readonly bytes: number;
  readonly total: number | null;
}
