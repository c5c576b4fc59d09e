import * as z from 'zod/mini';
import type { TitledLog } from '../../../app/conversations.ts';
import {
  type JsonSource,
  malformedLine,
  type ParseResult,
  parseFailure,
  parseSuccess,
  readJson,
  unexpected,
} from '../../../app/json-source.ts';
import { PROVENANCE } from '../../../app/provenance.ts';
import { apply, fold } from '../../../domain/apply.ts';
import { type Entry, LOG_VERSION, parseEntry } from '../../../domain/entry.ts';
import { expectationOf } from '../../../domain/expectation.ts';
import { emptyForest } from '../../../domain/forest.ts';
import { violations } from '../../../domain/invariants.ts';
import { errorMessage } from '../../../engine/model-failure.ts';
import { has } from './source.ts';

/** Version of the file format: its header and its order; 1 if no files follow the log. The entries carry the version of the log's format. */
const FILE_VERSION = 2;

const Versioned = z.object({ coppice: z.literal('conversation'), version: z.int().check(z.positive()) });
const Header = z.object({
  title: z.string(),
  exportedAt: z.number(),
  /** Number of entries that follow, so that a truncated file is detected. */
  entries: z.int().check(z.nonnegative()),
});

/** The line above the entries. */
const logHeader = (title: string, entries: number, exportedAt: number, files: number) => ({
  coppice: 'conversation',
  version: files === 0 ? 1 : FILE_VERSION,
  title,
  exportedAt,
  entries,
  madeBy: PROVENANCE,
});

/** A conversation as a file, line by line; `files`: its attachments as data URLs, by id. */
export function* logLines(
  title: string,
  entries: readonly Entry[],
  exportedAt: number,
  files: ReadonlyMap<string, string> = new Map(),
): Generator<string> {
  yield JSON.stringify(logHeader(title, entries.length, exportedAt, files.size));
  for (const entry of entries) yield JSON.stringify(entry);
  for (const [file, data] of files) yield JSON.stringify({ file, data });
}

/** An attached file, placed after the log: its SHA-256 in hex, and its bytes as a data URL. */
const FileLine = z.object({
  file: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  data: z.string().check(z.regex(/^data:/)),
});

/** Whether a text starts like an export, without parsing it. */
export const isLogText = (text: string): boolean => text.startsWith('{"coppice":');

/** Entries between two progress reports. */
const TOLD_EVERY = 5000;

/** Reads an export and verifies that its log yields a valid forest. `tell`: the share read so far, 0–1, called now and then. */
export const readLog = (text: string, tell: (share: number) => void = () => undefined): ParseResult<TitledLog> => {
  const json = readJson(text);
  return json.ok ? readLines(json.value, tell) : json;
};

const readLines = (source: JsonSource, tell: (share: number) => void): ParseResult<TitledLog> => {
  const [first, ...all] = source.items;
  const lines = all.filter((line) => !has(line, 'file'));
  const versioned = Versioned.safeParse(first);
  if (!versioned.success) return unexpected(source, below(0, expectationOf(versioned.error)));
  if (versioned.data.version > FILE_VERSION) return newer(1);
  const header = Header.safeParse(first);
  if (!header.success) return unexpected(source, below(0, expectationOf(header.error)));

  const entries: Entry[] = [];
  for (const [index, line] of lines.entries()) {
    if (index % TOLD_EVERY === TOLD_EVERY - 1) tell(index / lines.length);
    const parsed = parseEntry(line);
    if (!parsed.ok && parsed.kind === 'newer-version') return newer(index + 2);
    if (!parsed.ok) return unexpected(source, below(index + 1, parsed.expectation));
    if (parsed.entry.seq !== index + 1) {
      return unexpected(source, { path: [index + 1, 'seq'], text: `"seq" to be ${index + 1}` });
    }
    entries.push(parsed.entry);
  }
  const expected = header.data.entries;
  if (entries.length !== expected) {
    return malformedLine(source.lineOf([0]), `expected ${expected} entries to follow, found ${entries.length}`);
  }
  const flaw = flawIn(entries);
  if (flaw !== null) {
    return malformedLine(source.lineOf([flaw.seq]), `expected an entry that fits those before it: ${flaw.why}`);
  }
  const files = new Map<string, string>();
  for (const line of all) {
    const parsed = FileLine.safeParse(line);
    if (parsed.success) files.set(parsed.data.file, parsed.data.data);
  }
  const { title } = header.data;
  return parseSuccess({ title, entries, ...(files.size > 0 && { files }) });
};

const below = (index: number, { path, text }: { path: readonly PropertyKey[]; text: string }) => ({
  path: [index, ...path],
  text,
});

const newer = (line: number): ParseResult<never> =>
  parseFailure(
    line,
    `Line ${line}: this file was exported by a newer Coppice (this one reads file version ${FILE_VERSION}, log version ${LOG_VERSION}). Reload the page to update, then import it again.`,
  );

/** The first entry after which the forest is invalid, and the rule it broke. */
const flawIn = (entries: readonly Entry[]): { seq: number; why: string } | null => {
  const forest = emptyForest();
  for (const entry of entries) {
    try {
      apply(forest, entry);
    } catch (error) {
      return { seq: entry.seq, why: errorMessage(error) };
    }
  }
  if (violations(forest).length === 0) return null;
  // Checking walks the whole forest, so bisect the log instead of checking after every entry.
  let [sound, flawed] = [0, entries.length];
  while (flawed - sound > 1) {
    const middle = Math.floor((sound + flawed) / 2);
    if (violations(fold(entries, middle)).length === 0) sound = middle;
    else flawed = middle;
  }
  return { seq: flawed, why: violations(fold(entries, flawed))[0] ?? 'the forest is not valid' };
};
