import type { ImportFailure } from '../../../engine/ports.ts';

/** Something read, or why it could not be. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: ImportFailure };

export const got = <T>(value: T): Read<T> => ({ ok: true, value });

export const failed = (kind: ImportFailure['kind'], line: number | null, message: string): Read<never> => ({
  ok: false,
  failure: { kind, line, message },
});

/** A file that is of a known form but not sound. `what` reads on after "Line 7: ". */
export const broken = (line: number, what: string): Read<never> => failed('broken', line, `Line ${line}: ${what}.`);
