import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Entry, LOG_VERSION, MIGRATIONS, parseEntry } from './entry.ts';

const entry: Entry = {
  v: 1,
  seq: 1,
  at: 1_700_000_000_001,
  step: 's1',
  event: { type: 'conversation-titled', title: 'title 1' },
};

test('there is a migration from every version of the log to the next', () => {
  expect(MIGRATIONS).toHaveLength(LOG_VERSION - 1);
});

test('an entry of this version is parsed as it is', () => {
  expect(parseEntry({ ...entry, conversationId: 'a' })).toEqual({ ok: true, entry });
});

test('an older entry goes through each migration from its version on, a newer one through none', () => {
  // A log format two versions ahead, which renamed `at` and then switched it to seconds.
  const V3 = z.object({ v: z.literal(3), seq: z.number(), seconds: z.number() });
  const migrations = [
    ({ at, ...rest }: Record<string, unknown>) => ({ ...rest, v: 2, seconds: at }),
    (entry: Record<string, unknown>) => ({ ...entry, v: 3, seconds: Number(entry.seconds) / 1000 }),
  ];
  // biome-ignore lint/suspicious/noExplicitAny: a made-up format stands in for one that does not exist yet
  const parse = (raw: unknown) => parseEntry(raw, migrations, V3 as any);
  expect(parse({ v: 1, seq: 1, at: 4000 })).toEqual({ ok: true, entry: { v: 3, seq: 1, seconds: 4 } });
  expect(parse({ v: 2, seq: 1, seconds: 4000 })).toEqual({ ok: true, entry: { v: 3, seq: 1, seconds: 4 } });
  expect(parse({ v: 3, seq: 1, seconds: 4 })).toEqual({ ok: true, entry: { v: 3, seq: 1, seconds: 4 } });
  expect(parse({ v: 4, seq: 1 })).toEqual({ ok: false, kind: 'newer-version', version: 4 });
  expect(parse({ v: 1, seq: 1, at: 'noon' })).toMatchObject({ ok: false, kind: 'damaged' });
});

test.each([
  [{ seq: 1 }, '"v" to be a number'],
  ['entry', 'this to be an object'],
  [{ ...entry, at: 'noon' }, '"at" to be a number'],
  [{ ...entry, event: { type: 'activated' } }, '"nodeId" to be a string'],
  [{ ...entry, event: { type: 'exploded' } }, '"type" to be of a known kind'],
  [{ ...entry, seq: 0 }, '"seq" to be at least 0'],
])('what is wrong with %j is said', (raw, text) => {
  expect(parseEntry(raw)).toMatchObject({
    ok: false,
    kind: 'damaged',
    expectation: { text: expect.stringContaining(text) },
  });
});
