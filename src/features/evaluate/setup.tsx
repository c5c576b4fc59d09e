import { ChartNoAxesColumn } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/parts/button.tsx';
import { TaskProgress } from '../../ui/parts/progress.tsx';
import { AskKind } from './ask-kind.tsx';
import page from './evaluate.module.css';
import type { EvaluationRun } from './evaluation-run.ts';
import { FailureNote } from './failure-note.tsx';
import files from './files.module.css';
import { FoundSets } from './found-sets.tsx';
import { GiveFiles } from './give-files.tsx';
import { Kinds } from './kinds.tsx';
import { LeftOut } from './left-out.tsx';
import styles from './setup.module.css';
import { Subjects } from './subjects.tsx';
import { useRun } from './use-run.ts';

/** Files, deciders and policies; then the run itself. */
export const Setup = ({ run, onResults }: { run: EvaluationRun; onResults?: () => void }) => {
  const data = useRun(run, (state) => state.data);
  const task = useRun(run, (state) => state.task);
  const failure = useRun(run, (state) => state.failure);
  const { deciders, policies } = useRun(run, (state) => state.subjects);
  const [unreadable, setUnreadable] = useState<string | null>(null);
  const busy = task !== null;
  const some = data !== null && data.sets.length > 0;
  const withoutSubjects = deciders.length + policies.length === 0;
  return (
    <>
      <div className={styles.setup} data-empty={data === null}>
        <section className={styles.given} aria-label="Labelled dialogues">
          {unreadable !== null && <FailureNote failure={{ kind: 'run', message: unreadable }} />}
          {failure !== null && <FailureNote failure={failure} />}
          <GiveFiles
            small={data !== null}
            disabled={busy}
            onFiles={(given) => {
              setUnreadable(null);
              void run.give(given);
            }}
            onUnreadable={setUnreadable}
          >
            {data !== null && (
              <Button look="quiet" size="small" disabled={busy} onClick={run.clear}>
                Start over
              </Button>
            )}
          </GiveFiles>
          {data === null && <Kinds kinds={run.evaluation.kinds} />}
          {data !== null && (
            <>
              {data.unknown.map((path) => (
                <AskKind key={path} path={path} kinds={run.evaluation.kinds} disabled={busy} onTold={run.tell} />
              ))}
              <FoundSets data={data} />
              <LeftOut files={data.leftOut} />
              {!some && <p className={files.note}>Nothing that can be measured was found in these files.</p>}
            </>
          )}
        </section>
        {data !== null && <Subjects run={run} disabled={busy} />}
      </div>
      <footer className={page.foot}>
        {task !== null && (
          <TaskProgress
            label={task.kind === 'reading' ? 'Reading' : 'Measuring'}
            words={task.what === '' ? '…' : task.what}
            done={task.done}
            of={task.of}
            onCancel={run.cancel}
          />
        )}
        {task === null && (
          <>
            <p>{some && withoutSubjects ? 'Choose at least one decider or policy.' : ''}</p>
            {onResults !== undefined && <Button onClick={onResults}>Back to the figures</Button>}
            <Button
              look="primary"
              disabled={data === null || !measurable(data) || withoutSubjects}
              onClick={run.measure}
            >
              <ChartNoAxesColumn size={14} aria-hidden />
              Measure
            </Button>
          </>
        )}
      </footer>
    </>
  );
};

const measurable = ({ sets, unlabelled }: { sets: readonly unknown[]; unlabelled: number }) =>
  sets.length > 0 || unlabelled > 0;
