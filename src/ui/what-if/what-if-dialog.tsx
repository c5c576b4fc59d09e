import { useEffect, useState } from 'react';
import type { WhatIfRun } from '../../app/what-if-run.ts';
import { useActions, useAppState } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import styles from './what-if.module.css';
import { WhatIf } from './what-if.tsx';

const DESCRIPTION =
  'The open conversation once more, with something otherwise. Simulated: replies stay as they were, and the conversation itself is not touched.';

/** Re-runs the open conversation beside the original. What is under way goes on while the dialog is closed. */
export const WhatIfDialog = ({ onClose }: { onClose: () => void }) => {
  const { whatIf, session } = useActions();
  const state = useAppState();
  const [run, setRun] = useState<WhatIfRun | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each try loads anew
  useEffect(() => {
    const begin = (loaded: WhatIfRun) => {
      loaded.take(state().session.whatIfFrom);
      session({ whatIfFrom: null });
      setRun(loaded);
    };
    whatIf().then(begin, (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)));
  }, [whatIf, tries]);
  const again = () => {
    setFailure(null);
    setTries(tries + 1);
  };

  return (
    <Dialog title="What if" description={DESCRIPTION} onClose={onClose} size="full">
      {run !== null && <WhatIf run={run} onClose={onClose} />}
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
