import type { RoleState } from '../../app/model-control.ts';
import { shareOf } from '../../ui/parts/model-words.ts';
import { ProgressRing } from '../../ui/parts/progress.tsx';
import styles from './models.module.css';

/** A role's state as a dot, or as a ring while something is under way. The words stand beside it. */
export const StateMark = ({ model: { state, progress } }: { model: RoleState }) =>
  state !== 'failed' && (state === 'loading' || progress !== null) ? (
    <ProgressRing share={progress === null ? null : shareOf(progress)} />
  ) : (
    <span className={styles.dot} data-state={state} aria-hidden />
  );
