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
import { expectationOf, parsedJson } from '../../../domain/expectation.ts';
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

export const isLogFile = async (file: Blob): Promise<boolean> => isLogText(await file.slice(0, 100).text());

/** Entries between two progress reports. */
const TOLD_EVERY = 5000;

/** UTF-16 units of a log without its files: a little less than the longest string of an engine. */
const LONGEST_LOG = 500 * 1024 * 1024;

/**
 * Reads an export from its file, which may be larger than any string: its attached files are passed to `keep` one at a time.
 * Those that are damaged are left out. `tell`: as below.
 */
export const readLogFile = async (
  file: Blob,
  keep: (id: string, bytes: Blob) => void,
  tell: (share: number) => void = () => undefined,
): Promise<ParseResult<TitledLog>> => {
  const kept: string[] = [];
  let length = 0;
  let read = 0;
  const lines = linesOf(file, (bytes) => {
    read += bytes;
    tell(read / file.size / 2);
  });
  for await (const line of lines) {
    // Searching is faster than parsing, and JSON escapes the quotes in what was said.
    const parsed = line.includes('"file"') ? parsedJson(line) : undefined;
    // Its line stays as an empty one, so that the others keep their numbers.
    kept.push(has(parsed, 'file') ? '' : line);
    length += kept.at(-1)?.length ?? 0;
    if (length > LONGEST_LOG) return parseFailure(null, TOO_LONG);
    const attached = FileLine.safeParse(parsed);
    if (!attached.success) continue;
    const bytes = await fetch(attached.data.data).then(
      (answer) => answer.blob(),
      () => null,
    );
    if (bytes !== null) keep(attached.data.file, bytes);
  }
  return readLog(kept.join('\n'), (share) => tell((1 + share) / 2));
};

const TOO_LONG =
  'Its text alone, without attached files, is more than 500 MB, which no browser can read. Where the conversation still is, export it in another format.';

async function* linesOf(file: Blob, tell: (bytes: number) => void): AsyncGenerator<string> {
  const reader = file.stream().getReader();
  const decoder = new TextDecoder();
  /** Chunks of the unfinished line: joined only once, because a file makes a line of many megabytes. */
  let line: string[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    const [first = '', ...others] = decoder.decode(value, { stream: !done }).split('\n');
    line.push(first);
    for (const next of others) {
      yield line.join('');
      line = [next];
    }
    if (done) return yield line.join('');
    tell(value.length);
  }
}

/** Reads an export and verifies that its log yields a valid forest. `tell`: the share read so far, 0–1, called now and then. */
export const readLog = (text: string, tell: (share: number) => void = () => undefined): ParseResult<TitledLog> => {
  const json = readJson(text);
  return json.ok ? readLines(json.value, tell) : json;
};

const readLines = (source: JsonSource, tell: (share: number) => void): ParseResult<TitledLog> => {
  const [first, ...lines] = source.items;
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
  return parseSuccess({ title: header.data.title, entries });
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
