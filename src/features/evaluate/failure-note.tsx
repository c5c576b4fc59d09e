import { TriangleAlert } from 'lucide-react';
import type { EvaluationState } from './evaluation-run.ts';
import styles from './files.module.css';

/** What went wrong, where, and what is still there. */
export const FailureNote = ({ failure }: { failure: NonNullable<EvaluationState['failure']> }) => (
  <div role="alert" className={styles.failure}>
    <TriangleAlert size={16} aria-hidden />
    <div>
      <b>
        {failure.kind === 'run'
          ? 'This did not work.'
          : `${failure.path} was not understood${failure.line === null ? '' : `, line ${failure.line}`}.`}
      </b>
      <p>{failure.message}</p>
      <p>
        {failure.kind === 'run'
          ? 'Nothing was lost. Try again, or measure without what failed.'
          : 'None of the files given with it was taken. Mend it or leave it out, then give them again.'}
      </p>
    </div>
  </div>
);
