import { Copy, Download } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { attachmentIds, type Entry } from '../../domain/entry.ts';
import { conversationTitle, turnsIn } from '../../domain/queries.ts';
import { foldInParts } from '../../engine/history/fold-in-parts.ts';
import { StorageFailure } from '../../engine/storage.ts';
import { createYielder } from '../../engine/tasks.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { download, fileName } from '../../ui/parts/download.ts';
import { Segmented } from '../../ui/parts/fields.tsx';
import { counted } from '../../ui/parts/format.ts';
import { useButReplyTexts, useInSteps } from '../../ui/parts/hooks.ts';
import { readPictureInks } from '../../ui/parts/picture.ts';
import { TaskProgress, useCancellableTask } from '../../ui/parts/progress.tsx';
import { Heading } from '../../ui/parts/text.tsx';
import { readSound } from './backup/backup-file.ts';
import styles from './export-dialog.module.css';
import { lostParts, unsupportedParts } from './write/parts.ts';
import { type Scope, WRITER_GROUPS, type Writer, type WrittenConversation } from './write/writer.ts';
import { WRITERS, writeFile } from './write/writers.ts';

const [OWN] = WRITERS;

/** Which conversations to export. */
type Which = 'this' | 'all';

interface Written {
  readonly done: number;
  readonly of: number;
}

/** What is not in the file: conversations, by title, and how many attached files of the others. */
interface LeftOut {
  readonly damaged: string[];
  readonly unread: string[];
  files: number;
}

/** What is to be said of them; null if there are none. */
const leftOutWords = ({ damaged, unread, files }: LeftOut): string | null => {
  const words = [
    ...(damaged.length > 0 ? [`Damaged, and so not in the file: ${damaged.join(', ')}.`] : []),
    ...(unread.length > 0 ? [`Could not be read, and so not in the file: ${unread.join(', ')}.`] : []),
    ...(files > 0 ? [`Without ${counted(files, 'attached file')}, which could not be read.`] : []),
  ];
  return words.length === 0 ? null : words.join(' ');
};

/** Exports the open conversation, or all of them, to a file in one of many formats; says beforehand what the format cannot hold. */
export const ExportDialog = ({ onClose }: { onClose: () => void }) => (
  <ExportOpen key={useApp((state) => state.conversationId)} onClose={onClose} />
);

const ExportOpen = ({ onClose }: { onClose: () => void }) => {
  const { announce, withStorage, filesOf } = useActions();
  const id = useApp((state) => state.conversationId);
  const forest = useApp((state) => state.forest);
  const entries = useApp((state) => state.entries);
  const conversations = useApp((state) => state.conversations);
  const [writer, setWriter] = useState<Writer>(OWN);
  const [wantsAll, setWhich] = useState<Which>('this');
  const [wantsPath, setScope] = useState<Scope>('forest');
  const [note, setNote] = useState<string | null>(null);
  const task = useCancellableTask<Written>();

  const open: WrittenConversation = useMemo(
    () => ({ id, title: conversationTitle(forest) || 'Conversation', entries, forest }),
    [id, entries, forest],
  );
  const which: Which = writer.several ? wantsAll : 'this';
  const scope: Scope = writer.path ? wantsPath : 'forest';
  const textless = useButReplyTexts(forest);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a reply says more of makes no difference
  const count = useCallback(
    function* () {
      return which === 'all' ? unsupportedParts(writer) : yield* lostParts(writer, open, scope);
    },
    [writer, which, scope, id, textless],
  );
  const { result, isDone } = useInSteps(count);
  const missing = isDone && result !== null ? result : null;
  const name = `${which === 'all' ? 'conversations' : fileName(open.title)}${writer.ending}`;
  const isEmpty = which === 'this' && entries.length === 0;

  /** null if it is damaged; where the storage has been closed, only those that memory holds can be read. */
  const read = (one: string): Promise<readonly Entry[] | 'unread' | null> =>
    withStorage((storage) => readSound(storage, one)).catch((error: unknown) => {
      if (!(error instanceof StorageFailure)) throw error;
      return 'unread' as const;
    });

  async function* chosen(show: (written: Written) => void, left: LeftOut): AsyncGenerator<WrittenConversation> {
    const withFiles = async (one: WrittenConversation): Promise<WrittenConversation> => {
      if (!writer.holds.includes('files')) return one;
      const files = await filesOf(one.entries);
      left.files += attachmentIds(one.entries).size - files.size;
      return { ...one, files };
    };
    if (which === 'this') return yield await withFiles(open);
    for (const [done, meta] of conversations.entries()) {
      show({ done, of: conversations.length });
      const log = meta.id === id ? entries : await read(meta.id);
      if (log === null || log === 'unread') {
        left[log ?? 'damaged'].push(meta.title || 'Untitled');
        continue;
      }
      const folded = await foldInParts(
        log,
        createYielder(() => performance.now()),
      );
      yield await withFiles({ id: meta.id, title: meta.title || 'Conversation', entries: log, forest: folded });
    }
  }

  /** `then` also gets what is to be said of what was left out, null if nothing was. */
  const write = (then: (file: Blob, leftOut: string | null) => void | Promise<void>) =>
    task.run(
      { done: 0, of: 1 },
      async (signal, show) => {
        const options = { scope, inks: readPictureInks(), now: Date.now() };
        const left: LeftOut = { damaged: [], unread: [], files: 0 };
        const file = await writeFile(writer, chosen(show, left), options, signal);
        const leftOut = leftOutWords(left);
        if (file !== null) await then(file, leftOut);
        else setNote(leftOut ?? `This conversation has nothing to export as ${writer.name}. ${writer.about}`);
      },
      (why) => setNote(why === null ? null : `Could not write the file: ${why}`),
    );
  const save = () =>
    write((file, leftOut) => {
      download(name, file, writer.type);
      if (leftOut !== null) return setNote(`Saved as ${name}. ${leftOut}`);
      announce(`Saved as ${name}.`);
      onClose();
    });
  const copy = () =>
    write(async (file, leftOut) => {
      try {
        await navigator.clipboard.writeText(await file.text());
        setNote(leftOut === null ? 'Copied.' : `Copied. ${leftOut}`);
      } catch {
        setNote('The browser blocked copying. Download the file instead.');
      }
    });

  return (
    <Dialog
      title="Export"
      description="Save a file for Coppice, other tools, training or reading."
      onClose={onClose}
      size="wide"
      actions={
        task.progress === null ? (
          <>
            <Button onClick={() => void copy()} disabled={isEmpty || writer.finish !== undefined}>
              <Copy size={14} aria-hidden />
              Copy
            </Button>
            <Button look="primary" disabled={isEmpty} onClick={() => void save()}>
              <Download size={14} aria-hidden />
              Download
            </Button>
          </>
        ) : (
          <TaskProgress label="Writing" words={name} {...task.progress} onCancel={task.cancel} />
        )
      }
    >
      <div className={styles.columns}>
        <div role="radiogroup" aria-label="Format" className={styles.formats}>
          {WRITER_GROUPS.map((group) => (
            <fieldset key={group}>
              <legend>{group}</legend>
              {WRITERS.filter((one) => one.group === group).map((one) => (
                <label key={one.id} data-chosen={one.id === writer.id}>
                  <input
                    type="radio"
                    name="format"
                    checked={one.id === writer.id}
                    disabled={task.progress !== null}
                    onChange={() => {
                      setWriter(one);
                      setNote(null);
                    }}
                  />
                  {one.name}
                </label>
              ))}
            </fieldset>
          ))}
        </div>
        <div className={styles.chosen}>
          <Heading size="large">{writer.name}</Heading>
          <p>{writer.about}</p>
          {writer.several && conversations.length > 1 && (
            <Segmented
              label="Conversations"
              options={[
                { value: 'this', label: 'This one' },
                { value: 'all', label: `All ${conversations.length}` },
              ]}
              value={which}
              onChange={setWhich}
            />
          )}
          {writer.path && (
            <Segmented
              label="How much"
              options={[
                { value: 'forest', label: 'Whole forest' },
                { value: 'path', label: 'Active path' },
              ]}
              value={scope}
              onChange={setScope}
            />
          )}
          <p className={styles.file}>{name}</p>
          {isEmpty ? (
            <p>There is nothing in this conversation yet.</p>
          ) : (
            <section aria-label="Not in this format" className={styles.missing}>
              {missing === null ? (
                <p>Looking for what this format leaves out…</p>
              ) : missing.length === 0 ? (
                <p>
                  {writer.id === OWN.id
                    ? `Everything is included: ${counted(turnsIn(forest), 'turn')} and ${counted(entries.length, 'entry', 'entries')} of history.`
                    : 'Everything in this conversation is included.'}
                </p>
              ) : (
                <>
                  <Heading level={4}>Not in this format</Heading>
                  <ul>
                    {missing.map((words) => (
                      <li key={words}>{words}</li>
                    ))}
                  </ul>
                </>
              )}
            </section>
          )}
          <p role="status" className={styles.note}>
            {note}
          </p>
        </div>
      </div>
    </Dialog>
  );
};
