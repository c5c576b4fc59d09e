import { type Attachment, baseName } from '../../../domain/attachment.ts';
import type { SourceFile } from './entries-of.ts';
import type { NamedBlob } from './read-files.ts';

/** Stores the bytes of a file with those of other messages, and returns what can be read in it. */
type Keep = (file: File) => Promise<Attachment>;

/** Original names of the files in newer ChatGPT exports, all of which end in `.dat`. */
const NAMES = 'conversation_asset_file_names.json';

/** The first file of a backup, which lists what is in it. */
export const BACKUP_MANIFEST = 'coppice-backup.json';

const MANIFEST_PATH = new RegExp(`^(?:[^/]+/)?${BACKUP_MANIFEST}$`);

/** Whether a path in an archive is that: perhaps in a folder, for Safari unpacks a zip as it arrives, and packed again, all is in one. */
export const isBackupManifest = (path: string): boolean => MANIFEST_PATH.test(path);

/**
 * Finds and keeps the files that conversations of some exports refer to, in the given archives or loose beside the
 * conversations. Archives are opened when the first file is requested.
 */
export const createFileKeeper = (given: readonly NamedBlob[], keep: Keep) => {
  let opened: Promise<{ files: readonly GivenFile[]; names: Readonly<Record<string, unknown>> }> | null = null;

  const open = async () => {
    const all: [string, () => Promise<Blob>][] = [];
    for (const { name, blob } of given) all.push([name, async () => blob], ...(await archiveFiles(blob)));
    // Asked for each file that a conversation refers to, of which there may be thousands.
    const files = [...new Map(all)].map(([path, unpack]) => ({
      path,
      base: baseName(path),
      inRoot: `/${path}`,
      unpack,
    }));
    const list = files.find(({ base }) => base === NAMES);
    const names: unknown = list === undefined ? {} : JSON.parse(await (await list.unpack()).text());
    return { files, names: typeof names === 'object' && names !== null ? { ...names } : {} };
  };

  const inExport = async (asset: string): Promise<{ name: string | null; blob: Blob } | null> => {
    opened ??= open();
    const { files, names } = await opened;
    const folder = `/${asset}/`;
    // Grok's are all called `content`, each in a folder of its own.
    const found = files.find(({ base, inRoot }) => base.startsWith(asset) || inRoot.includes(folder));
    if (found === undefined) return null;
    const original = names[found.path] ?? names[found.base];
    return { name: typeof original === 'string' ? baseName(original) : null, blob: await found.unpack() };
  };

  const bytesOf = async ({ name, text, data, asset }: SourceFile): Promise<File | null> => {
    if (data !== undefined) return new File([await (await fetch(data)).blob()], name);
    const found = asset === undefined ? null : await inExport(asset);
    // The export names a picture by its id.
    if (found !== null)
      return new File([found.blob], asset !== undefined && name.includes(asset) ? (found.name ?? name) : name);
    return text === null ? null : new File([text], name, { type: 'text/plain' });
  };

  return {
    /** Returns the kept files; those whose bytes are missing or damaged are omitted. */
    keep: async (files: readonly SourceFile[]): Promise<Map<SourceFile, Attachment>> => {
      const kept = new Map<SourceFile, Attachment>();
      for (const file of files) {
        // A damaged file is treated and marked as missing; the conversation is still opened.
        const bytes = await bytesOf(file).catch(() => null);
        if (bytes === null || bytes.size === 0) continue;
        const attachment = await keep(bytes);
        // Text from the export takes precedence over text read here.
        kept.set(file, file.text === null ? attachment : { ...attachment, text: file.text });
      }
      return kept;
    },
  };
};

/** A file that may be asked for, loose or in an archive. */
interface GivenFile {
  readonly path: string;
  readonly base: string;
  /** The path with a slash before each of its names. */
  readonly inRoot: string;
  unpack(): Promise<Blob>;
}

/** Files of archives by full name, unpacked on demand. */
type ArchiveFiles = ReadonlyMap<string, () => Promise<Blob>>;

/* Signatures of ZIP records, their first four bytes (APPNOTE 6.3.10, section 4.3). */
const END = 0x06054b50;
const END_64_LOCATOR = 0x07064b50;
const ENTRY = 0x02014b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
/** Maximum bytes of one unpacked file: more than any picture or document of a chat, and within what a browser can hold. */
export const LARGEST = 512 * 1024 * 1024;
/** A comment may follow the end record. */
const LONGEST_COMMENT = 0xffff;
/** Marks a number too large for its field; the value is in the extra field with this tag. */
const ELSEWHERE = 0xffffffff;
const EXTRA_64 = 1;

const STORED = 0;
const DEFLATED = 8;

/** A file in an archive. */
interface ArchivedFile {
  readonly path: string;
  /** Its packed size in bytes, as stated. */
  readonly packed: number;
  /** Unpacks it bit by bit; `tell` is called with the packed bytes taken. Rejects, or fails on the way, if it is damaged. */
  stream(tell: (packed: number) => void): Promise<ReadableStream<Uint8Array>>;
  /** Unpacks it whole. Rejects if it is damaged or has more bytes than `largest`. */
  whole(largest: number): Promise<Blob>;
}

/**
 * Lists an archive's files from the directory at its end, so that a file can be found in gigabytes without reading them.
 * Empty if it is not an archive or its end is damaged.
 */
export const listArchive = async (archive: Blob): Promise<readonly ArchivedFile[]> => {
  const files: ArchivedFile[] = [];
  const list = await listOf(archive);
  if (list === null) return files;
  const view = await viewOf(archive, list.from, list.from + list.size);
  let at = 0;
  while (at + ENTRY_BYTES <= view.byteLength && view.getUint32(at, true) === ENTRY) {
    const name = view.getUint16(at + 28, true);
    const extra = view.getUint16(at + 30, true);
    const comment = view.getUint16(at + 32, true);
    const end = at + ENTRY_BYTES + name + extra + comment;
    if (end > view.byteLength) break;
    const path = new TextDecoder().decode(new Uint8Array(view.buffer, at + ENTRY_BYTES, name));
    const place = placeOf(view, at, at + ENTRY_BYTES + name, extra);
    if (!path.endsWith('/')) {
      files.push({
        path,
        packed: place.packed,
        stream: (tell) => unpackedStream(archive, place, tell),
        whole: (largest) => unpacked(archive, place, largest),
      });
    }
    at = end;
  }
  // Of a list that breaks off, nobody knows what else was in it.
  return at === view.byteLength ? files : [];
};

/** The same by path. `largest`: size in bytes beyond which a file is not unpacked. */
export const archiveFiles = async (archive: Blob, largest = LARGEST): Promise<ArchiveFiles> =>
  new Map((await listArchive(archive)).map(({ path, whole }) => [path, () => whole(largest)]));

interface ZipEntry {
  readonly method: number;
  readonly packed: number;
  readonly from: number;
}

const viewOf = async (blob: Blob, from: number, to: number): Promise<DataView> =>
  new DataView(await blob.slice(Math.max(0, from), to).arrayBuffer());

/** Location of the file list; null if there is none. */
const listOf = async (archive: Blob): Promise<{ readonly from: number; readonly size: number } | null> => {
  const begin = Math.max(0, archive.size - END_BYTES - LONGEST_COMMENT);
  const view = await viewOf(archive, begin, archive.size);
  for (let at = view.byteLength - END_BYTES; at >= 0; at--) {
    if (view.getUint32(at, true) !== END) continue;
    const [size, from] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)];
    if (size !== ELSEWHERE && from !== ELSEWHERE) return { from, size };
    if (at < 20 || view.getUint32(at - 20, true) !== END_64_LOCATOR) return null;
    const far = Number(view.getBigUint64(at - 12, true));
    const end = await viewOf(archive, far, far + 56);
    return end.byteLength < 56
      ? null
      : { size: Number(end.getBigUint64(40, true)), from: Number(end.getBigUint64(48, true)) };
  }
  return null;
};

const placeOf = (view: DataView, at: number, extraAt: number, extra: number): ZipEntry => {
  const method = view.getUint16(at + 10, true);
  const whole = view.getUint32(at + 24, true);
  let [packed, from] = [view.getUint32(at + 20, true), view.getUint32(at + 42, true)];
  for (let field = extraAt; field + 4 <= extraAt + extra; field += 4 + view.getUint16(field + 2, true)) {
    if (view.getUint16(field, true) !== EXTRA_64) continue;
    let next = field + 4 + (whole === ELSEWHERE ? 8 : 0);
    if (packed === ELSEWHERE) {
      packed = Number(view.getBigUint64(next, true));
      next += 8;
    }
    if (from === ELSEWHERE) from = Number(view.getBigUint64(next, true));
  }
  return { method, packed, from };
};

const packedBytes = async (archive: Blob, { method, packed, from }: ZipEntry): Promise<Blob> => {
  const head = await viewOf(archive, from, from + LOCAL_BYTES);
  const begin = from + LOCAL_BYTES + head.getUint16(26, true) + head.getUint16(28, true);
  if (method !== STORED && method !== DEFLATED) {
    throw new Error(`It uses an unsupported compression method (${method}).`);
  }
  return archive.slice(begin, begin + packed);
};

/** Calls back with the size of each chunk that passes. */
const counting = (count: (bytes: number) => void) =>
  new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, out) => {
      count(chunk.length);
      out.enqueue(chunk);
    },
  });

const unpackedStream = async (
  archive: Blob,
  place: ZipEntry,
  tell: (packed: number) => void,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> => {
  const bytes = (await packedBytes(archive, place)).stream().pipeThrough(counting(tell));
  return place.method === STORED ? bytes : bytes.pipeThrough(new DecompressionStream('deflate-raw'));
};

const unpacked = async (archive: Blob, place: ZipEntry, largest: number): Promise<Blob> => {
  if (place.method === STORED) return packedBytes(archive, place);
  let size = 0;
  const limited = counting((bytes) => {
    size += bytes;
    if (size > largest) throw new Error(`It unpacks to more than ${largest / 1024 / 1024} MB.`);
  });
  return new Response((await unpackedStream(archive, place, () => undefined)).pipeThrough(limited)).blob();
};
