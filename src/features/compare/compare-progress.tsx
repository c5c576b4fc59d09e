import { Button } from '../../ui/parts/button.tsx';
import { count } from '../../ui/parts/format.ts';
import { ProgressBar } from '../../ui/parts/progress.tsx';
import styles from './compare-progress.module.css';
import type { ContextsShown } from './use-contexts.ts';

/** How far the contexts are, with a way to stop, and what became of those that failed. */
export const CompareProgress = ({ shown, names }: { shown: ContextsShown; names: readonly string[] }) => {
  const { contexts, failed, building, failure, stop, goOn } = shown;
  if (building !== null) {
    const { policy, turns, of } = building;
    const words =
      policy === null || turns >= of
        ? `Building contexts, ${contexts.length} of ${names.length}`
        : `${policy} takes in the conversation, ${count(turns)} of ${count(of)} turns`;
    return (
      <div className={styles.line}>
        <ProgressBar label="Building contexts" max={Math.max(1, of)} value={of > 0 ? turns : null} />
        <span>{words}</span>
        <Button size="small" onClick={stop}>
          Stop
        </Button>
      </div>
    );
  }
  const missing = names.length - contexts.length - failed.length;
  return (
    <div className={styles.line} role="status">
      {failed.map(([policy, why]) => (
        <span key={policy}>
          {policy} could not make its memory: {why}.
        </span>
      ))}
      {missing > 0 && failure === null && (
        <span>
          Stopped: {missing} of {names.length} are missing.
        </span>
      )}
      {(missing > 0 || failed.length > 0) && (
        <Button size="small" onClick={goOn}>
          {missing > 0 && failure === null ? 'Go on' : 'Try again'}
        </Button>
      )}
    </div>
  );
};
