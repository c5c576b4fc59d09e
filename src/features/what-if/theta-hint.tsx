import { Button } from '../../ui/parts/button.tsx';
import { similarity } from '../../ui/parts/format.ts';
import styles from './setup.module.css';
import { useWhatIf } from './use-what-if.ts';
import type { WhatIfRun } from './what-if-run.ts';

/** Which θ there is, and where it says nothing: a decider that is asked anyway does not wait for the gate. */
export const ThetaHint = ({ run }: { run: WhatIfRun }) => {
  const decider = useWhatIf(run, ({ question }) => question.decider);
  const embedder = useWhatIf(run, ({ question }) => question.embedder);
  const { ungated, theta, embeddedEmbedder, embedded } = run.choices();
  const own = embedder === 'embedded' && embeddedEmbedder !== null ? embeddedEmbedder.theta : theta;
  const waits = decider === 'paper-rule' || (decider === 'chosen' && !ungated);
  if (waits) return <small className={styles.hint}>The embedder’s own θ is {similarity(own)}.</small>;
  if (decider === 'one-threshold') {
    return <small className={styles.hint}>This decider never forks, so θ and k change nothing.</small>;
  }
  return (
    <small className={styles.hint}>
      {embedded || decider !== 'chosen' ? 'The embedded decider' : 'This decider'} is asked whatever the similarity, so
      θ changes nothing. It is the gate of the paper’s rule and of language models.
      <Button size="small" onClick={() => run.ask({ decider: 'paper-rule' })}>
        Use the paper’s rule
      </Button>
    </small>
  );
};
