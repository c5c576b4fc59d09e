import { useEffect, useState } from 'react';
import type { CompareRun } from '../../app/compare-run.ts';
import { useActions, useAppState } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import styles from './compare.module.css';
import { Compare } from './compare.tsx';

const DESCRIPTION =
  'The same conversation under several memories at once: what each would have sent to the model, turn by turn, and what that costs.';

/** Compares policies over the open conversation. What came of it is kept while the dialog is closed. */
export const CompareDialog = ({ onClose }: { onClose: () => void }) => {
  const { comparison, closeNotice } = useActions();
  const state = useAppState();
  const [run, setRun] = useState<CompareRun | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each try loads anew
  useEffect(() => {
    comparison().then(setRun, (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)));
  }, [comparison, tries]);
  useEffect(() => {
    // It is here that the notice leads.
    if (state().notice?.action?.label === 'Compare') closeNotice();
  }, [state, closeNotice]);
  const again = () => {
    setFailure(null);
    setTries(tries + 1);
  };

  return (
    <Dialog title="Compare" description={DESCRIPTION} onClose={onClose} size="full">
      {run !== null && <Compare run={run} onClose={onClose} />}
      {run === null && failure === null && <p className={styles.loading}>Loading…</p>}
      {run === null && failure !== null && (
        <div role="alert" className={styles.loading}>
          <b>This part of the page could not be loaded.</b>
          <p>{failure}. Check the connection to where the page comes from.</p>
          <Button onClick={again}>Try again</Button>
        </div>
      )}
    </Dialog>
  );
};
