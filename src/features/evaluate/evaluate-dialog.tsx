import { useState } from 'react';
import { useStore } from 'zustand';
import { usePart } from '../../ui/app-context.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { Loaded } from '../../ui/parts/loaded.tsx';
import type { Measured } from './evaluation-port.ts';
import type { EvaluationRun } from './evaluation-run.ts';
import { openEvaluation } from './open-evaluation.ts';
import { Results } from './results.tsx';
import { Setup } from './setup.tsx';

const DESCRIPTION =
  'How well turns are placed, and what the contexts cost, on labelled dialogues of yours. The files stay in this page. Learning is paused here: what it learned from you has no part in the figures.';

/** Measures the deciders and policies on labelled dialogues. The run goes on while the dialog is closed. */
export const EvaluateDialog = ({ onClose }: { onClose: () => void }) => {
  const part = usePart();
  return (
    <Dialog title="Evaluate" description={DESCRIPTION} onClose={onClose} size="full">
      <Loaded load={() => part(openEvaluation)}>{(run) => <Evaluation run={run} />}</Loaded>
    </Dialog>
  );
};

/** Files and subjects, or the figures of the last measurement. */
const Evaluation = ({ run }: { run: EvaluationRun }) => {
  const measured = useStore(run.store, (state) => state.measured);
  const busy = useStore(run.store, (state) => state.task !== null);
  /** The result that was left for the files; a newer one is shown at once. */
  const [left, setLeft] = useState<Measured | null>(null);
  if (measured === null || busy || left === measured) {
    return <Setup run={run} {...(measured === null ? {} : { onResults: () => setLeft(null) })} />;
  }
  return <Results measured={measured} onSetup={() => setLeft(measured)} />;
};
