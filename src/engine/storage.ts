import type { Entry } from '../domain/entry.ts';
import type { Forest, NodeId } from '../domain/forest.ts';
import type { HandledCounts } from '../domain/handled-counts.ts';
import type { LessonStorage } from './lessons.ts';

/** How a person files a conversation in the list: no part of what was said, so not part of its log. */
export interface Filing {
  readonly pinned: boolean;
  readonly archived: boolean;
  readonly folder: string | null;
  readonly tags: readonly string[];
}

/** A conversation in the list; everything else about it is in its log. */
export interface ConversationMeta {
  readonly id: string;
  readonly title: string;
  readonly turns: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it was deleted; it can be restored until it is purged. */
  readonly deletedAt: number | null;
  /** Absent if nobody has filed it. */
  readonly filing?: Filing | undefined;
}

const UNFILED: Filing = { pinned: false, archived: false, folder: null, tags: [] };

export const filingOf = ({ filing }: Pick<ConversationMeta, 'filing'>): Filing => filing ?? UNFILED;

/** Returns a conversation with its filing changed. */
export const filedAs = (meta: ConversationMeta, change: Partial<Filing>): ConversationMeta => ({
  ...meta,
  filing: { ...filingOf(meta), ...change },
});

/**
 * What is stored of a conversation along with its log. Where it is filed and whether it is deleted may have been changed
 * by another tab: `filing` applies only to a new conversation, and `deletedAt` stays as stored if it is undefined.
 */
export type AppendedMeta = Omit<ConversationMeta, 'deletedAt'> & { readonly deletedAt: number | null | undefined };

/** Returns the meta to store, given the stored one. */
export const appendedTo = (stored: ConversationMeta | undefined, meta: AppendedMeta): ConversationMeta => ({
  ...meta,
  deletedAt: meta.deletedAt === undefined ? (stored?.deletedAt ?? null) : meta.deletedAt,
  filing: stored === undefined ? meta.filing : stored.filing,
});

/** A log append lost to another tab. Holds the entries it had not seen. */
interface Conflict {
  readonly missed: readonly Entry[];
}

/** State after the first `count` entries of a log. */
export interface ForestSnapshot {
  readonly count: number;
  readonly forest: Forest;
  readonly handled: HandledCounts;
}

/** The bytes of files sent with messages, each stored once however often it is referenced. */
interface BlobStorage {
  /**
   * Stores blobs under the SHA-256 of their bytes, in hex, before the entries that name them are appended, which counts
   * as use. Unused ones stay until `dropUnused`.
   */
  saveBlobs(blobs: ReadonlyMap<string, Blob>): Promise<void>;
  /** undefined if there is none. */
  readBlob(id: string): Promise<Blob | undefined>;
  /** Removes unused files: a single one, or all that were stored before a time, with exceptions. */
  dropUnused(
    which: { readonly id: string } | { readonly before: number; readonly except?: ReadonlySet<string> },
  ): Promise<void>;
  /** Returns the number of stored files and their total bytes. */
  blobsKept(): Promise<{ readonly files: number; readonly bytes: number }>;
}

/** Searchable text of a part of a conversation, derived from its log. The caller parses the rest. */
export interface TextsRow {
  readonly conversationId: string;
  /** Counts from 0. */
  readonly part: number;
  /** The newest entry it was derived from. */
  readonly seq: number;
  readonly [field: string]: unknown;
}

/** Searchable copies beside the logs; whoever changes a log discards its copy in the same transaction. */
interface TextStorage {
  /** Returns the conversations whose first part is stored; that part must be saved after all others. */
  textsKept(): Promise<string[]>;
  /** Reads parts by conversation and part; undefined for a missing one. */
  readTexts(parts: readonly (readonly [conversationId: string, part: number])[]): Promise<(TextsRow | undefined)[]>;
  /** Stores a part; false if its log has moved on meanwhile, or no texts are stored here. */
  saveTexts(row: TextsRow): Promise<boolean>;
}

/** A stored record of a study. The caller parses the rest. */
export interface StudyRow {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** A stored label of a study. */
export interface StudyEventRow extends StudyRow {
  /** The id of the study. */
  readonly study: string;
}

/** Studies opened or created here, and the labels of all annotators. */
interface StudyStorage {
  studies(): Promise<readonly StudyRow[]>;
  /** Replaces the row with the same id. */
  saveStudy(row: StudyRow): Promise<void>;
  /** Replaces a row by what is made of it, unless another tab has removed it. Returns whether it was there. */
  changeStudy(id: string, change: (row: StudyRow) => StudyRow): Promise<boolean>;
  removeStudy(id: string): Promise<void>;
  /** Returns the events of a study, in no particular order. */
  studyEvents(study: string): Promise<readonly StudyEventRow[]>;
  /** Adds events whose ids are not stored yet, and returns how many there were. */
  addStudyEvents(events: readonly StudyEventRow[]): Promise<number>;
  removeStudyEvents(ids: readonly string[]): Promise<void>;
}

/** Approximate bytes stored, by purpose. */
export interface StorageUse {
  readonly logs: number;
  /** Copies that make long conversations open faster. */
  readonly opening: number;
  /** Copies for search. */
  readonly search: number;
  readonly vectors: number;
  readonly files: number;
  readonly studies: number;
}

/** What can be removed at any time. */
export type ClearedKind = 'opening' | 'search' | 'vectors';

/** Stores logs, the list of conversations, files sent with messages, and cached embeddings. Rejects with a StorageFailure. */
export interface Storage extends LessonStorage, BlobStorage, StudyStorage, TextStorage {
  /**
   * Appends entries whose `seq` follows the newest stored one, and the conversation's meta, in one transaction. If
   * other entries were stored meanwhile, stores nothing and returns them.
   */
  append(entries: readonly Entry[], meta: AppendedMeta): Promise<Conflict | null>;
  /**
   * Replaces the stored log, which may be damaged, with a whole one, and drops all embeddings, files that it no longer
   * names except those `spared`, and what the given turns taught. If other entries were stored meanwhile (the log is longer than
   * `seen`), changes nothing and returns them.
   */
  rewrite(
    entries: readonly Entry[],
    seen: number,
    meta: AppendedMeta,
    turns: readonly NodeId[],
    spared?: ReadonlySet<string>,
  ): Promise<Conflict | null>;
  /** Entries after `seq`, in order, parsed; at most `limit` of them. Migrates older formats. */
  read(conversationId: string, afterSeq?: number, limit?: number): Promise<Entry[]>;
  /**
   * Packs the stored form of a long log so that all of it is read faster. Awaits `goOn` before each part: it resolves
   * when there is time, to false to stop.
   */
  pack(conversationId: string, goOn: () => Promise<boolean>): Promise<void>;
  /** Returns a whole log and, for a long one, the moment stored beside it; null if there is none, or any doubt about it. */
  open(conversationId: string): Promise<{ readonly entries: readonly Entry[]; readonly kept: ForestSnapshot | null }>;
  /** Stores a moment of a packed log to open it from, replacing the previous one; `goOn` as in `pack`. The forest must be frozen. */
  keepMoment(conversationId: string, moment: ForestSnapshot, goOn: () => Promise<boolean>): Promise<void>;
  /**
   * Compresses the stored form of a log that is not being written to; `goOn` as in `pack`. It remains the authoritative
   * copy; rejects if it is damaged.
   */
  compress(conversationId: string, goOn: () => Promise<boolean>): Promise<void>;
  /** Measures what takes how much space, reporting as it counts. Rejects when the signal fires. */
  measure(onPart: (use: StorageUse) => void, signal: AbortSignal): Promise<StorageUse>;
  /** Removes copies, which are recreated when needed. */
  clear(kind: ClearedKind): Promise<void>;
  /** Returns all conversations, most recently updated first, deleted ones included. */
  conversations(): Promise<ConversationMeta[]>;
  /** Returns a conversation, deleted or not. */
  conversation(id: string): Promise<ConversationMeta | undefined>;
  /** Marks conversations as deleted at a time, or with null as not deleted, all at once. A missing one is skipped. */
  setDeleted(ids: readonly string[], at: number | null): Promise<void>;
  /** Changes the filing of conversations, all at once. A missing one is skipped. */
  file(ids: readonly string[], change: Partial<Filing>): Promise<void>;
  /**
   * Permanently removes a conversation's log, meta, embeddings and lessons, and files that no other one names, except
   * those `spared`. With `only`, one that is not deleted stays, because another tab may have just restored it; then it resolves to false.
   */
  purge(conversationId: string, only?: 'deleted', spared?: ReadonlySet<string>): Promise<boolean>;
  /** Cached vectors by content hash; undefined for a missing one. */
  readVectors(model: string, hashes: readonly string[]): Promise<(Float32Array | undefined)[]>;
  saveVectors(model: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
  /** A setting as saved, unparsed; undefined if there is none. */
  setting(name: string): Promise<unknown>;
  /** `value` may be anything that can be cloned. */
  saveSetting(name: string, value: unknown): Promise<void>;
  /** Bytes; null if the browser does not say. */
  estimate(): Promise<{ usage: number; quota: number } | null>;
  /** Requests that the data be kept when space runs short; true if it will be. */
  persist(): Promise<boolean>;
  /** Whether the data will be kept when space runs short. */
  persisted(): Promise<boolean>;
}

/** Unsent messages, by conversation, on this device. */
export interface Drafts {
  /** Empty if there is none. */
  read(conversationId: string): string;
  /** Saving an empty one removes it. */
  save(conversationId: string, text: string): void;
}

export type StorageFailureKind = 'blocked' | 'held-up' | 'full' | 'closed' | 'newer-version' | 'damaged' | 'unknown';

export class StorageFailure extends Error {
  readonly kind: StorageFailureKind;
  constructor(kind: StorageFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageFailure';
    this.kind = kind;
  }
}
