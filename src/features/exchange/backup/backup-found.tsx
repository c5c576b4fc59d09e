import { useLayoutEffect, useRef, useState } from 'react';
import { KEPT_IN_WORDS } from '../../../app/deleted-conversations.ts';
import { useActions, useApp, useAppState } from '../../../ui/app-context.ts';
import { Button } from '../../../ui/parts/button.tsx';
import { count, counted, dateTime } from '../../../ui/parts/format.ts';
import { TaskProgress, useCancellableTask } from '../../../ui/parts/progress.tsx';
import styles from './backup.module.css';
import { type BackupReport, type RestoreMode, restoreObstacle, takeBackup } from './take-backup.ts';

interface BackupFoundProps {
  readonly file: File;
  readonly onTaken: () => void;
  /** Called with true once a restore has begun, which cannot be stopped, and with false if it fails. */
  readonly onRestoring: (begun: boolean) => void;
  /** Called if it cannot be read, with whole sentences for the user. */
  readonly onRefused: (why: string) => void;
}

interface Task {
  readonly how: RestoreMode;
  readonly done: number;
  readonly of: number;
}

const LABELS: Readonly<Record<RestoreMode, string>> = { look: 'Comparing', merge: 'Merging', restore: 'Restoring' };

/** What the dialog that a backup is restored in says for as long as that takes. */
export const RESTORING = 'A backup is being restored. The page reloads when it is done.';

/** Shows what is new in a given backup and offers two ways to take it. Changes nothing before one is chosen. */
export const BackupFound = ({ file, onTaken, onRestoring, onRefused }: BackupFoundProps) => {
  const { withStorage, changeStorage, fileId, announce, reportFailure } = useActions();
  const state = useAppState();
  const obstacle = useApp(({ storage }) => restoreObstacle(storage));
  const [report, setReport] = useState<BackupReport | null>(null);
  const task = useCancellableTask<Task>();
  const [confirming, setConfirming] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const run = (how: RestoreMode, onDone: (found: BackupReport) => void, onFailure: (why: string | null) => void) =>
    task.run(
      { how: how === 'merge' ? how : 'look', done: 0, of: file.size },
      async (signal, show) => {
        // A restore begins with a look.
        const now: { phase: RestoreMode } = { phase: how === 'merge' ? how : 'look' };
        const watch = {
          signal,
          fileId,
          onProgress: (done: number, of: number) => show({ how: now.phase, done, of }),
          onRestoring: () => {
            now.phase = 'restore';
            show({ how: now.phase, done: 0, of: file.size });
            onRestoring(true);
          },
          obstacle: () => restoreObstacle(state().storage),
        };
        const access = how === 'look' ? withStorage : changeStorage;
        try {
          onDone(await access((storage) => takeBackup(file, storage, how, Date.now(), watch)));
        } catch (error) {
          onRestoring(false);
          // This is no longer shown.
          if (signal.aborted && now.phase === 'restore') reportFailure('Restoring the backup', error);
          throw error;
        }
      },
      onFailure,
    );

  const look = useRef(() => run('look', setReport, (why) => why !== null && onRefused(why)));
  // Before the first paint, so that the dialog does not open without content.
  useLayoutEffect(() => void look.current(), []);

  const take = (how: 'merge' | 'restore') =>
    run(
      how,
      ({ added, longer, differing, restored, lessons, studies, labels }) => {
        onTaken();
        // Settings and keys are read when the page loads.
        if (how === 'restore') return location.reload();
        announce(
          added + longer + differing + restored + lessons + studies + labels === 0
            ? 'Nothing in it was new here.'
            : 'The backup was merged.',
        );
      },
      setFailure,
    );

  const running = task.progress;
  const cancel = () => {
    task.cancel();
    if (running?.how === 'merge') announce('Stopped. What was merged by then stays.');
    else if (report === null) onRefused('Reading was cancelled.');
  };
  return (
    <>
      {report !== null && <ReportTable report={report} />}
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
      {running !== null ? (
        <TaskProgress
          label={LABELS[running.how]}
          words={running.how === 'restore' ? 'The page reloads when it is done.' : file.name}
          done={running.done}
          of={running.of}
          onCancel={running.how === 'restore' ? undefined : cancel}
        />
      ) : confirming && report !== null ? (
        <div className={styles.foot}>
          <p>
            Back to {dateTime(report.madeAt)}: conversations, keyboard shortcuts, personas, engine settings and what the
            decider learned will be as they were then.{' '}
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
            <p>
              Merge adds the conversations, lessons and studies that are new and removes nothing; personas, shortcuts
              and engine settings stay as they are here.{' '}
              {obstacle ?? 'Restore puts everything in the backup back as it was.'}
            </p>
            <Button disabled={obstacle !== null} onClick={() => setConfirming(true)}>
              Restore…
            </Button>
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
  const { added, longer, differing, restored, same, onlyHere, lessons, studies, labels, damaged, madeAt } = report;
  const rows = [
    ['Conversations that are not here', added],
    ['Conversations that continue in the backup', longer],
    ['Conversations that continue differently there: Merge keeps both', differing],
    ['Conversations that are in Recently deleted here: they are restored', restored],
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
