import { useState } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import { DifferenceList } from './difference-list.tsx';
import { Notes } from './notes.tsx';
import styles from './outcome.module.css';
import { Summary } from './summary.tsx';
import { Twins } from './twins.tsx';
import { useWhatIf } from './use-what-if.ts';
import type { WhatIfRun } from './what-if-run.ts';

/** The conversation as it is and as it would have been, and what differs. */
export const OutcomeView = ({ run }: { run: WhatIfRun }) => {
  const outcome = useWhatIf(run, (state) => state.outcome);
  const failure = useWhatIf(run, (state) => state.failure);
  const task = useWhatIf(run, (state) => state.task);
  const [picked, setPicked] = useState<{ readonly of: unknown; readonly nodeId: NodeId } | null>(null);
  const selected = picked !== null && picked.of === outcome ? picked.nodeId : null;
  const select = (nodeId: NodeId | null) => setPicked(nodeId === null ? null : { of: outcome, nodeId });

  const failed = failure !== null && (
    <div role="alert" className={styles.failure}>
      <b>It could not be run again.</b>
      <p>{failure}. What was there before is kept; choose otherwise, or try again.</p>
    </div>
  );
  if (outcome === null) {
    return (
      <div className={styles.empty}>
        {failed || (task === null ? <Introduction /> : <p>Each turn is decided anew, in order.</p>)}
      </div>
    );
  }
  return (
    <div className={styles.outcome} data-old={task?.kind === 'rerun'}>
      {failed}
      <Summary outcome={outcome} />
      <Notes outcome={outcome} />
      <Twins key={outcome.origin.conversationId} outcome={outcome} selected={selected} onSelect={select} />
      <DifferenceList outcome={outcome} selected={selected} onSelect={select} />
    </div>
  );
};

const Introduction = () => (
  <div>
    <b>What would have become of this conversation?</b>
    <p>
      Say at the left what is to be otherwise, then run it again: every message that the engine placed is decided anew
      by its own route. Replies, summaries and what you did by hand stay as they were.
    </p>
    <p>With nothing otherwise, every turn comes out exactly where it is.</p>
  </div>
);
