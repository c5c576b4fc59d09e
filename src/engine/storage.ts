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

/** Keeps logs, the list of conversations, and cached embeddings. Rejects with a StorageFailure. */
export interface Storage extends LessonStorage {
  /**
   * Appends entries whose `seq` follows the newest stored one, and the conversation's meta, in one
   * transaction. If other entries were stored meanwhile, stores nothing and returns them.
   */
  append(entries: readonly Entry[], meta: ConversationMeta): Promise<Conflict | null>;
  /**
   * Puts a whole log in place of the stored one, which is as long or shorter, and lets go of all embeddings and of what
   * the given turns taught. If other entries were stored meanwhile (the log is longer than `seen`), changes nothing
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
  /** Removes a conversation's log, meta, embeddings and lessons for good. */
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

export type StorageFailureKind = 'blocked' | 'full' | 'closed' | 'newer-version' | 'damaged' | 'unknown';

export class StorageFailure extends Error {
  readonly kind: StorageFailureKind;
  constructor(kind: StorageFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageFailure';
    this.kind = kind;
  }
}
