/*
 * Reads files of conversations off the main thread, one request at a time: `scan` for the rows of everything they contain;
 * `take` for the logs of some, sent one at a time as `next` asks for them; `own` for a log exported by Coppice itself.
 * `stop` cancels the first two.
 */

import type { TitledLog } from '../../app/conversations.ts';
import { type ParseResult, parseSuccess } from '../../app/json-source.ts';
import type { Entry } from '../../domain/entry.ts';
import { errorMessage } from '../../engine/model-failure.ts';
import type { Dialogue } from '../../engine/ports.ts';
import { readLogFile } from './read/coppice-log.ts';
import { forestOf, type ImportedForest } from './read/entries-of.ts';
import { readBlobs } from './read/read-blobs.ts';
import type { NamedBlob, RefusedFile } from './read/read-files.ts';
import { dialogueOf, type FoundRow, foundRow } from './read/rows.ts';

export type ImportRequest =
  | { readonly type: 'scan'; readonly files: readonly NamedBlob[]; readonly now: number }
  | {
      readonly type: 'take';
      readonly files: readonly NamedBlob[];
      readonly indices: readonly number[];
      readonly now: number;
    }
  | { readonly type: 'own'; readonly file: Blob }
  | { readonly type: 'next' }
  | { readonly type: 'stop' };

/** A requested conversation. */
export interface TakenConversation {
  readonly forest: Omit<ImportedForest, 'tree'>;
  readonly dialogue: Dialogue;
}

export type ImportReport =
  | { readonly type: 'rows'; readonly rows: readonly FoundRow[] }
  | { readonly type: 'refused'; readonly refused: RefusedFile }
  | { readonly type: 'progress'; readonly read: number }
  | { readonly type: 'taken'; readonly taken: TakenConversation }
  | { readonly type: 'entries'; readonly entries: readonly Entry[] }
  /** An attached file of the log that is being read. */
  | { readonly type: 'file'; readonly id: string; readonly bytes: Blob }
  | { readonly type: 'own'; readonly read: ParseResult<Pick<TitledLog, 'title'>> }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly message: string };

const report = (message: ImportReport): void => self.postMessage(message);

/** Rows are sent in batches: five thousand messages would each wake the page. */
const PORTION = 200;

/** Log entries sent per message: few enough to be handled within a frame. */
const ENTRIES = 1000;

let running = new AbortController();
let wake: () => void = () => undefined;

self.onmessage = ({ data }: MessageEvent<ImportRequest>) => {
  switch (data.type) {
    case 'next':
      return wake();
    case 'stop':
      running.abort();
      return wake();
    case 'scan':
    case 'take':
    case 'own': {
      running.abort();
      running = new AbortController();
      const { signal } = running;
      const work = data.type === 'scan' ? scan(data, signal) : data.type === 'take' ? take(data, signal) : own(data);
      work.then(
        () => report({ type: 'done' }),
        (error: unknown) => {
          if (!signal.aborted) report({ type: 'failed', message: errorMessage(error) });
        },
      );
    }
  }
};

const scan = async ({ files, now }: ImportRequest & { type: 'scan' }, signal: AbortSignal): Promise<void> => {
  let rows: FoundRow[] = [];
  let index = 0;
  const flush = (): void => {
    if (rows.length > 0) report({ type: 'rows', rows });
    rows = [];
  };
  for await (const step of readBlobs(files, signal)) {
    if (step.kind === 'found') rows.push(foundRow(index++, step.found, now));
    else if (step.kind === 'refused') report({ type: 'refused', refused: step.refused });
    else report({ type: 'progress', read: step.read });
    if (rows.length >= PORTION || step.kind === 'progress') flush();
  }
  flush();
};

const take = async ({ files, indices, now }: ImportRequest & { type: 'take' }, signal: AbortSignal): Promise<void> => {
  const wanted = new Set(indices);
  let index = -1;
  for await (const step of readBlobs(files, signal)) {
    if (step.kind === 'progress') report({ type: 'progress', read: step.read });
    if (step.kind !== 'found' || !wanted.has(++index)) continue;
    const { tree: _, ...forest } = forestOf(step.found.conversation, now);
    const next = new Promise<void>((resolve) => {
      wake = resolve;
    });
    report({ type: 'taken', taken: { forest, dialogue: dialogueOf(forest) } });
    await next;
    signal.throwIfAborted();
    wanted.delete(index);
    if (wanted.size === 0) return;
  }
};

const own = async ({ file }: ImportRequest & { type: 'own' }): Promise<void> => {
  const read = await readLogFile(
    file,
    (id, bytes) => report({ type: 'file', id, bytes }),
    (share) => report({ type: 'progress', read: share * file.size }),
  );
  if (!read.ok) return report({ type: 'own', read });
  const { entries, title } = read.value;
  for (let from = 0; from < entries.length; from += ENTRIES) {
    report({ type: 'entries', entries: entries.slice(from, from + ENTRIES) });
  }
  report({ type: 'own', read: parseSuccess({ title }) });
};
