import type { TitledLog } from '../../app/conversations.ts';
import { failed, got, type Read } from '../../app/json-source.ts';
import type { Entry } from '../../domain/entry.ts';
import type { ImportReport, ImportRequest, TakenConversation } from './import-worker.ts';
import type { NamedBlob } from './read/read-blobs.ts';
import type { RefusedFile } from './read/read-files.ts';
import type { FoundRow } from './read/rows.ts';

export interface ScanEvents {
  rows(rows: readonly FoundRow[]): void;
  refused(refused: RefusedFile): void;
  /** Bytes that have been read. */
  progress(read: number): void;
}

/** Reads files in a worker of its own, which ends with it. */
export interface ImportReader {
  /** Resolves when all has been read. Rejects with an error whose message is for the person. */
  scan(files: readonly NamedBlob[], events: ScanEvents): Promise<void>;
  /** The conversations at these places, one after the other: the next is read when `keep` has ended. */
  take(
    files: readonly NamedBlob[],
    indices: readonly number[],
    keep: (taken: TakenConversation) => Promise<void>,
  ): Promise<void>;
  /** A conversation as Coppice exported it. `progress`: bytes that have been read, now and then. */
  own(file: Blob, progress: (read: number) => void): Promise<Read<TitledLog>>;
  /** Ends what is running, which then rejects. */
  close(): void;
}

export const createImportReader = (now: () => number): ImportReader => {
  const worker = new Worker(new URL('./import-worker.ts', import.meta.url), { type: 'module', name: 'import' });
  let stop: (error: Error) => void = () => undefined;

  const run = (request: ImportRequest, onReport: (report: ImportReport) => void | Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      stop = reject;
      worker.onerror = (event) => reject(new Error(event.message || 'Reading broke off. Try again.'));
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
    take: (files, indices, keep) =>
      run({ type: 'take', files, indices, now: now() }, async (report) => {
        if (report.type !== 'taken') return;
        await keep(report.taken);
        worker.postMessage({ type: 'next' } satisfies ImportRequest);
      }),
    own: async (file, progress) => {
      const entries: Entry[] = [];
      let own: Read<Omit<TitledLog, 'entries'>> = failed(null, 'Reading broke off. Try again.');
      await run({ type: 'own', file }, (report) => {
        if (report.type === 'entries') entries.push(...report.entries);
        else if (report.type === 'progress') progress(report.read);
        else if (report.type === 'own') own = report.read;
      });
      return own.ok ? got({ ...own.value, entries }) : own;
    },
    close: () => {
      worker.terminate();
      stop(new DOMException('Reading was cancelled.', 'AbortError'));
    },
  };
};
