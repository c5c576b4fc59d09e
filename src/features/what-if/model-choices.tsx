import { useId } from 'react';
import { ALL_POLICIES } from '../../engine/context/policies/policies.ts';
import type { WhatIf } from '../../engine/history/question.ts';
import styles from './setup.module.css';
import { useWhatIf } from './use-what-if.ts';
import type { WhatIfRun } from './what-if-run.ts';

/** Only where another is chosen than the one that ships. */
export const EmbedderChoice = ({ run }: { run: WhatIfRun }) => {
  const id = useId();
  const chosen = useWhatIf(run, ({ question }) => question.embedder);
  const { embedder, embeddedEmbedder } = run.choices();
  if (embeddedEmbedder === null) return null;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Embedder</label>
      <select
        id={id}
        value={chosen}
        onChange={({ target }) => run.ask({ embedder: target.value as WhatIf['embedder'] })}
      >
        <option value="chosen">As chosen: {embedder}</option>
        <option value="embedded">{embeddedEmbedder.name}, which ships</option>
      </select>
    </div>
  );
};

export const PolicyChoice = ({ run }: { run: WhatIfRun }) => {
  const id = useId();
  const { policy, base } = useWhatIf(run, ({ question }) => question);
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Policy</label>
      <select id={id} value={policy ?? ''} onChange={({ target }) => run.ask({ policy: target.value || null })}>
        <option value="">{base === 'then' ? 'As it was' : 'As set now'}</option>
        {ALL_POLICIES.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
};
