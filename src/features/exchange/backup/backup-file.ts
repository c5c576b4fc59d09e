import { Unzip, UnzipInflate, UnzipPassThrough, Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import * as z from 'zod/mini';
import { parseFailure } from '../../../app/json-source.ts';
import { attachmentsIn, type Entry } from '../../../domain/entry.ts';
import { parsedJson } from '../../../domain/expectation.ts';
import type { Lesson } from '../../../engine/lessons.ts';
import {
  type ConversationMeta,
  type Storage,
  StorageFailure,
  type StudyEventRow,
  type StudyRow,
} from '../../../engine/storage.ts';
import { yieldToPage } from '../../../engine/tasks.ts';
import { logLines, readLog } from '../read/coppice-log.ts';
import { archiveFiles, BACKUP_MANIFEST, isBackupManifest, LARGEST } from '../read/keep-files.ts';

/*
 * Everything stored, as one zip: first `coppice-backup.json`, which lists the content; then for each conversation its
 * attached files (`files/`, by hash and media type) and its log, as exported by Coppice (`conversations/`); then each study
 * with everybody's labels (`studies/`, one line each).
 */

const VERSION = 1;

/** The settings that are included. The choice of models is not, as it belongs to this machine, and neither are server keys. */
export const SETTINGS = ['keys', 'engine-settings', 'personas'] as const;

const Manifest = z.object({
  coppice: z.literal('backup'),
  version: z.int().check(z.positive()),
  madeAt: z.number(),
  conversations: z.array(
    z.object({
      id: z.string().check(z.minLength(1)),
      title: z.string(),
      turns: z.number(),
      createdAt: z.number(),
      updatedAt: z.number(),
      filing: z.optional(
        z.object({
          pinned: z.boolean(),
          archived: z.boolean(),
          folder: z.nullable(z.string()),
          tags: z.array(z.string()),
        }),
      ),
      file: z.string(),
    }),
  ),
  /** Missing in backups from before studies existed. */
  studies: z.optional(z.array(z.object({ name: z.string(), file: z.string() }))),
  settings: z.record(z.string(), z.unknown()),
  learns: z.boolean(),
  lessons: z.array(
    z.looseObject({ conversationId: z.string(), nodeId: z.string(), question: z.string(), at: z.number() }),
  ),
});

/** The identity of a study; the rest is parsed where it is used for labelling. */
const BackupStudy = z.looseObject({
  id: z.string().check(z.minLength(1)),
  study: z.looseObject({ id: z.string().check(z.minLength(1)), name: z.string() }),
});
type BackupStudy = z.infer<typeof BackupStudy>;

const StudyLine = z.union([
  z.object({ kept: BackupStudy }),
  z.object({ label: z.looseObject({ id: z.string().check(z.minLength(1)), study: z.string() }) }),
]);

export interface BackupManifest {
  readonly madeAt: number;
  readonly studies?: readonly { readonly name: string; readonly file: string }[] | undefined;
  readonly conversations: readonly (Omit<ConversationMeta, 'deletedAt'> & { readonly file: string })[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly learns: boolean;
  /** Damaged lessons are dropped when read from storage. */
  readonly lessons: readonly Lesson[];
}

/** Explains in whole sentences why a backup cannot be read. */
export class BackupFailure extends Error {}

/** Progress reporting and cancellation for a long task. */
export interface Watch {
  readonly signal: AbortSignal;
  onProgress(done: number, of: number): void;
}

/** Whether a file starts like a backup, or is one that was packed again. */
export const isBackup = async (file: Blob): Promise<boolean> => {
  const bytes = new Uint8Array(await file.slice(0, 30 + BACKUP_MANIFEST.length).arrayBuffer());
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return false;
  // One that was cut off has no directory.
  if (new TextDecoder().decode(bytes.subarray(30)) === BACKUP_MANIFEST) return true;
  // Whoever reads an archive of another kind says what is wrong with it.
  const listed = await archiveFiles(file).catch(() => new Map<string, unknown>());
  return [...listed.keys()].some((name) => isBackupManifest(name));
};

/** Characters packed per step: a few milliseconds. */
const PORTION = 200_000;

type BackupSource = Pick<
  Storage,
  'conversations' | 'read' | 'readBlob' | 'lessons' | 'learns' | 'setting' | 'studies' | 'studyEvents'
>;

/** A backup, and what is not in it because it is damaged: conversations by title, and files that the browser cannot read any more. */
interface PackedBackup {
  readonly file: Blob;
  readonly damaged: readonly string[];
}

/** Packs everything stored, except what was deleted or is damaged. Rejects with a StorageFailure if it cannot be read otherwise. */
export const packBackup = async (storage: BackupSource, now: number, watch: Watch): Promise<PackedBackup> => {
  const damaged = new Map<string, string>();
  const files = new Map<string, string>();
  const file = await packExcept(damaged, files, storage, now, watch);
  // The manifest comes first and names what follows, so it is packed again without those found to be damaged.
  return {
    file: damaged.size === 0 ? file : await packExcept(damaged, files, storage, now, watch),
    damaged: [...damaged.values(), ...files.values()],
  };
};

/** Reads a stored log; null if it is damaged. */
export const readSound = (storage: Pick<Storage, 'read'>, id: string): Promise<readonly Entry[] | null> =>
  storage.read(id).catch((error: unknown) => {
    if (error instanceof StorageFailure && error.kind === 'damaged') return null;
    throw error;
  });

/** Leaves out the damaged conversations by id, and adds the title of each that turns out to be, and unreadable files. */
const packExcept = async (
  damaged: Map<string, string>,
  files: Map<string, string>,
  storage: BackupSource,
  now: number,
  { signal, onProgress }: Watch,
): Promise<Blob> => {
  const parts: BlobPart[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, chunk) => {
    if (error !== null) failure = error;
    // Copied, because its underlying buffer is reused.
    else parts.push(new Uint8Array(chunk));
  });
  const encoder = new TextEncoder();
  const addLines = async (name: string, lines: Iterable<string>): Promise<void> => {
    const file = new ZipDeflate(name, { level: 6 });
    zip.add(file);
    let portion = '';
    for (const line of lines) {
      portion += `${line}\n`;
      if (portion.length < PORTION) continue;
      file.push(encoder.encode(portion));
      portion = '';
      await yieldToPage();
      signal.throwIfAborted();
    }
    file.push(encoder.encode(portion), true);
  };

  const metas = (await storage.conversations()).filter(({ id, deletedAt }) => deletedAt === null && !damaged.has(id));
  const listed = metas.map(({ deletedAt: _, ...meta }, at) => ({ ...meta, file: `conversations/${at + 1}.jsonl` }));
  const settings: Record<string, unknown> = {};
  for (const name of SETTINGS) {
    const value = await storage.setting(name);
    if (value !== undefined) settings[name] = value;
  }
  const studies = await studiesOf(storage);
  const manifest = {
    coppice: 'backup',
    version: VERSION,
    madeAt: now,
    conversations: listed,
    studies: studies.map(({ name, file }) => ({ name, file })),
    settings,
    learns: await storage.learns(),
    lessons: await storage.lessons(),
  };
  await addLines(BACKUP_MANIFEST, [JSON.stringify(manifest)]);
  const packed = new Set<string>();
  for (const [at, { id, title, file }] of listed.entries()) {
    onProgress(at, listed.length);
    signal.throwIfAborted();
    const entries = await readSound(storage, id);
    if (entries === null) {
      damaged.set(id, title || 'Untitled');
      continue;
    }
    for (const { id: blobId, name } of attachmentsIn(entries)) {
      const blob = blobId === null || packed.has(blobId) ? undefined : await storage.readBlob(blobId);
      if (blobId === null || blob === undefined) continue;
      packed.add(blobId);
      const bytes = await blob.arrayBuffer().catch(() => null);
      if (bytes === null) {
        files.set(blobId, `${name}, attached in “${title || 'Untitled'}”`);
        continue;
      }
      const stored = new ZipPassThrough(`files/${blobId}.${encodeURIComponent(blob.type)}`);
      zip.add(stored);
      stored.push(new Uint8Array(bytes), true);
    }
    await addLines(file, logLines(title, entries, now));
    await yieldToPage();
  }
  for (const { id, file, rows } of studies) {
    signal.throwIfAborted();
    const labels = await storage.studyEvents(id);
    await addLines(file, [
      ...rows.map((kept) => JSON.stringify({ kept })),
      ...labels.map((label) => JSON.stringify({ label })),
    ]);
  }
  zip.end();
  if (failure !== null) throw failure;
  return new Blob(parts, { type: 'application/zip' });
};

/** The stored studies: each may exist twice, for labelling and for coordination, with one set of labels. */
const studiesOf = async (storage: Pick<Storage, 'studies'>) => {
  const byStudy = new Map<string, BackupStudy[]>();
  for (const row of await storage.studies()) {
    const parsed = BackupStudy.safeParse(row);
    if (!parsed.success) continue; // Reported where studies are listed.
    const { id } = parsed.data.study;
    byStudy.set(id, [...(byStudy.get(id) ?? []), parsed.data]);
  }
  return [...byStudy].map(([id, rows], at) => ({
    id,
    name: rows[0]?.study.name ?? '',
    file: `studies/${at + 1}.jsonl`,
    rows,
  }));
};

type BackupStep =
  /** Always first. */
  | { readonly kind: 'manifest'; readonly manifest: BackupManifest }
  /** Comes before the log that refers to it. `blob`: null if it cannot be unpacked. */
  | { readonly kind: 'file'; readonly id: string; readonly blob: Blob | null }
  | { readonly kind: 'log'; readonly meta: Omit<ConversationMeta, 'deletedAt'>; readonly entries: readonly Entry[] }
  | { readonly kind: 'study'; readonly rows: readonly StudyRow[]; readonly labels: readonly StudyEventRow[] }
  | { readonly kind: 'damaged'; readonly title: string; readonly why: string };

/**
 * Yields the content of a backup piece by piece, holding at most one conversation in memory. Throws a BackupFailure.
 * `largest`: bytes beyond which what is packed counts as damaged.
 */
export async function* readBackup(backup: Blob, watch: Watch, largest = LARGEST): AsyncGenerator<BackupStep> {
  let manifest: BackupManifest | null = null;
  const left = new Set<string>();
  /** Null if it is damaged or too large. Rejects if the backup itself can no longer be read. */
  const unpacked = async <T>(unpack: () => Promise<Blob>, read: (blob: Blob) => Promise<T>): Promise<T | null> => {
    try {
      return await read(await unpack());
    } catch {
      await backup.slice(0, 1).arrayBuffer();
      return null;
    }
  };
  const text = (unpack: () => Promise<Blob>) => unpacked(unpack, (blob) => blob.text());
  const why = `It is damaged, or unpacks to more than ${largest / 1024 / 1024} MB.`;
  for await (const [name, unpack] of filesIn(backup, largest, watch)) {
    if (manifest === null) {
      if (name !== BACKUP_MANIFEST)
        throw new BackupFailure(`It is not a backup of Coppice: it does not begin with ${BACKUP_MANIFEST}.`);
      manifest = parseManifest((await text(unpack)) ?? '');
      for (const one of [...manifest.conversations, ...(manifest.studies ?? [])]) left.add(one.file);
      yield { kind: 'manifest', manifest };
    } else if (name.startsWith('files/')) {
      // Media types have dots too.
      const [id = '', ...type] = name.slice('files/'.length).split('.');
      const bytes = await unpacked(unpack, (blob) => blob.arrayBuffer());
      yield { kind: 'file', id, blob: bytes && new Blob([bytes], { type: typeOf(type.join('.')) }) };
    } else if (name.startsWith('studies/')) {
      const listed = manifest.studies?.find((one) => one.file === name);
      if (listed === undefined || !left.delete(name)) continue;
      const lines = await text(unpack);
      yield lines === null ? { kind: 'damaged', title: listed.name, why } : parseStudy(listed.name, lines);
      await yieldToPage();
    } else {
      const meta = manifest.conversations.find((one) => one.file === name);
      if (meta === undefined || !left.delete(name)) continue;
      const lines = await text(unpack);
      const log = lines === null ? parseFailure(null, why) : readLog(lines);
      if (log.ok) yield { kind: 'log', meta, entries: log.value.entries };
      else yield { kind: 'damaged', title: meta.title, why: log.failure.message };
      await yieldToPage();
    }
  }
  if (manifest === null) throw new BackupFailure('It contains no backup, or is damaged. Use another copy of it.');
  for (const meta of manifest.conversations) {
    if (left.has(meta.file)) yield { kind: 'damaged', title: meta.title, why: 'It is missing in the backup.' };
  }
  for (const { name, file } of manifest.studies ?? []) {
    if (left.has(file)) yield { kind: 'damaged', title: name, why: 'It is missing in the backup.' };
  }
}

/** Rejects if it is damaged or larger than allowed. */
type PackedFile = readonly [name: string, unpack: () => Promise<Blob>];

/**
 * The files of a backup in their order, found by the directory at its end: where one ends cannot be told from its bytes, as
 * an attached Word document is itself an archive.
 */
async function* filesIn(backup: Blob, largest: number, watch: Watch): AsyncGenerator<PackedFile> {
  const listed = await archiveFiles(backup, largest);
  if (listed.size === 0) yield* filesBeforeCut(backup, largest, watch);
  let done = 0;
  for (const file of inOrder([...listed])) {
    watch.signal.throwIfAborted();
    watch.onProgress(done++, listed.size);
    yield file;
  }
}

/** As they were packed at first: the manifest, then the files before the logs that refer to them; without what else there is. */
const inOrder = (listed: readonly PackedFile[]): readonly PackedFile[] => {
  const manifest = listed.find(([name]) => isBackupManifest(name));
  if (manifest === undefined || listed[0]?.[0] === BACKUP_MANIFEST) return listed;
  const folder = manifest[0].slice(0, -BACKUP_MANIFEST.length);
  const rank = ([name]: PackedFile): number => (name === BACKUP_MANIFEST ? 0 : name.startsWith('files/') ? 1 : 2);
  return listed
    .flatMap(([name, unpack]): PackedFile[] => (name.startsWith(folder) ? [[name.slice(folder.length), unpack]] : []))
    .toSorted((a, b) => rank(a) - rank(b));
};

/** Bytes unpacked in one go; deflate makes at most a thousand times as many of them. */
const PIECE = 64 * 1024;

/** The files of a backup that was cut off and so has no directory, as far as it goes. */
async function* filesBeforeCut(
  backup: Blob,
  largest: number,
  { signal, onProgress }: Watch,
): AsyncGenerator<PackedFile> {
  const found: PackedFile[] = [];
  const unzip = new Unzip((file) => {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    const unpack = async (): Promise<Blob> => {
      if (size > largest) throw new RangeError(`${file.name} is too large`);
      return new Blob(chunks);
    };
    file.ondata = (error, chunk, final) => {
      if (error !== null) throw error;
      size += chunk.length;
      if (size <= largest) chunks.push(new Uint8Array(chunk));
      else chunks.length = 0;
      if (final) found.push([file.name, unpack]);
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  unzip.register(UnzipPassThrough);
  const reader = backup.stream().getReader();
  let read = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      const bytes = value ?? new Uint8Array(0);
      let isOver = done;
      try {
        for (let at = 0; at < bytes.length; at += PIECE) unzip.push(bytes.subarray(at, at + PIECE));
        if (done) unzip.push(new Uint8Array(0), true);
      } catch {
        // Everything before this point is intact; missing parts are reported by title.
        isOver = true;
      }
      read += bytes.length;
      onProgress(read, backup.size);
      yield* found.splice(0);
      if (isOver) return;
    }
  } finally {
    reader.releaseLock();
  }
}

const parseStudy = (name: string, text: string): BackupStep => {
  const rows: StudyRow[] = [];
  const labels: StudyEventRow[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line === '') continue;
    const parsed = StudyLine.safeParse(parsedJson(line));
    if (!parsed.success) return { kind: 'damaged', title: name, why: `Line ${at + 1} of it is invalid.` };
    if ('kept' in parsed.data) rows.push(parsed.data.kept);
    else labels.push(parsed.data.label);
  }
  return { kind: 'study', rows, labels };
};

const typeOf = (encoded: string): string => {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return ''; // Only foreign tools write it like this; without a type it is still the file.
  }
};

const parseManifest = (text: string): BackupManifest => {
  const raw = parsedJson(text);
  if (raw === undefined) {
    throw new BackupFailure(`The backup is damaged: its ${BACKUP_MANIFEST} is not valid JSON. Use another copy.`);
  }
  const parsed = Manifest.safeParse(raw);
  if (!parsed.success) throw new BackupFailure(`The backup is damaged: its ${BACKUP_MANIFEST} is invalid.`);
  if (parsed.data.version > VERSION) {
    throw new BackupFailure(
      'This backup was made by a newer version of Coppice. Reload the page to update, then open it again.',
    );
  }
  // Uses the raw lessons: the schema would reorder their fields.
  return { ...parsed.data, lessons: (raw as { lessons: readonly Lesson[] }).lessons };
};
