import * as z from 'zod/mini';
import { Entry } from './events.ts';
import { type Expectation, expectationOf } from './expectation.ts';
import { MIGRATIONS, type Migration } from './migrations.ts';

export type ParsedEntry =
  | { readonly ok: true; readonly entry: Entry }
  | { readonly ok: false; readonly kind: 'newer-version'; readonly version: number }
  | { readonly ok: false; readonly kind: 'damaged'; readonly expectation: Expectation };

const Versioned = z.looseObject({ v: z.int().check(z.positive()) });

/** Parses an entry of the log from a stored row or a line of a file, through the migrations it needs. */
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
