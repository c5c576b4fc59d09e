import { JSONParser } from '@streamparser/json';
import { Unzip, UnzipInflate, UnzipPassThrough } from 'fflate';
import { faultOf, lineAt } from '../../../app/json-source.ts';
import { decodedText, utf16Of } from '../../../domain/attachment.ts';
import { parsedJson } from '../../../domain/expectation.ts';
import { errorMessage } from '../../../engine/model-failure.ts';
import { isBackupManifest, listArchive } from './keep-files.ts';
import {
  createItemReader,
  type Damage,
  damageOf,
  type FoundConversation,
  type NamedBlob,
  type RefusedFile,
  readFiles,
  type TextFile,
} from './read-files.ts';

type ReadStep =
  | { readonly kind: 'found'; readonly found: FoundConversation }
  | { readonly kind: 'refused'; readonly refused: RefusedFile }
  /** Bytes of the files read so far. */
  | { readonly kind: 'progress'; readonly read: number };

/** Texts with more bytes are read element by element: half a gigabyte exceeds an engine's string limit. */
const LONG = 48 * 1024 * 1024;
/** Maximum UTF-16 units per line: longer than any conversation, but small enough for memory. */
const LONGEST_LINE = 128 * 1024 * 1024;
/**
 * Maximum ratio of unpacked to packed bytes for archives, and texts in them, larger than `LONG`; a higher one is taken for
 * a zip bomb. JSON of conversations packs to a tenth, while deflate reaches a thousandth.
 */
const MOST_UNPACKED = 200;

/** The only files of an archive that are read. Rendered duplicates and data about the person are skipped. */
const TEXTS = /\.(json|jsonl|ndjson|txt)$/i;
const NOT_READ =
  /(^|\/)(chat\.html|(user|user_settings|users|message_feedback|shared_conversations|export_manifest|conversation_asset_file_names|memories|projects?|prod-mc-[^/]*)\.json)$|(^|\/)(projects|prod-mc-asset-server|__MACOSX)\//i;

/** Whether a file lies in a folder under a name that says nothing of conversations: any file may lie there. */
const isOdd = (name: string): boolean => name.includes('/') && !TEXTS.test(name) && !/\.zip$/i.test(name);

/** What only belongs to an export: all its conversations as a page, and files that Grok's refer to. */
const NEVER_READ = /(^|\/)(chat\.html$|prod-mc-asset-server\/)/i;

const NO_CONVERSATION = 'There is no conversation in it.';

/**
 * Yields the conversations in files of any size, one at a time, unpacking archives, so that at most one is in memory. The
 * order is the same each time. `long`: size in bytes from which a text is read element by element.
 */
export async function* readBlobs(
  files: readonly NamedBlob[],
  signal: AbortSignal,
  long = LONG,
): AsyncGenerator<ReadStep> {
  /** What is known to belong to an export: told only if there is no conversation at all. */
  const known: RefusedFile[] = [];
  const others: RefusedFile[] = [];
  const read = new Set<string>();
  for await (const step of stepsOf(files, signal, long, known)) {
    if (step.kind === 'found') read.add(step.found.file);
    // Among others, it is of an export that was unpacked, unless something in it was read.
    if (step.kind !== 'refused' || files.length === 1 || read.has(step.refused.name)) yield step;
    else if (NOT_READ.test(step.refused.name)) known.push(step.refused);
    else if (step.refused.isOther === true && isOdd(step.refused.name)) others.push(step.refused);
    else yield step;
  }
  for (const refused of read.size === 0 ? [...others, ...known] : inOneLine(others)) yield { kind: 'refused', refused };
}

/** Files named where several are told of at once. */
const NAMED = 5;

/** A folder may have thousands of other files. */
const inOneLine = (refused: readonly RefusedFile[]): readonly RefusedFile[] => {
  if (refused.length < 2) return refused;
  const names = refused.slice(0, NAMED).map(({ name }) => name);
  const more = refused.length - names.length;
  const listed = `${names.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
  return [{ name: `${refused.length} other files`, why: `There is no conversation in them: ${listed}.` }];
};

/** Adds those not even tried to `known`: pictures and the like among other files. */
async function* stepsOf(
  files: readonly NamedBlob[],
  signal: AbortSignal,
  long: number,
  known: RefusedFile[],
): AsyncGenerator<ReadStep> {
  const small: TextFile[] = [];
  let read = 0;
  for (const { name, blob } of files) {
    signal.throwIfAborted();
    const start = new Uint8Array(await blob.slice(0, BEGINNING).arrayBuffer());
    // Among others, it is of an export that was unpacked: a picture, say, that a conversation refers to.
    if (files.length > 1 && (isMedia(start, blob.type) || NEVER_READ.test(name))) {
      known.push({ name, why: NO_CONVERSATION });
    } else if (start[0] === 0x50 && start[1] === 0x4b) yield* readArchive(name, blob, small, read, signal, long);
    else if (files.length > 1 && isOdd(name) && isBinary(start)) {
      yield { kind: 'refused', refused: { name, why: NO_CONVERSATION, isOther: true } };
    } else if (blob.size > long) yield* readLong(name, chunksOf(blob.stream(), signal), read);
    else small.push({ name, text: decodedText(new Uint8Array(await blob.arrayBuffer()), languages()) });
    read += blob.size;
    yield { kind: 'progress', read };
  }
  // Related files may come in any order, so these are read together at the end.
  const { found, refused } = readFiles(small);
  for (const one of found) yield { kind: 'found', found: one };
  for (const one of refused) yield { kind: 'refused', refused: one };
}

/** Bytes by which a file shows whether it is of media. */
const BEGINNING = 1024;

const MEDIA_TYPE = /^(image|audio|video)\/|^application\/pdf$/;

/** How PNG, JPEG, GIF, WebP, WAV, AVI, MP3, Ogg, FLAC, WebM, MP4, HEIC and AVIF begin. */
const MEDIA = /^(\x89PNG|\xff\xd8\xff|GIF8|RIFF|ID3|\xff[\xf2\xf3\xfa\xfb]|OggS|fLaC|.E\xdf\xa3|.{4}ftyp)/s;

/**
 * Whether a file is a picture, a sound, a film or a PDF: what an export holds beside its conversations, partly under names
 * without a known ending. Media have a zero early on, a text that begins alike has none.
 */
const isMedia = (begin: Uint8Array, type: string): boolean => {
  const marks = String.fromCharCode(...begin.subarray(0, 8));
  return MEDIA_TYPE.test(type) || marks.startsWith('%PDF-') || (begin.includes(0) && MEDIA.test(marks));
};

/** Whether a file is no text, which may have zeros only in UTF-16. A folder may hold gigabytes of such files. */
const isBinary = (begin: Uint8Array): boolean => begin.includes(0) && utf16Of(begin) === null;

async function* chunksOf(stream: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // What is given up midway is not to be read, or unpacked, any further.
    await reader.cancel().catch(() => undefined);
  }
}

/** Reads a list, or lines, with more bytes than fit in a string. */
async function* readLong(name: string, chunks: AsyncIterable<Uint8Array>, before: number): AsyncGenerator<ReadStep> {
  const long = createLongReader(name);
  let read = before;
  for await (const chunk of chunks) {
    let found: FoundConversation[];
    try {
      found = long.write(chunk);
    } catch (error) {
      yield { kind: 'refused', refused: { name, why: damagedFrom(error) } };
      return;
    }
    for (const one of found) yield { kind: 'found', found: one };
    read += chunk.length;
    yield { kind: 'progress', read };
  }
  for (const step of long.end()) yield step;
}

const damagedFrom = (error: unknown): string =>
  `It is damaged (${errorMessage(error)}). What comes before that was read.`;

/** Bytes that show the form of a long text. */
const ENOUGH = 64;

const TOO_LONG = 'It is a single object of more than 128 MB, which is too long. Export fewer conversations at once.';

/** Consumes a long file in chunks and returns conversations as soon as they are complete. */
const createLongReader = (name: string) => {
  const items = createItemReader(name);
  let found: FoundConversation[] = [];
  let failure: Error | null = null;
  let damage: Damage = { lines: 0, first: null };
  let number = 0;
  let form: 'list' | 'lines' | 'object' | null = null;
  /** The first bytes, until there are enough of them to tell the form: from an archive they may come one by one. */
  let begin = new Uint8Array(0);
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  parser.onValue = ({ value }) => {
    found.push(...items.read(value));
  };
  parser.onError = (error) => {
    failure = error;
  };
  const decoder = new TextDecoder();
  /** Chunks of the unfinished line: joined only once, because a line may be most of the file. */
  let line: string[] = [];
  let length = 0;
  const takeLine = (text: string): void => {
    number++;
    if (text.trim() === '') return;
    const item = parsedJson(text);
    if (item === undefined) {
      // Reported at the end.
      damage = { lines: damage.lines + 1, first: damage.first ?? damageOf(text, number) };
      return;
    }
    found.push(...items.read(item));
  };
  const taken = (): FoundConversation[] => {
    const all = found;
    found = [];
    return all;
  };
  const take = (chunk: Uint8Array): FoundConversation[] => {
    if (form === 'object') {
      // One object over many lines is parsed at the end; of a longer one nothing is kept.
      const text = decoder.decode(chunk, { stream: true });
      length += text.length;
      if (length <= LONGEST_LINE) line.push(text);
      else line = [];
      return [];
    }
    if (form === 'list') {
      if (failure === null && !parser.isEnded) parser.write(chunk);
      return taken();
    }
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    line.push(first);
    length += first.length;
    for (const next of others) {
      takeLine(line.join(''));
      [line, length] = [[next], next.length];
    }
    if (length > LONGEST_LINE) throw new RangeError(`line ${number + 1} has no end`);
    return taken();
  };
  /** Takes the first bytes in the form that they show. */
  const begun = (): FoundConversation[] => {
    const text = new TextDecoder().decode(begin.subarray(0, ENOUGH)).trimStart();
    form = text.startsWith('[') ? 'list' : /^\{\s*\n/.test(text) ? 'object' : 'lines';
    return take(begin);
  };
  return {
    write: (chunk: Uint8Array): FoundConversation[] => {
      if (form !== null) return take(chunk);
      begin = joined([begin, chunk]);
      return begin.length < ENOUGH ? [] : begun();
    },
    end: (): ReadStep[] => {
      if (form === null) found.push(...begun());
      if (form === 'object') {
        if (length > LONGEST_LINE) return [{ kind: 'refused', refused: { name, why: TOO_LONG } }];
        const text = line.join('').replace(/^\uFEFF/, '');
        const whole = parsedJson(text);
        if (whole === undefined) {
          const fault = faultOf(text);
          const { line: at, why } = damageOf(text, lineAt(text, fault.offset), fault);
          return [{ kind: 'refused', refused: { name, line: at, why } }];
        }
        found.push(...items.read(whole));
      }
      if (form === 'lines') takeLine(line.join(''));
      // The parser itself says nothing of a text that is cut off.
      if (form === 'list' && failure === null && !parser.isEnded)
        failure = new Error('it ends in the middle of the list');
      const end = items.end(damage);
      const steps: ReadStep[] = [...taken(), ...end.found].map((one) => ({ kind: 'found', found: one }));
      const why = failure === null ? [] : [{ name, why: damagedFrom(failure) }];
      for (const refused of [...why, ...end.refused]) steps.push({ kind: 'refused', refused });
      return steps;
    },
  };
};

/**
 * The conversations in an archive: unpacks its texts one after the other, as its directory lists them. Everything else,
 * which may be gigabytes of pictures, is not even read.
 */
async function* readArchive(
  archive: string,
  blob: Blob,
  small: TextFile[],
  before: number,
  signal: AbortSignal,
  long: number,
): AsyncGenerator<ReadStep> {
  const files = await listArchive(blob);
  if (files.length === 0) return yield* readUnlisted(archive, blob, small, before, signal, long);
  if (files.some(({ path }) => isBackupManifest(path))) {
    const why = 'This is a backup of Coppice. Open it with Import by itself, without other files.';
    return yield { kind: 'refused', refused: { name: archive, why } };
  }
  const texts = files.filter(({ path }) => isText(path));
  const whole = { packed: blob.size, unpacked: 0 };
  const total = texts.reduce((sum, { packed }) => sum + packed, 1);
  let read = 0;
  for (const { path, packed, stream } of texts) {
    const steps: ReadStep[] = [];
    // Stated sizes may be false.
    const sizes = { packed: Math.min(packed, blob.size), long, whole };
    const text = createTextReader(`${archive} › ${path}`, sizes, small, steps);
    try {
      const chunks = chunksOf(
        await stream((bytes) => {
          read += bytes;
        }),
        signal,
      );
      for await (const chunk of chunks) {
        const isWanted = text.write(chunk);
        yield* steps.splice(0);
        yield { kind: 'progress', read: before + Math.min(1, read / total) * blob.size };
        if (!isWanted) break;
      }
      text.end();
    } catch (error) {
      signal.throwIfAborted();
      text.fail(error);
    }
    yield* steps;
  }
  if (texts.length === 0) yield withoutTexts(archive);
}

const isText = (path: string): boolean => TEXTS.test(path) && !NOT_READ.test(path);

const withoutTexts = (archive: string): ReadStep => ({
  kind: 'refused',
  refused: { name: archive, why: 'The archive holds no JSON or text, so no conversations.', isOther: true },
});

/** The same from the beginning, as far as it goes: an archive that was cut off has no directory. */
async function* readUnlisted(
  archive: string,
  blob: Blob,
  small: TextFile[],
  before: number,
  signal: AbortSignal,
  long: number,
): AsyncGenerator<ReadStep> {
  const steps: ReadStep[] = [];
  const whole = { packed: blob.size, unpacked: 0 };
  let texts = 0;
  const unzip = new Unzip((file) => {
    if (!isText(file.name)) return;
    texts++;
    const packed = Math.min(file.size ?? blob.size, blob.size);
    const text = createTextReader(`${archive} › ${file.name}`, { packed, long, whole }, small, steps);
    file.ondata = (error, chunk, final) => {
      if (error !== null) text.fail(error);
      else if (text.write(chunk)) {
        if (final) text.end();
        return;
      }
      file.ondata = () => undefined;
      file.terminate();
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  unzip.register(UnzipPassThrough);
  let read = before;
  try {
    for await (const chunk of chunksOf(blob.stream(), signal)) {
      unzip.push(chunk);
      yield* steps.splice(0);
      read += chunk.length;
      yield { kind: 'progress', read };
    }
    unzip.push(new Uint8Array(0), true);
  } catch (error) {
    if (signal.aborted) throw error;
    const why = `The archive is damaged (${errorMessage(error)}). What comes before that was read.`;
    steps.push({ kind: 'refused', refused: { name: archive, why } });
  }
  yield* steps;
  if (texts === 0) yield withoutTexts(archive);
}

/** Bytes of a text or of a whole archive. */
interface Sizes {
  readonly packed: number;
  unpacked: number;
}

const isBomb = ({ packed, unpacked }: Sizes): boolean => unpacked > LONG && unpacked > MOST_UNPACKED * packed;

/**
 * Takes the unpacked bytes of one text of an archive: a small one is kept for the end, a long one is read as it comes. The
 * actual bytes decide, because an archive may state no sizes, or wrong ones.
 */
const createTextReader = (
  name: string,
  { packed, long, whole }: { readonly packed: number; readonly long: number; readonly whole: Sizes },
  small: TextFile[],
  steps: ReadStep[],
) => {
  let reader: ReturnType<typeof createLongReader> | null = null;
  let chunks: Uint8Array[] = [];
  let unpacked = 0;
  let isRefused = false;
  const refuse = (why: string): void => {
    steps.push({ kind: 'refused', refused: { name, why } });
    chunks = [];
    isRefused = true;
  };
  const read = (chunk: Uint8Array): void => {
    for (const found of reader?.write(chunk) ?? []) steps.push({ kind: 'found', found });
  };
  const take = (chunk: Uint8Array): void => {
    if (reader !== null) return read(chunk);
    chunks.push(chunk.slice());
    if (unpacked <= long) return;
    reader = createLongReader(name);
    for (const one of chunks.splice(0)) read(one);
  };
  return {
    /** It cannot be unpacked any further. */
    fail: (error: unknown): void =>
      refuse(reader === null ? `It is damaged (${errorMessage(error)}).` : damagedFrom(error)),
    /** Returns whether it wants more: not once it is refused. */
    write: (chunk: Uint8Array): boolean => {
      unpacked += chunk.length;
      whole.unpacked += chunk.length;
      if (isBomb({ packed, unpacked }) || isBomb(whole)) {
        refuse(`It unpacks to more than ${MOST_UNPACKED} times its size, which no export does. It was not read.`);
        return false;
      }
      try {
        take(chunk);
      } catch (failure) {
        refuse(damagedFrom(failure));
      }
      return !isRefused;
    },
    end: (): void => {
      if (isRefused) return;
      if (reader !== null) steps.push(...reader.end());
      else small.push({ name, text: decodedText(joined(chunks), languages()) });
    },
  };
};

/** Outside a browser, none is known. */
const languages = (): readonly string[] => globalThis.navigator?.languages ?? [];

const joined = (chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
};
