import type { Entry } from '../domain/entry.ts';
import type { Forest, NodeId } from '../domain/forest.ts';
import type { HandledCounts } from '../domain/handled-counts.ts';
import type { LessonStorage } from './place/lessons.ts';

/** Where a person keeps a conversation in the list: no part of what was said in it, so not of its log. */
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
  /** When it was deleted; it can be brought back until it is purged. */
  readonly deletedAt: number | null;
  /** Left out where nobody has put it anywhere. */
  readonly filing?: Filing | undefined;
}

const UNFILED: Filing = { pinned: false, archived: false, folder: null, tags: [] };

export const filingOf = ({ filing }: Pick<ConversationMeta, 'filing'>): Filing => filing ?? UNFILED;

/** A conversation after it was put elsewhere. */
export const filedAs = (meta: ConversationMeta, change: Partial<Filing>): ConversationMeta => ({
  ...meta,
  filing: { ...filingOf(meta), ...change },
});

/** The append to a log came too late: another tab was first. The entries it had not seen. */
interface Conflict {
  readonly missed: readonly Entry[];
}

/** What so many entries of a log come to. */
export interface KeptMoment {
  readonly count: number;
  readonly forest: Forest;
  readonly handled: HandledCounts;
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
  /** Removes what no conversation uses: one of them, or all that were kept before a time, but for some. */
  dropUnused(
    which: { readonly id: string } | { readonly before: number; readonly except?: ReadonlySet<string> },
  ): Promise<void>;
  /** How many files are kept, and their bytes. */
  blobsKept(): Promise<{ readonly files: number; readonly bytes: number }>;
}

/** What can be searched for in a part of a conversation, made of its log. Who asks for it parses the rest. */
export interface TextsRow {
  readonly conversationId: string;
  /** From 0 on. */
  readonly part: number;
  /** The newest entry that it was made of. */
  readonly seq: number;
  readonly [field: string]: unknown;
}

/** What is searched, beside the logs: a copy, which whoever changes a log throws away in the same transaction. */
export interface TextStorage {
  /** Conversations of which the first part is kept, which is to be saved after all others. */
  textsKept(): Promise<string[]>;
  /** Parts of conversations, by both; undefined where there is none. */
  readTexts(parts: readonly (readonly [conversationId: string, part: number])[]): Promise<(TextsRow | undefined)[]>;
  /** Keeps a part, or says false where its log has gone on meanwhile, or none are kept here. */
  saveTexts(row: TextsRow): Promise<boolean>;
}

/** Something of a study as it is kept. Who asks for it parses the rest. */
export interface StudyRow {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** A label of a study as it is kept. */
export interface StudyEventRow extends StudyRow {
  /** The id of the study. */
  readonly study: string;
}

/** Studies that were opened or made here, and the labels of all who label them. */
export interface StudyStorage {
  studies(): Promise<readonly StudyRow[]>;
  /** In place of the row of the same id. */
  saveStudy(row: StudyRow): Promise<void>;
  removeStudy(id: string): Promise<void>;
  /** The events of a study, in no order. */
  studyEvents(study: string): Promise<readonly StudyEventRow[]>;
  /** Adds those that are not there yet, by their ids, and says how many that were. */
  addStudyEvents(events: readonly StudyEventRow[]): Promise<number>;
  removeStudyEvents(ids: readonly string[]): Promise<void>;
}

/** About how many bytes are kept, by what they are for. */
export interface StorageUse {
  readonly logs: number;
  /** Copies from which long conversations open sooner. */
  readonly opening: number;
  /** Copies that are searched. */
  readonly search: number;
  readonly vectors: number;
  readonly files: number;
  readonly studies: number;
}

/** What can be removed at any time. */
export type ClearedKind = 'opening' | 'search' | 'vectors';

/** Keeps logs, the list of conversations, files that came with messages, and cached embeddings. Rejects with a StorageFailure. */
export interface Storage extends LessonStorage, BlobStorage, StudyStorage, TextStorage {
  /**
   * Appends entries whose `seq` follows the newest stored one, and the conversation's meta, in one
   * transaction. If other entries were stored meanwhile, stores nothing and returns them. Where the conversation is
   * filed stays as it is stored: `meta` says so only for one that is not there yet.
   */
  append(entries: readonly Entry[], meta: ConversationMeta): Promise<Conflict | null>;
  /**
   * Puts a whole log in place of the stored one, which is as long or shorter, and lets go of all embeddings, of files that it
   * no longer names, and of what the given turns taught; it stays filed where it is. If other entries were stored meanwhile (the log is longer than `seen`), changes nothing
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
  /**
   * Packs what is stored of a long log, so that the whole of it is read sooner. Asks `goOn` before each part: that resolves
   * when there is time for it, to false where it is to end.
   */
  pack(conversationId: string, goOn: () => Promise<boolean>): Promise<void>;
  /** A whole log, and of a long one a moment that was kept beside it; null where there is none, or any doubt about it. */
  open(conversationId: string): Promise<{ readonly entries: readonly Entry[]; readonly kept: KeptMoment | null }>;
  /** Keeps a moment of a packed log to open it from, in place of the one before, as `pack` does. The forest must be settled. */
  keepMoment(conversationId: string, moment: KeptMoment, goOn: () => Promise<boolean>): Promise<void>;
  /**
   * Compresses what is stored of a log that is not written to at present, as `pack` does. It stays what counts; rejects where it is damaged.
   */
  compress(conversationId: string, goOn: () => Promise<boolean>): Promise<void>;
  /** What takes how much, told as it is counted. Rejects as the signal fires. */
  measure(onPart: (use: StorageUse) => void, signal: AbortSignal): Promise<StorageUse>;
  /** Removes copies, which are made again when they are needed. */
  clear(kind: ClearedKind): Promise<void>;
  /** Most recently updated first, deleted ones included. */
  conversations(): Promise<ConversationMeta[]>;
  /** One of them, deleted or not. */
  conversation(id: string): Promise<ConversationMeta | undefined>;
  saveMeta(meta: ConversationMeta): Promise<void>;
  /** Files conversations elsewhere, all at once. One that is not there is passed over. */
  file(ids: readonly string[], change: Partial<Filing>): Promise<void>;
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
