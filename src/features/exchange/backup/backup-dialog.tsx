import { Archive } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { bytesInWords } from '../../../domain/numbers.ts';
import { errorMessage } from '../../../engine/model-failure.ts';
import { useActions, useApp } from '../../../ui/app-context.ts';
import { Button } from '../../../ui/parts/button.tsx';
import { Dialog } from '../../../ui/parts/dialog.tsx';
import { download } from '../../../ui/parts/download.ts';
import { useFilePicker } from '../../../ui/parts/fields.tsx';
import { counted, isoDay, timeAgo } from '../../../ui/parts/format.ts';
import { TaskProgress, useCancellableTask } from '../../../ui/parts/progress.tsx';
import { Heading, Row } from '../../../ui/parts/text.tsx';
import styles from './backup.module.css';
import { isBackup, packBackup } from './backup-file.ts';
import { BackupFound, RESTORING } from './backup-found.tsx';
import {
  beginCopies,
  type CopyFolder,
  copyFolder,
  foldersAreThere,
  partialName,
  stopCopies,
  writeCopy,
} from './write-copies.ts';

/** Saves everything to one file, and restores from one. */
export const BackupDialog = ({ onClose }: { onClose: () => void }) => {
  const { withStorage, announce } = useActions();
  const conversations = useApp((state) => state.conversations.length);
  const [given, setGiven] = useState<File | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isRestoring, setRestoring] = useState(false);
  const task = useCancellableTask<{ done: number; of: number }>();

  const backUp = () =>
    task.run(
      { done: 0, of: 1 },
      async (signal, show) => {
        const watch = { signal, onProgress: (done: number, of: number) => show({ done, of }) };
        const { file, damaged } = await withStorage((storage) => packBackup(storage, Date.now(), watch));
        const name = `coppice-backup-${isoDay(Date.now())}.zip`;
        download(name, file, 'application/zip');
        announce(`Saved as ${name}, ${bytesInWords(file.size)}.`);
        if (damaged.length === 0) onClose();
        else setFailure(`Damaged, and so not in ${name}: ${damaged.join(', ')}.`);
      },
      (why) => setFailure(why === null ? null : `Could not create the backup: ${why}`),
    );
  const open = async (file: File) => {
    setFailure(null);
    try {
      if (await isBackup(file)) setGiven(file);
      else setFailure(`${file.name} is not a backup of Coppice. For conversations of other tools, use Import.`);
    } catch {
      setFailure(
        `The browser could not read ${file.name}. Check that it still exists and that you have permission to read it, then choose it again.`,
      );
    }
  };
  const picker = useFilePicker('Backup file', ([file]) => file && void open(file), {
    accept: '.zip,application/zip',
  });

  return (
    <Dialog
      title="Backup"
      description="Save your conversations and settings as one file, to store safely or move to another browser."
      onClose={onClose}
      busy={isRestoring ? RESTORING : undefined}
    >
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
      {given !== null ? (
        <BackupFound
          file={given}
          onTaken={onClose}
          onRestoring={setRestoring}
          onRefused={(why) => {
            setGiven(null);
            setFailure(why);
          }}
        />
      ) : task.progress !== null ? (
        <TaskProgress label="Backing up" words="" {...task.progress} onCancel={task.cancel} />
      ) : (
        <>
          <section className={styles.section}>
            <Heading>Back up</Heading>
            <p>
              {counted(conversations, 'conversation')} with their files and history, your studies with all their labels,
              personas, keyboard shortcuts, the engine’s settings, and what the decider learned from you. Recently
              deleted conversations, models, which you can download again, and API keys are not included.
            </p>
            <Button look="primary" onClick={() => void backUp()}>
              <Archive size={14} aria-hidden />
              Download a backup
            </Button>
          </section>
          <section className={styles.section}>
            <Heading>Open a backup</Heading>
            <p>
              You can review what is new before anything changes. A backup can also be dropped anywhere on the page.
            </p>
            <Button onClick={picker.pick}>Choose a backup…</Button>
            {picker.input}
          </section>
          {foldersAreThere() && <FolderCopies onOpen={(file) => void open(file)} />}
        </>
      )}
    </Dialog>
  );
};

/** Automatic copies: where they go, when the last one was written, and why it failed. */
const FolderCopies = ({ onOpen }: { onOpen: (file: File) => void }) => {
  const actions = useActions();
  const [state, setState] = useState<CopyFolder | null>(null);
  /** Backups that were in the folder when it was chosen. */
  const [found, setFound] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const [isWriting, setWriting] = useState(false);
  const read = useRef(() => copyFolder(actions));
  useEffect(() => {
    read.current().then(setState, (error: unknown) => setFailure(errorMessage(error)));
  }, []);

  const run = async (task: () => Promise<CopyFolder | null>) => {
    setFailure(null);
    setWriting(true);
    try {
      setState(await task());
    } catch (error) {
      // Dismissing the folder picker is not a failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setFailure(errorMessage(error));
    } finally {
      setWriting(false);
    }
  };
  const choose = () =>
    run(async () => {
      const folder = await window.showDirectoryPicker?.({ mode: 'readwrite', id: 'coppice' });
      if (folder === undefined) return state;
      const begun = await beginCopies(actions, folder, Date.now());
      setFound(begun.found);
      return begun.state;
    });
  const openFound = (name: string) =>
    run(async () => {
      const file = await (await state?.folder.getFileHandle(name))?.getFile();
      if (file !== undefined) onOpen(file);
      return state;
    });
  const writeNow = () =>
    run(async () => {
      await state?.folder.requestPermission?.({ mode: 'readwrite' });
      return writeCopy(actions, Date.now());
    });
  const stop = () =>
    run(async () => {
      await stopCopies(actions);
      setFound([]);
      return null;
    });

  const why = failure ?? state?.failure ?? null;
  return (
    <section className={styles.section} aria-label="Copies into a folder">
      <Heading>Copies into a folder</Heading>
      {state === null ? (
        <p>
          Off. Choose a folder, and a backup is saved to it every ten minutes and when you leave, if anything has
          changed.
        </p>
      ) : (
        <p role="status">
          If anything has changed, a copy is saved to <b>{state.folder.name || 'the folder'}</b> every ten minutes and
          when you leave, as {state.file}. What there was no time for is saved soon after the page is next opened.{' '}
          {state.writtenAt === null
            ? 'No copy has been saved yet.'
            : `Last saved ${timeAgo(state.writtenAt, Date.now())}.`}
          {found.length > 0 &&
            ' The folder also has other backups, which stay as they are. Open one to see what it has that is not here.'}
        </p>
      )}
      {found.length > 0 && (
        <Row>
          {found.map((name) => (
            <Button key={name} size="small" idle={isWriting} onClick={() => void openFound(name)}>
              Open {name}
            </Button>
          ))}
        </Row>
      )}
      {why !== null && (
        <p role="alert" className={styles.failure}>
          Could not save the last copy: {why}
        </p>
      )}
      {state?.damaged !== undefined && (
        <p role="alert" className={styles.failure}>
          Damaged, and so not in the last copy, {partialName(state.file)}: {state.damaged}. If there is a copy from
          before, it stays as {state.file}: open it and press Merge to get conversations back.
        </p>
      )}
      <Row>
        <Button idle={isWriting} onClick={() => void choose()}>
          {state === null ? 'Choose a folder…' : 'Another folder…'}
        </Button>
        {state !== null && (
          <>
            <Button idle={isWriting} onClick={() => void writeNow()}>
              {state.failure === null ? 'Save now' : 'Allow and save now'}
            </Button>
            <Button idle={isWriting} onClick={() => void stop()}>
              Stop
            </Button>
          </>
        )}
      </Row>
    </section>
  );
};
