import { useId, useMemo } from 'react';
import styles from './setup.module.css';
import { useWhatIf } from './use-what-if.ts';
import type { WhatIfRun } from './what-if-run.ts';

/** How much of a message tells which turn it is, in UTF-16 units. */
const EXCERPT = 48;

/** The first turn that is decided anew. */
export const FromTurn = ({ run }: { run: WhatIfRun }) => {
  const id = useId();
  const entries = useWhatIf(run, ({ origin }) => origin.entries);
  const forest = useWhatIf(run, ({ origin }) => origin.forest);
  const from = useWhatIf(run, ({ question }) => question.from);
  const turns = useMemo(
    () =>
      entries.flatMap(({ event }) => {
        const node = event.type === 'message-sent' ? forest.nodes[event.nodeId] : undefined;
        return node === undefined ? [] : [node];
      }),
    [entries, forest],
  );
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Decided anew</label>
      <select id={id} value={from ?? ''} onChange={({ target }) => run.ask({ from: target.value || null })}>
        <option value="">From the start</option>
        {turns.slice(1).map(({ id: nodeId, number, message }) => (
          <option key={nodeId} value={nodeId}>
            From turn {number}: {message.length > EXCERPT ? `${message.slice(0, EXCERPT)}…` : message}
          </option>
        ))}
      </select>
    </div>
  );
};
