import * as z from 'zod/mini';
import { BranchAction, TopicAction } from '../domain/decision.ts';
import { type Entry, LOG_VERSION } from '../domain/events.ts';
import { parseEntry } from '../domain/parse-entry.ts';
import type { Lesson } from '../engine/place/lessons.ts';
import { type ConversationMeta, StorageFailure } from '../engine/ports.ts';

/** An entry as it is stored: the entry itself and whose it is. */
export type EntryRow = Entry & { readonly conversationId: string };

export interface VectorRow {
  readonly model: string;
  readonly hash: string;
  readonly vector: Float32Array;
}

/** A lesson as it is stored. */
export type LessonRow = Lesson;

/** Something that the person has set, for all conversations. Who asks for it parses the value. */
export interface SettingRow {
  readonly name: string;
  readonly value: unknown;
}

const Facts = z.record(z.string(), z.number());

const LessonSchema = z
  .object({
    conversationId: z.string(),
    nodeId: z.string(),
    question: z.enum(['topic', 'branch']),
    by: z.enum(['correction', 'confirmation']),
    at: z.number(),
    message: Facts,
    choices: z.array(z.object({ action: z.union([TopicAction, BranchAction]), base: z.number(), facts: Facts })),
    right: z.int().check(z.nonnegative()),
  })
  .check(z.refine(({ choices, right }) => right < choices.length));

const Meta = z.object({
  id: z.string(),
  title: z.string(),
  turns: z.number(),
  createdAt: z.number(),
  updatedAt: z.number(),
  deletedAt: z.nullable(z.number()),
});

/** Parses the rows that follow `afterSeq`. Throws a StorageFailure that names the conversation and the row. */
export const parseEntries = (conversationId: string, rows: readonly unknown[], afterSeq: number): Entry[] =>
  rows.map((row, index) => {
    const seq = afterSeq + 1 + index;
    const parsed = parseEntry(row);
    if (parsed.ok && parsed.entry.seq === seq) return parsed.entry;
    if (!parsed.ok && parsed.kind === 'newer-version') throw newerEntry(conversationId, seq, parsed.version);
    const why = parsed.ok ? `entry ${seq} is missing` : `entry ${seq}: expected ${parsed.expectation.text}`;
    throw new StorageFailure(
      'damaged',
      `The stored conversation ${conversationId} is damaged (${why}). Open another conversation, or import it again from an export.`,
    );
  });

const newerEntry = (conversationId: string, seq: number, version: number): StorageFailure =>
  new StorageFailure(
    'newer-version',
    `Conversation ${conversationId} was continued by a newer Coppice (entry ${seq} has version ${version}; this one reads up to ${LOG_VERSION}). Reload the page to get the newer one.`,
  );

/**
 * Parses a row of the list of conversations. A damaged one is listed under what is known of it, so that it
 * can be opened (all but its place in the list stands in the log), and the others are not lost with it.
 */
export const parseMeta = (id: string, row: unknown): ConversationMeta => {
  const parsed = Meta.safeParse(row);
  if (parsed.success) return parsed.data;
  return { id, title: 'Damaged conversation', turns: 0, createdAt: 0, updatedAt: 0, deletedAt: null };
};

/** The lessons that can be read, oldest first. A damaged one teaches nothing, and nothing is lost but that. */
export const parseLessons = (rows: readonly unknown[]): Lesson[] =>
  rows
    .flatMap((row) => {
      const parsed = LessonSchema.safeParse(row);
      return parsed.success ? [parsed.data] : [];
    })
    .sort((a, b) => a.at - b.at);

/** A cached vector; a damaged one counts as not cached and is computed again. */
export const parseVector = (row: unknown): Float32Array | undefined => {
  const vector = (row as Partial<VectorRow> | undefined)?.vector;
  return vector instanceof Float32Array ? vector : undefined;
};
