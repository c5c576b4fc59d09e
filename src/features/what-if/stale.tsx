import { useApp } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { useWhatIf } from './use-what-if.ts';
import styles from './what-if.module.css';
import type { WhatIfRun } from './what-if-run.ts';

/** The conversation has gone on since it was taken: what is shown is of then. */
export const Stale = ({ run }: { run: WhatIfRun }) => {
  const taken = useWhatIf(run, ({ origin }) => origin);
  const now = useApp((state) => state.entries.length);
  const conversationId = useApp((state) => state.conversationId);
  if (taken.conversationId !== conversationId || taken.entries.length >= now) return null;
  return (
    <p className={styles.stale}>
      The conversation has changed since; this is about it as it was.
      <Button size="small" onClick={run.refresh}>
        Take it as it is now
      </Button>
    </p>
  );
};
