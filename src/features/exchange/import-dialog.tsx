import { ArrowLeft, FileUp } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { TitledLog } from '../../app/conversations.ts';
import type { ReadFailure } from '../../app/json-source.ts';
import type { Entry } from '../../domain/entry.ts';
import { sizeOf } from '../../domain/table.ts';
import { errorMessage } from '../../engine/model-failure.ts';
import type { Dialogue } from '../../engine/ports.ts';
import { dueEvery } from '../../engine/tasks.ts';
import { useActions, useAppState } from '../../ui/app-context.ts';
import type { FeatureDialogProps } from '../../ui/commands/feature.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { useFilePicker } from '../../ui/parts/fields.tsx';
import { count, counted } from '../../ui/parts/format.ts';
import { droppedItems, filesFound, type GivenFiles, pathOf, UNREADABLE, useDropZone } from '../../ui/parts/hooks.ts';
import { TaskProgress } from '../../ui/parts/progress.tsx';
import { FailureBox } from '../../ui/parts/text.tsx';
import { isBackup } from './backup/backup-file.ts';
import { BackupFound, RESTORING } from './backup/backup-found.tsx';
import { FoundConversations, NotRead } from './found-conversations.tsx';
import styles from './import-dialog.module.css';
import { createImportReader, type ImportReader } from './import-reader.ts';
import type { TakenConversation } from './import-worker.ts';
import { isLogFile } from './read/coppice-log.ts';
import { filesWithoutPlace, newEntries, newFiles } from './read/entries-of.ts';
import { createFileKeeper } from './read/keep-files.ts';
import type { RefusedFile } from './read/read-files.ts';
import type { FoundRow } from './read/rows.ts';

/** The given files, and what is known of them so far. */
interface PendingImport {
  readonly name: string;
  readonly files: readonly File[];
  readonly rows: readonly FoundRow[];
  readonly refused: readonly RefusedFile[];
}

/** Conversations exported by Coppice. */
interface OwnExports {
  readonly name: string;
  readonly logs: readonly TitledLog[];
  /** What was given beside them. */
  readonly unreadable: readonly RefusedFile[];
}

/** A longer task; `of` counts bytes or conversations. */
interface Task {
  readonly label: string;
  readonly words: string;
  readonly done: number;
  readonly of: number;
}

/** Number of turns from which an imported conversation may have several topics. */
const WORTH_SORTING = 4;

/** Minimum time between updates, in milliseconds. */
const TELL_EVERY = 150;

/** From files to conversations: opened as they were, or replayed through the engine. Changes nothing before that. */
export const ImportDialog = ({ with: dropped, onClose }: FeatureDialogProps<GivenFiles>) => {
  const actions = useActions();
  const state = useAppState();
  const [given, setGiven] = useState<PendingImport | null>(null);
  const [own, setOwn] = useState<OwnExports | null>(null);
  const [backup, setBackup] = useState<File | null>(null);
  const [failure, setFailure] = useState<NotUnderstood | null>(null);
  const [task, setTask] = useState<Task | null>(null);
  const [reader, setReader] = useState<ImportReader | null>(null);
  const [isRestoring, setRestoring] = useState(false);
  const [isLooking, setLooking] = useState(false);
  useEffect(() => () => reader?.close(), [reader]);
  /** Changes with what is given, when that is left, and when the dialog is closed: nothing given before is then read. */
  const attempt = useRef(0);
  useEffect(
    () => () => {
      attempt.current++;
    },
    [],
  );

  const back = () => {
    attempt.current++;
    setLooking(false);
    setReader(null);
    setGiven(null);
    setOwn(null);
    setBackup(null);
    setTask(null);
  };
  const fail = (name: string, message: string, stored: Pick<NotUnderstood, 'opened' | 'isRead'> = { opened: 0 }) => {
    back();
    setFailure({ name, failure: { line: null, message }, ...stored });
  };

  const give = async (all: GivenFiles) => {
    const isFolder = all instanceof Promise;
    if (isRestoring || (!isFolder && all.length === 0)) return;
    setFailure(null);
    // Files dropped on top of an earlier result replace it.
    back();
    const begun = attempt.current;
    const isLeft = () => attempt.current !== begun;
    setLooking(isFolder);
    const found = await filesFound(all);
    if (isLeft()) return;
    const { files } = found;
    const [first] = files;
    const [only = 'The folder', ...more] = [...files.map((file) => file.name), ...found.unreadable];
    const name = more.length === 0 ? only : counted(more.length + 1, 'file');
    if (first === undefined) return fail(name, found.unreadable.length === 0 ? 'There is nothing in it.' : UNREADABLE);
    try {
      if (more.length === 0 && (await isBackup(first))) {
        if (!isLeft()) setBackup(first);
        return;
      }
      // null: it cannot be read.
      const areLogs = await Promise.all(files.map((file) => isLogFile(file).catch(() => null)));
      if (isLeft()) return;
      const readable = files.filter((_, at) => areLogs[at] !== null);
      const others = files.filter((_, at) => areLogs[at] === null);
      if (readable.length === 0) return fail(name, UNREADABLE);
      const unreadable = [...found.unreadable, ...others.map(pathOf)].map((path) => ({ name: path, why: UNREADABLE }));
      if (areLogs.every((isLog) => isLog !== false)) return await readOwn(name, readable, unreadable);
      await scan(name, readable, unreadable);
    } catch (error) {
      if (!isEnded(error) && !isLeft()) fail(name, UNREADABLE);
    }
  };

  const readOwn = async (name: string, files: readonly File[], unreadable: readonly RefusedFile[]) => {
    const made = createImportReader(Date.now);
    setReader(made);
    const logs: TitledLog[] = [];
    for (const file of files) {
      const read = await made.own(file, (done) => setTask({ label: 'Reading', words: file.name, done, of: file.size }));
      if (!read.ok) {
        back();
        return setFailure({ name: file.name, failure: read.failure, opened: 0 });
      }
      logs.push(read.value);
    }
    back();
    setOwn({ name, logs, unreadable });
  };

  const scan = async (name: string, files: readonly File[], unreadable: readonly RefusedFile[]) => {
    const total = bytesIn(files);
    const made = createImportReader(Date.now);
    setReader(made);
    const rows: FoundRow[] = [];
    const refused: RefusedFile[] = [...unreadable];
    const show = () => setGiven({ name, files, rows: [...rows], refused: [...refused] });
    // Rendering the list and the progress on every worker message would take longer than reading.
    const isDue = dueEvery(TELL_EVERY);
    let shown = 0;
    await made.scan(blobsOf(files), {
      rows: (more) => rows.push(...more),
      refused: (one) => refused.push(one),
      progress: (read) => {
        if (!isDue()) return;
        setTask({ label: 'Reading', words: name, done: read, of: total });
        if (rows.length !== shown) show();
        shown = rows.length;
      },
    });
    setTask(null);
    // For a single file without any content, says why, with the line.
    if (rows.length > 0 || files.length + unreadable.length > 1) return show();
    back();
    const [{ why, line = null } = { why: 'There is nothing in it.' }] = refused;
    setFailure({ name, failure: { line, message: why }, opened: 0 });
  };

  /** Shows at once that the files are read again, which may take as long as before until a conversation is reached. */
  const seeking = ({ name, files }: PendingImport, label: string): ((read: number) => void) => {
    const isDue = dueEvery(TELL_EVERY);
    const show = (read: number) => setTask({ label, words: name, done: read, of: bytesIn(files) });
    show(0);
    return (read) => {
      if (isDue()) show(read);
    };
  };

  const open = async (chosen: readonly FoundRow[]) => {
    if (given === null || reader === null) return;
    const indices = chosen.map(({ index }) => index);
    const kept: string[] = [];
    let [there, empty, missing, unplaced] = [0, 0, 0, 0];
    const isDue = dueEvery(TELL_EVERY);
    const seek = seeking(given, 'Opening');
    const files = createFileKeeper(blobsOf(given.files), actions.keepFile);
    const keep = async ({ forest }: TakenConversation): Promise<void> => {
      if (forest.turns.turns.length === 0) {
        empty++;
        return;
      }
      // Rendering the list below for each of thousands would take longer than saving them.
      if (isDue()) setTask({ label: 'Opening', words: forest.title, done: kept.length, of: indices.length });
      const added = await actions.keepConversation(forest.key, forest.title, async (known) => {
        const wanted = newFiles(forest, known);
        const found = await files.keep(wanted);
        missing += wanted.length - found.size;
        const entries = newEntries(forest, known, found);
        unplaced += filesWithoutPlace(forest, entries);
        return entries;
      });
      if (added === 0) there++;
      kept.push(forest.key);
    };
    let keeping = Promise.resolve();
    try {
      await reader.take(
        blobsOf(given.files),
        indices,
        (taken) => {
          keeping = keep(taken);
          return keeping;
        },
        (read) => {
          if (kept.length === 0) seek(read);
        },
      );
      onClose();
      const [first] = kept;
      if (first !== undefined) await actions.openKept(first);
      const words = `${openedWords(kept.length, there, empty)}${missingWords(missing)}${unplacedWords(unplaced)}`;
      const { nodes } = state().forest;
      const canSort = there < kept.length && sizeOf(nodes) >= WORTH_SORTING;
      actions.announce(
        words,
        canSort
          ? { label: 'Sort into topics', run: () => actions.session({ dialog: 'sort-topics' }), here: true }
          : null,
      );
    } catch (ended) {
      // What was stored by then stays, and what was being stored then is stored to its end.
      let isRead = false;
      const error = await keeping.then(
        () => ended,
        (failed: unknown) => {
          isRead = true;
          return failed;
        },
      );
      const opened = kept.length - there;
      // Part of a long one may have been stored. If not even the list can be read, the failure below says so.
      await actions.listKept().catch(() => undefined);
      if (!isEnded(ended)) fail(given.name, errorMessage(ended), { opened, isRead });
      // It was cancelled, and then could not be stored.
      else if (!isEnded(error)) actions.announce(`${given.name}: ${errorMessage(error)}`);
      else if (kept.length + empty === indices.length) actions.announce(openedWords(kept.length, there, empty));
      else if (opened > 0)
        actions.announce(`Stopped: ${opened} of ${counted(indices.length, 'conversation')} opened as they were.`);
    }
  };

  const replay = async (row: FoundRow) => {
    if (given === null || reader === null) return;
    const { backTo } = state().session;
    const taken: Dialogue[] = [];
    const keep = async ({ dialogue }: TakenConversation): Promise<void> => void taken.push(dialogue);
    try {
      await reader.take(blobsOf(given.files), [row.index], keep, seeking(given, 'Reading'));
    } catch (error) {
      if (isEnded(error)) return;
      return fail(given.name, errorMessage(error));
    }
    onClose();
    for (const dialogue of taken) void actions.replay(dialogue, { running: true, dialog: backTo });
  };

  const giveLatest = useRef(give);
  giveLatest.current = give;
  useEffect(() => void giveLatest.current(dropped ?? []), [dropped]);
  const holds =
    given !== null
      ? counted(given.rows.length, 'conversation')
      : own !== null
        ? ownWords(own)
        : backup !== null
          ? 'a backup of everything'
          : null;
  const isWaiting = given === null && own === null && backup === null && task === null;

  return (
    <Dialog
      title="Import"
      description="Open conversations from other tools as they were, replay them through the engine, or open Coppice exports."
      size={given === null ? 'medium' : 'wide'}
      onClose={onClose}
      busy={isRestoring ? RESTORING : undefined}
    >
      {/* There before its words, which otherwise would not be announced. */}
      <p aria-live="polite" className="visually-hidden">
        {task !== null
          ? `${task.label}…`
          : isLooking
            ? 'The folder is being looked through.'
            : holds !== null && !isRestoring
              ? `${(given ?? own ?? backup)?.name}, ${holds}`
              : ''}
      </p>
      {isWaiting && !isLooking && <GiveFile failure={failure} onFiles={(files) => void give(files)} />}
      {isWaiting && isLooking && (
        <div className={styles.foot}>
          <p>Looking through the folder</p>
          <Button onClick={back}>Cancel</Button>
        </div>
      )}
      {given === null && task !== null && <TaskProgress {...task} onCancel={back} />}
      {given !== null && (
        <>
          <ChosenFile name={given.name} holds={holds} onBack={back} />
          <FoundConversations
            rows={given.rows}
            refused={given.refused}
            busy={task === null ? null : <TaskProgress {...task} onCancel={back} />}
            onOpen={(rows) => void open(rows)}
            onReplay={(row) => void replay(row)}
          />
        </>
      )}
      {backup !== null && (
        <>
          {!isRestoring && <ChosenFile name={backup.name} holds={holds} onBack={back} />}
          <BackupFound
            file={backup}
            onTaken={onClose}
            onRestoring={setRestoring}
            onRefused={(message) => fail(backup.name, message)}
          />
        </>
      )}
      {own !== null && <OpenConversations {...own} onBack={back} onOpened={onClose} />}
    </Dialog>
  );
};

/** Whether the user cancelled reading. */
const isEnded = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** `all`: those with messages. */
const openedWords = (all: number, there: number, empty: number): string => {
  if (empty > 0) {
    const opened = all === 0 ? 'Nothing was added: ' : `${openedWords(all, there, 0)} `;
    return `${opened}${counted(empty, 'conversation')} had no messages.`;
  }
  if (there === 0) return `${counted(all, 'conversation')} opened as ${all === 1 ? 'it was' : 'they were'}.`;
  if (there === all) return `${all === 1 ? 'The conversation was' : 'All were'} already here, so nothing was added.`;
  return `${counted(all - there, 'conversation')} opened, ${count(there)} ${there === 1 ? 'was' : 'were'} here already.`;
};

const missingWords = (files: number): string =>
  files === 0 ? '' : ` ${counted(files, 'file was', 'files were')} not in the export.`;

const unplacedWords = (files: number): string =>
  files === 0
    ? ''
    : ` ${counted(files, 'file')} of new answers to earlier messages could not be added: ${files === 1 ? 'it is' : 'they are'} only in the export.`;

const bytesIn = (files: readonly File[]): number => files.reduce((sum, { size }) => sum + size, 0);

const blobsOf = (files: readonly File[]) => files.map((blob) => ({ name: pathOf(blob), blob }));

const ownWords = ({ logs }: Pick<OwnExports, 'logs'>): string =>
  logs.length === 1 ? 'a Coppice conversation' : counted(logs.length, 'Coppice conversation');

/** Opens exported conversations as new ones. */
const OpenConversations = ({
  name,
  logs,
  unreadable,
  onBack,
  onOpened,
}: OwnExports & {
  onBack: () => void;
  onOpened: () => void;
}) => {
  const { adopt } = useActions();
  const open = async () => {
    onOpened();
    for (const log of logs) await adopt(log);
  };
  const turns = logs.reduce((sum, { entries }) => sum + turnsIn(entries), 0);
  const entries = logs.reduce((sum, log) => sum + log.entries.length, 0);
  return (
    <>
      <ChosenFile name={name} holds={ownWords({ logs })} onBack={onBack} />
      {unreadable.length > 0 && <NotRead refused={unreadable} />}
      <div className={styles.dialogue}>
        <div>
          <b dir="auto">{logs.map(({ title }) => title || 'Untitled').join(', ')}</b>
          <small>
            {counted(turns, 'turn')} · {counted(entries, 'entry', 'entries')} of history
          </small>
        </div>
        <Button look="primary" onClick={() => void open()}>
          {logs.length === 1 ? 'Open' : 'Open all'}
        </Button>
      </div>
    </>
  );
};

const turnsIn = (entries: readonly Entry[]): number =>
  entries.filter(({ event }) => event.type === 'message-sent').length;

/** The chosen file and its content, with a button to choose another. */
const ChosenFile = ({ name, holds, onBack }: { name: string; holds: string | null; onBack: () => void }) => (
  <div className={styles.chosen}>
    <Button look="quiet" size="small" onClick={onBack}>
      <ArrowLeft size={14} aria-hidden />
      Another file
    </Button>
    <p>
      <b>{name}</b>, {holds}
    </p>
  </div>
);

interface NotUnderstood {
  readonly name: string;
  readonly failure: ReadFailure;
  /** How many of its conversations were stored before it failed. */
  readonly opened: number;
  /** Whether it was understood, and failed to be stored. */
  readonly isRead?: boolean;
}

/** Input for files, by drop or picker, and for pasted text. */
const GiveFile = ({ failure, onFiles }: { failure: NotUnderstood | null; onFiles: (files: GivenFiles) => void }) => {
  const picker = useFilePicker('File', onFiles, { multiple: true });
  const [pasted, setPasted] = useState('');
  const id = useId();

  const zone = useDropZone((data) => onFiles(droppedItems(data)));

  return (
    <>
      {failure !== null && <Failure {...failure} />}
      <div role="group" aria-label="Drop a file" className={styles.drop} {...zone}>
        <FileUp size={22} strokeWidth={1.5} aria-hidden />
        <p>Drop files, a folder or a .zip here: exports from ChatGPT, Claude, Open WebUI and over twenty other tools</p>
        <Button onClick={picker.pick}>Choose files</Button>
        {picker.input}
      </div>
      <label className={styles.label} htmlFor={id}>
        Or paste text
      </label>
      <textarea
        id={id}
        className={styles.paste}
        rows={5}
        spellCheck={false}
        placeholder='[{"role": "user", "content": "…"}, {"role": "assistant", "content": "…"}]'
        value={pasted}
        onChange={(event) => setPasted(event.target.value)}
      />
      <div className={styles.foot}>
        <p>
          A copied chat with a name before each message (You: … ChatGPT: …), or JSON: messages with role and content as
          an array, as lines or in an object with “messages”, or lines with conversation_id and user_turns.
        </p>
        <Button
          look="primary"
          disabled={pasted.trim() === ''}
          onClick={() => onFiles([new File([pasted], 'Pasted dialogue')])}
        >
          Read it
        </Button>
      </div>
    </>
  );
};

const Failure = ({ name, failure: { line, message }, opened, isRead = false }: NotUnderstood) => (
  <FailureBox>
    <b>
      {opened > 0
        ? `${counted(opened, 'conversation')} of ${name} opened, the others not.`
        : isRead
          ? `${name} was read, but could not be stored.`
          : `${name} was not understood${line === null ? '' : `, line ${line}`}.`}
    </b>
    <p>{message}</p>
    {(opened > 0 || !isRead) && (
      <p>{opened > 0 ? 'Import it again to open the others.' : 'Nothing has been changed.'}</p>
    )}
  </FailureBox>
);
