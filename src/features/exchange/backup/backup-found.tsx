import { useEffect, useRef, useState } from 'react';
import { KEPT_IN_WORDS } from '../../../app/deleted-conversations.ts';
import { errorMessage } from '../../../engine/model-failure.ts';
import { useActions } from '../../../ui/app-context.ts';
import { Button } from '../../../ui/parts/button.tsx';
import { count, counted, dateTime } from '../../../ui/parts/format.ts';
import { TaskProgress } from '../../../ui/parts/progress.tsx';
import styles from './backup.module.css';
import { type BackupReport, type RestoreMode, takeBackup } from './take-backup.ts';

interface BackupFoundProps {
  readonly file: File;
  readonly onTaken: () => void;
  /** Called if it cannot be read, with whole sentences for the user. */
  readonly onRefused: (why: string) => void;
}

interface Task {
  readonly how: RestoreMode;
  readonly done: number;
  readonly of: number;
}

const LABELS: Readonly<Record<RestoreMode, string>> = { look: 'Comparing', merge: 'Merging', restore: 'Restoring' };

/** Shows what is new in a given backup and offers two ways to take it. Changes nothing before one is chosen. */
export const BackupFound = ({ file, onTaken, onRefused }: BackupFoundProps) => {
  const { withStorage, changeStorage, announce } = useActions();
  const [report, setReport] = useState<BackupReport | null>(null);
  const [task, setTask] = useState<Task | null>({ how: 'look', done: 0, of: file.size });
  const [confirming, setConfirming] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const ending = useRef(new AbortController());

  const run = async (how: RestoreMode): Promise<BackupReport> => {
    const own = new AbortController();
    ending.current = own;
    setTask({ how, done: 0, of: file.size });
    const watch = { signal: own.signal, onProgress: (done: number, of: number) => setTask({ how, done, of }) };
    const access = how === 'look' ? withStorage : changeStorage;
    try {
      return await access((storage) => takeBackup(file, storage, how, Date.now(), watch));
    } finally {
      if (ending.current === own) setTask(null);
    }
  };

  const look = useRef(run);
  const refuse = useRef(onRefused);
  refuse.current = onRefused;
  useEffect(() => {
    look.current('look').then(setReport, (error: unknown) => {
      if (!ending.current.signal.aborted) refuse.current(errorMessage(error));
    });
    return () => ending.current.abort();
  }, []);

  const take = async (how: 'merge' | 'restore') => {
    setFailure(null);
    try {
      const { added, longer, differing, studies, labels } = await run(how);
      onTaken();
      if (how === 'merge') {
        announce(
          added + longer + differing + studies + labels === 0
            ? 'Everything in it was already here.'
            : 'The backup was merged.',
        );
        return;
      }
      // Settings and keys are read when the page loads.
      location.reload();
    } catch (error) {
      if (!ending.current.signal.aborted) setFailure(errorMessage(error));
    }
  };

  return (
    <>
      {report !== null && <ReportTable report={report} />}
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
      {task !== null ? (
        <TaskProgress
          label={LABELS[task.how]}
          words={file.name}
          done={task.done}
          of={task.of}
          onCancel={() => {
            ending.current.abort();
            if (task.how === 'look') onRefused('Reading was cancelled.');
          }}
        />
      ) : confirming && report !== null ? (
        <div className={styles.foot}>
          <p>
            Everything will be as it was on {dateTime(report.madeAt)}, including settings and what the decider learned.{' '}
            {report.onlyHere > 0 &&
              `${counted(report.onlyHere, 'conversation')} that ${report.onlyHere === 1 ? 'is' : 'are'} only here will be deleted.`}{' '}
            Deleted and replaced conversations stay in Recently deleted for {KEPT_IN_WORDS}. Study labels stay,
            including those that are only here.
          </p>
          <Button onClick={() => setConfirming(false)}>Cancel</Button>
          <Button look="primary" onClick={() => void take('restore')}>
            Restore it
          </Button>
        </div>
      ) : (
        report !== null && (
          <div className={styles.foot}>
            <p>Merge adds what is new and removes nothing. Restore returns everything to how it was.</p>
            <Button onClick={() => setConfirming(true)}>Restore…</Button>
            <Button look="primary" onClick={() => void take('merge')}>
              Merge
            </Button>
          </div>
        )
      )}
    </>
  );
};

const ReportTable = ({ report }: { report: BackupReport }) => {
  const { added, longer, differing, same, onlyHere, lessons, studies, labels, damaged, madeAt } = report;
  const rows = [
    ['Conversations that are not here', added],
    ['Conversations that continue in the backup', longer],
    ['Conversations that continue differently there: both are kept', differing],
    ['Conversations that are here already', same],
    ['Conversations that are only here', onlyHere],
    ['Lessons of the decider that are not here', lessons],
    ['Studies that are not here', studies],
    ['Labels of studies that are not here', labels],
  ] as const;
  return (
    <>
      <p className={styles.about}>Made on {dateTime(madeAt)}.</p>
      <table aria-label="What is new" className={styles.report}>
        <tbody>
          {rows.map(([words, number]) => (
            <tr key={words} data-none={number === 0}>
              <th scope="row">{words}</th>
              <td>{count(number)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {damaged.length > 0 && (
        <ul role="alert" className={styles.failure}>
          {damaged.slice(0, 5).map(({ title, why }) => (
            <li key={`${title} ${why}`}>
              <b>{title}</b> cannot be read: {why}
            </li>
          ))}
          {damaged.length > 5 && <li>And {count(damaged.length - 5)} more.</li>}
        </ul>
      )}
    </>
  );
};
