import { FlaskConical, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { NodeId } from '../../domain/forest.ts';
import { sizeOf } from '../../domain/table.ts';
import { useApp, usePart } from '../../ui/app-context.ts';
import { AS_OF_NOW } from '../../ui/commands/command.ts';
import type { FeatureDialogProps } from '../../ui/commands/feature.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { Segmented } from '../../ui/parts/fields.tsx';
import { PHONE, useMedia } from '../../ui/parts/hooks.ts';
import { Loaded } from '../../ui/parts/lazy-parts.tsx';
import { TaskProgress } from '../../ui/parts/progress.tsx';
import { Note } from '../../ui/parts/text.tsx';
import { OutcomeView } from './outcome-view.tsx';
import { Setup } from './setup.tsx';
import { valuesOf } from './sweep.ts';
import { SweepView } from './sweep-view.tsx';
import styles from './what-if-dialog.module.css';
import { createWhatIfRun, type WhatIfRun } from './what-if-run.ts';

const DESCRIPTION =
  'Re-runs the open conversation with something changed. This is simulated: replies stay the same and the conversation itself is not changed.';

/** Re-runs the open conversation alongside the original. A running task continues while the dialog is closed. */
export const WhatIfDialog = ({ with: turn, onClose }: FeatureDialogProps<NodeId>) => {
  const part = usePart();
  const load = async () => {
    const run = await part(createWhatIfRun);
    run.take(turn);
    return run;
  };
  return (
    <Dialog title="What if" description={DESCRIPTION} onClose={onClose} size="full">
      <Loaded load={load}>{(run) => <WhatIfContent run={run} onClose={onClose} />}</Loaded>
    </Dialog>
  );
};

export type WhatIfView = 'outcome' | 'sweep';

/** The changes on the left, their outcome on the right. */
export const WhatIfContent = ({ run, onClose }: { run: WhatIfRun; onClose: () => void }) => {
  const turns = useStore(run.store, ({ origin }) => sizeOf(origin.forest.nodes));
  const task = useStore(run.store, (state) => state.task);
  const swept = useStore(run.store, (state) => state.swept);
  const outcome = useStore(run.store, (state) => state.outcome);
  const isPast = useApp(({ past }) => past !== null);
  const phone = useMedia(PHONE);
  const [view, setView] = useState<WhatIfView>(swept !== null && outcome === null ? 'sweep' : 'outcome');
  const kind = task?.kind;
  useEffect(() => {
    if (kind !== undefined) setView(kind === 'sweep' ? 'sweep' : 'outcome');
  }, [kind]);

  if (turns === 0) {
    return (
      <Note>
        There is no turn in this conversation yet. Send a message or play a sample, then see how it would have turned
        out.
      </Note>
    );
  }
  const something = outcome !== null || swept !== null || task !== null;
  return (
    <>
      <div className={styles.columns}>
        <Setup run={run} folded={phone && something} />
        <section className={styles.result} aria-label="Outcome">
          {isPast && <p className={styles.stale}>{AS_OF_NOW}</p>}
          <OutdatedNotice run={run} />
          {swept !== null && <ViewSwitch view={view} onView={setView} points={swept.points.length} />}
          {view === 'outcome' || swept === null ? (
            <OutcomeView run={run} />
          ) : (
            <SweepView run={run} swept={swept} onShow={() => setView('outcome')} />
          )}
        </section>
      </div>
      <DialogFooter run={run} view={swept === null ? 'outcome' : view} onClose={onClose} />
    </>
  );
};

/** The running task with a way to cancel it; otherwise the actions on its outcome. */
export const DialogFooter = ({ run, view, onClose }: { run: WhatIfRun; view: WhatIfView; onClose: () => void }) => {
  const task = useStore(run.store, (state) => state.task);
  const outcome = useStore(run.store, (state) => state.outcome);
  const swept = useStore(run.store, (state) => state.swept);
  const range = useStore(run.store, (state) => state.range);
  const cancelled = useStore(run.store, (state) => state.cancelled);
  const values = valuesOf(range).length;
  const value = Math.min((swept?.points.length ?? 0) + 1, values);
  return (
    <footer className={styles.foot}>
      {task !== null && (
        <TaskProgress
          label={task.kind === 'sweep' ? 'Sweeping' : 'Re-running'}
          words={task.kind === 'sweep' ? `value ${value} of ${values}` : ''}
          done={task.done}
          of={task.of}
          onCancel={run.cancel}
        />
      )}
      {/* There all the time: put there together with its words, it would not be announced. */}
      <p role="status">{task === null ? statusWords(cancelled, swept?.points.length ?? 0, outcome !== null) : ''}</p>
      {task === null && (outcome !== null || swept !== null) && (
        <Button look="danger" onClick={run.discard}>
          <Trash2 size={14} aria-hidden />
          Discard
        </Button>
      )}
      {task === null && outcome !== null && view === 'outcome' && (
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
      ? 'The sweep was cancelled before its first value finished.'
      : `The sweep was cancelled. The ${points === 1 ? 'value' : `${points} values`} before that were kept.`;
  }
  return something ? 'Simulated. The conversation itself is unchanged.' : '';
};

/** Warns that the conversation has changed since it was taken, so the outcome is outdated. */
const OutdatedNotice = ({ run }: { run: WhatIfRun }) => {
  const taken = useStore(run.store, ({ origin }) => origin);
  const now = useApp((state) => state.entries.length);
  const conversationId = useApp((state) => state.conversationId);
  if (taken.conversationId !== conversationId || taken.entries.length >= now) return null;
  return (
    <p className={styles.stale}>
      The conversation has changed since. This shows it as it was.
      <Button size="small" onClick={run.refresh}>
        Use the current version
      </Button>
    </p>
  );
};

/** Switches between a single re-run and the sweep. */
const ViewSwitch = ({
  view,
  onView,
  points,
}: {
  view: WhatIfView;
  onView: (view: WhatIfView) => void;
  points: number;
}) => (
  <div className={styles.views}>
    <Segmented
      label="Shown"
      value={view}
      onChange={onView}
      options={[
        { value: 'outcome', label: 'One re-run' },
        { value: 'sweep', label: `Sweep of ${points}` },
      ]}
    />
  </div>
);
