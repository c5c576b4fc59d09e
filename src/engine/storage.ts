import type { Entry } from '../domain/entry.ts';
import type { NodeId } from '../domain/forest.ts';
import type { LessonStorage } from './place/lessons.ts';

/** A conversation in the list; everything else about it is in its log. */
export interface ConversationMeta {
  readonly id: string;
  readonly title: string;
  readonly turns: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it was deleted; it can be brought back until it is purged. */
  readonly deletedAt: number | null;
}

/** The append to a log came too late: another tab was first. The entries it had not seen. */
interface Conflict {
  readonly missed: readonly Entry[];
}

/** The bytes of files that came with messages, each kept once however often it is named. */
export interface BlobStorage {
  /**
   * Keeps bytes by the SHA-256 of them, in hex: before the entries that name them are appended, which counts as their use. What
   * nobody uses stays until `dropUnused`.
   */
  saveBlobs(blobs: ReadonlyMap<string, Blob>): Promise<void>;
  /** undefined where there are none. */
  readBlob(id: string): Promise<Blob | undefined>;
  /** Removes what no conversation uses: one of them, or all that were kept before a time. */
  dropUnused(which: { readonly id: string } | { readonly before: number }): Promise<void>;
  /** How many files are kept, and their bytes. */
  blobsKept(): Promise<{ readonly files: number; readonly bytes: number }>;
}

/** Keeps logs, the list of conversations, files that came with messages, and cached embeddings. Rejects with a StorageFailure. */
export interface Storage extends LessonStorage, BlobStorage {
  /**
   * Appends entries whose `seq` follows the newest stored one, and the conversation's meta, in one
   * transaction. If other entries were stored meanwhile, stores nothing and returns them.
   */
  append(entries: readonly Entry[], meta: ConversationMeta): Promise<Conflict | null>;
  /**
   * Puts a whole log in place of the stored one, which is as long or shorter, and lets go of all embeddings, of files that it
   * no longer names, and of what the given turns taught. If other entries were stored meanwhile (the log is longer than `seen`), changes nothing
   * and returns them.
   */
  rewrite(
    entries: readonly Entry[],
    seen: number,
    meta: ConversationMeta,
    turns: readonly NodeId[],
  ): Promise<Conflict | null>;
  /** Entries after `seq`, in order, parsed; at most `limit` of them. Migrates older formats. */
  read(conversationId: string, afterSeq?: number, limit?: number): Promise<Entry[]>;
  /** Most recently updated first, deleted ones included. */
  conversations(): Promise<ConversationMeta[]>;
  saveMeta(meta: ConversationMeta): Promise<void>;
  /** Removes a conversation's log, meta, embeddings and lessons for good, and files that no other one names. */
  purge(conversationId: string): Promise<void>;
  /** Cached vectors by content hash; undefined where there is none. */
  readVectors(model: string, hashes: readonly string[]): Promise<(Float32Array | undefined)[]>;
  saveVectors(model: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
  /** A setting as it was saved, unparsed; undefined if there is none. */
  setting(name: string): Promise<unknown>;
  /** `value` may be whatever can be cloned. */
  saveSetting(name: string, value: unknown): Promise<void>;
  /** Bytes; null where the browser does not tell. */
  estimate(): Promise<{ usage: number; quota: number } | null>;
  /** Asks that the data be kept when space runs short; true if it will be. */
  persist(): Promise<boolean>;
}

/** Messages that are not sent yet, by conversation, on this device. */
export interface Drafts {
  /** Empty where there is none. */
  read(conversationId: string): string;
  /** An empty one is none. */
  save(conversationId: string, text: string): void;
}

export type StorageFailureKind = 'blocked' | 'full' | 'closed' | 'newer-version' | 'damaged' | 'unknown';

export class StorageFailure extends Error {
  readonly kind: StorageFailureKind;
  constructor(kind: StorageFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageFailure';
    this.kind = kind;
  }
}
