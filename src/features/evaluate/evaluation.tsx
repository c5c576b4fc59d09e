import { useState } from 'react';
import type { Measured } from './evaluation-port.ts';
import type { EvaluationRun } from './evaluation-run.ts';
import { Results } from './results.tsx';
import { Setup } from './setup.tsx';
import { useRun } from './use-run.ts';

/** Files and subjects, or the figures of the last measurement. */
export const Evaluation = ({ run }: { run: EvaluationRun }) => {
  const measured = useRun(run, (state) => state.measured);
  const busy = useRun(run, (state) => state.task !== null);
  /** The result that was left for the files; a newer one is shown at once. */
  const [left, setLeft] = useState<Measured | null>(null);
  if (measured === null || busy || left === measured) {
    return <Setup run={run} {...(measured === null ? {} : { onResults: () => setLeft(null) })} />;
  }
  return <Results measured={measured} onSetup={() => setLeft(measured)} />;
};
