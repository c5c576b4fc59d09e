/** Turns a stored entry of one version into one of the next. Its input has not been parsed: it must not trust it. */
export type Migration = (entry: Record<string, unknown>) => Record<string, unknown>;

/**
 * `MIGRATIONS[n - 1]` leads from version n of the log's format to n + 1. A stored or exported entry is
 * migrated when it is read, never rewritten: the log is append-only.
 */
export const MIGRATIONS: readonly Migration[] = [];
