import type { TitledLog } from '../../app/conversations.ts';
import { type ParseResult, parseFailure, parseSuccess } from '../../app/json-source.ts';
import type { ReadDialogue, ReadDialogues } from '../../app/kernel.ts';
import type { Entry } from '../../domain/entry.ts';
import { spokenOf } from '../../domain/reply.ts';
import { pathOf, UNREADABLE } from '../../ui/parts/hooks.ts';
import type { ImportReport, ImportRequest, TakenConversation } from './import-worker.ts';
import { isLogFile } from './read/coppice-log.ts';
import type { NamedBlob, RefusedFile } from './read/read-files.ts';
import type { FoundRow } from './read/rows.ts';
import { messageWithoutSpeaker } from './read/turns-of-tree.ts';

interface ScanEvents {
  rows(rows: readonly FoundRow[]): void;
  refused(refused: RefusedFile): void;
  /** Number of bytes read. */
  progress(read: number): void;
}

/** Reads files in a dedicated worker, which ends with the reader. */
export interface ImportReader {
  /** Resolves when everything has been read. Rejects with an error whose message is for the user. */
  scan(files: readonly NamedBlob[], events: ScanEvents): Promise<void>;
  /**
   * Takes the conversations at these indices one at a time: the next is read once `keep` has resolved. `progress`: number of
   * bytes read, also of what comes before them.
   */
  take(
    files: readonly NamedBlob[],
    indices: readonly number[],
    keep: (taken: TakenConversation) => Promise<void>,
    progress?: (read: number) => void,
  ): Promise<void>;
  /** Reads a conversation exported by Coppice. `progress`: bytes read, reported now and then. */
  own(file: Blob, progress: (read: number) => void): Promise<ParseResult<TitledLog>>;
  /** Cancels the running task, which then rejects. */
  close(): void;
}

export const createImportReader = (now: () => number): ImportReader => {
  const worker = new Worker(new URL('./import-worker.ts', import.meta.url), { type: 'module', name: 'import' });
  let stop: (error: Error) => void = () => undefined;

  const run = (request: ImportRequest, onReport: (report: ImportReport) => void | Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      stop = reject;
      worker.onerror = (event) => reject(new Error(event.message || 'Reading was interrupted. Try again.'));
      worker.onmessage = async ({ data }: MessageEvent<ImportReport>) => {
        if (data.type === 'done') resolve();
        else if (data.type === 'failed') reject(new Error(data.message));
        else {
          try {
            await onReport(data);
          } catch (error) {
            worker.postMessage({ type: 'stop' } satisfies ImportRequest);
            reject(error);
          }
        }
      };
      worker.postMessage(request);
    });

  return {
    scan: (files, events) =>
      run({ type: 'scan', files, now: now() }, (report) => {
        if (report.type === 'rows') events.rows(report.rows);
        else if (report.type === 'refused') events.refused(report.refused);
        else if (report.type === 'progress') events.progress(report.read);
      }),
    take: (files, indices, keep, progress) =>
      run({ type: 'take', files, indices, now: now() }, async (report) => {
        if (report.type === 'progress') progress?.(report.read);
        if (report.type !== 'taken') return;
        await keep(report.taken);
        worker.postMessage({ type: 'next' } satisfies ImportRequest);
      }),
    own: async (file, progress) => {
      const entries: Entry[] = [];
      const attached = new Map<string, Blob>();
      let own: ParseResult<Pick<TitledLog, 'title'>> = parseFailure(null, 'Reading was interrupted. Try again.');
      await run({ type: 'own', file }, (report) => {
        if (report.type === 'entries') entries.push(...report.entries);
        else if (report.type === 'file') attached.set(report.id, report.bytes);
        else if (report.type === 'progress') progress(report.read);
        else if (report.type === 'own') own = report.read;
      });
      return own.ok ? parseSuccess({ ...own.value, entries, files: attached }) : own;
    },
    close: () => {
      worker.terminate();
      stop(new DOMException('Reading was cancelled.', 'AbortError'));
    },
  };
};

/** Reads the dialogues of files in any form that Import supports, for uses other than storing them as conversations. */
export const readDialogues: ReadDialogues = async (files, signal) => {
  const reader = createImportReader(Date.now);
  const close = () => reader.close();
  signal.addEventListener('abort', close);
  try {
    return await dialoguesIn(reader, files);
  } finally {
    signal.removeEventListener('abort', close);
    reader.close();
  }
};

const dialoguesIn = async (reader: ImportReader, files: readonly File[]) => {
  const blobs: NamedBlob[] = [];
  const logs: TitledLog[] = [];
  const refused: RefusedFile[] = [];
  for (const file of files) {
    const name = pathOf(file);
    // null: it cannot be read.
    const isLog = await isLogFile(file).catch(() => null);
    if (isLog === null) refused.push({ name, why: UNREADABLE });
    else if (isLog) {
      const own = await reader.own(file, () => undefined);
      if (own.ok) logs.push(own.value);
      else refused.push({ name, why: own.failure.message });
    } else blobs.push({ name, blob: file });
  }
  const indices: number[] = [];
  await reader.scan(blobs, {
    rows: (rows) => indices.push(...rows.map(({ index }) => index)),
    refused: (one) => refused.push(one),
    progress: () => undefined,
  });
  const dialogues: ReadDialogue[] = [];
  await reader.take(blobs, indices, async ({ forest }) => {
    dialogues.push(dialogueOf(forest));
  });
  return { dialogues: dialogues.filter(({ turns }) => turns.length > 0), logs, refused };
};

const dialogueOf = ({ title, turns: { turns } }: TakenConversation['forest']): ReadDialogue => {
  const places = new Map(turns.map(({ id }, at) => [id, at]));
  return {
    title,
    turns: turns.map((turn, at) => {
      const shown = turn.replies.find(({ id }) => id === turn.shownReplyId);
      const named = [turn.parentId, ...turn.references].flatMap((id) => (id === null ? [] : (places.get(id) ?? [])));
      const parent = turn.parentId === null ? undefined : places.get(turn.parentId);
      return {
        message: messageWithoutSpeaker(turn),
        speaker: turn.speaker,
        reply: shown === undefined ? '' : spokenOf(shown.text).answer,
        parents: parent !== undefined && parent >= at ? null : [...new Set(named)].filter((other) => other < at),
      };
    }),
  };
};
