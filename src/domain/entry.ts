import * as z from 'zod/mini';
import type { Attachment } from './attachment.ts';
import { Id, Time } from './decision.ts';
import { Event } from './event-kinds.ts';
import { type Expectation, expectationOf } from './expectation.ts';

/** The newest version of the log format. Changing an event's meaning raises it and adds a migration. */
export const LOG_VERSION = 1;

/** An event at its position in the log. */
export const Entry = z.object({
  v: z.literal(LOG_VERSION),
  /** Position in the conversation's log, from 1, without gaps. */
  seq: z.int().check(z.positive()),
  at: Time,
  /** The undo step it belongs to; null for what is not undone on its own (streamed text, summaries, undo). */
  step: z.nullable(Id),
  event: Event,
});
export type Entry = z.infer<typeof Entry>;

/** Returns the files that a log names. Purged messages name none. */
export const attachmentsIn = (entries: readonly Pick<Entry, 'event'>[]): Attachment[] =>
  entries.flatMap(({ event }) => (event.type === 'message-sent' ? (event.attachments ?? []) : []));

/** Returns the ids of those whose bytes are stored beside the log, without duplicates. */
export const attachmentIds = (entries: readonly Pick<Entry, 'event'>[]): Set<string> =>
  new Set(attachmentsIn(entries).flatMap(({ id }) => id ?? []));

export type ParsedEntry =
  | { readonly ok: true; readonly entry: Entry }
  | { readonly ok: false; readonly kind: 'newer-version'; readonly version: number }
  | { readonly ok: false; readonly kind: 'damaged'; readonly expectation: Expectation };

const Versioned = z.looseObject({ v: z.int().check(z.positive()) });

/** Parses a log entry from a stored row or a line of a file, applying the migrations it needs. */
export const parseEntry = (
  raw: unknown,
  migrations: readonly Migration[] = MIGRATIONS,
  schema = Entry,
): ParsedEntry => {
  const newest = migrations.length + 1;
  const versioned = Versioned.safeParse(raw);
  if (!versioned.success) return { ok: false, kind: 'damaged', expectation: expectationOf(versioned.error) };
  const { v } = versioned.data;
  if (v > newest) return { ok: false, kind: 'newer-version', version: v };

  let migrated: Record<string, unknown> = versioned.data;
  for (const migrate of migrations.slice(v - 1)) migrated = migrate(migrated);
  const parsed = schema.safeParse(migrated);
  return parsed.success
    ? { ok: true, entry: parsed.data }
    : { ok: false, kind: 'damaged', expectation: expectationOf(parsed.error) };
};

/** Converts a stored entry from one version to the next. Its input has not been parsed, so it must not trust it. */
export type Migration = (entry: Record<string, unknown>) => Record<string, unknown>;

/**
 * `MIGRATIONS[n - 1]` converts version n of the log format to n + 1. A stored or exported entry is migrated on reading,
 * never rewritten: the log is append-only.
 */
export const MIGRATIONS: readonly Migration[] = [];
