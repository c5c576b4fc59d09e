import { FlaskConical, Trash2 } from 'lucide-react';
import { Button } from '../../ui/parts/button.tsx';
import { TaskProgress } from '../../ui/parts/progress.tsx';
import styles from './foot.module.css';
import { useWhatIf } from './use-what-if.ts';
import type { View } from './what-if.tsx';
import type { WhatIfRun } from './what-if-run.ts';

/** What is under way and how to end it; else what becomes of what came of it. */
export const Foot = ({ run, view, onClose }: { run: WhatIfRun; view: View; onClose: () => void }) => {
  const task = useWhatIf(run, (state) => state.task);
  const outcome = useWhatIf(run, (state) => state.outcome);
  const swept = useWhatIf(run, (state) => state.swept);
  const range = useWhatIf(run, (state) => state.range);
  const cancelled = useWhatIf(run, (state) => state.cancelled);
  if (task !== null) {
    const { kind, done, of } = task;
    const value = Math.min((swept?.points.length ?? 0) + 1, range.steps);
    return (
      <footer className={styles.foot}>
        <TaskProgress
          label={kind === 'sweep' ? 'Sweeping' : 'Running it again'}
          words={kind === 'sweep' ? `value ${value} of ${range.steps}` : ''}
          done={done}
          of={of}
          onCancel={run.cancel}
        />
      </footer>
    );
  }
  return (
    <footer className={styles.foot}>
      <p role="status">{statusWords(cancelled, swept?.points.length ?? 0, outcome !== null)}</p>
      {(outcome !== null || swept !== null) && (
        <Button look="danger" onClick={run.discard}>
          <Trash2 size={14} aria-hidden />
          Throw away
        </Button>
      )}
      {outcome !== null && view === 'outcome' && (
        <Button
          look="primary"
          onClick={() => {
            onClose();
            void run.keep();
          }}
        >
          <FlaskConical size={14} aria-hidden />
          Keep as a conversation
        </Button>
      )}
    </footer>
  );
};

const statusWords = (cancelled: 'rerun' | 'sweep' | null, points: number, something: boolean): string => {
  if (cancelled === 'rerun') return 'Cancelled. Nothing was changed.';
  if (cancelled === 'sweep') {
    return points === 0
      ? 'The sweep was cancelled before its first value was through.'
      : `The sweep was cancelled; the ${points === 1 ? 'value' : `${points} values`} before that stay.`;
  }
  return something ? 'Simulated. The conversation itself is as it was.' : '';
};
