import { useEffect, useState } from 'react';
import { Note } from '../../ui/parts/text.tsx';
import { PHONE, useMedia } from '../../ui/shell/use-media.ts';
import { Foot } from './foot.tsx';
import { OutcomeView } from './outcome-view.tsx';
import { Setup } from './setup.tsx';
import { Stale } from './stale.tsx';
import { SweepView } from './sweep-view.tsx';
import { useWhatIf } from './use-what-if.ts';
import { Views } from './views.tsx';
import styles from './what-if.module.css';
import type { WhatIfRun } from './what-if-run.ts';

export type View = 'outcome' | 'sweep';

/** What is to be otherwise at the left, what would have come of it at the right. */
export const WhatIf = ({ run, onClose }: { run: WhatIfRun; onClose: () => void }) => {
  const turns = useWhatIf(run, ({ origin }) => Object.keys(origin.forest.nodes).length);
  const task = useWhatIf(run, (state) => state.task);
  const swept = useWhatIf(run, (state) => state.swept);
  const outcome = useWhatIf(run, (state) => state.outcome);
  const phone = useMedia(PHONE);
  const [view, setView] = useState<View>(swept !== null && outcome === null ? 'sweep' : 'outcome');
  const kind = task?.kind;
  useEffect(() => {
    if (kind !== undefined) setView(kind === 'sweep' ? 'sweep' : 'outcome');
  }, [kind]);

  if (turns === 0) {
    return (
      <Note>
        There is no turn in this conversation yet. Say something, or play a sample; then ask what would have become of
        it.
      </Note>
    );
  }
  const something = outcome !== null || swept !== null || task !== null;
  return (
    <>
      <div className={styles.columns}>
        <Setup run={run} folded={phone && something} />
        <section className={styles.result} aria-label="What would have become of it">
          <Stale run={run} />
          {swept !== null && <Views view={view} onView={setView} points={swept.points.length} />}
          {view === 'outcome' || swept === null ? (
            <OutcomeView run={run} />
          ) : (
            <SweepView run={run} swept={swept} onShow={() => setView('outcome')} />
          )}
        </section>
      </div>
      <Foot run={run} view={swept === null ? 'outcome' : view} onClose={onClose} />
    </>
  );
};
