import { Button } from './button.tsx';
import styles from './progress.module.css';
import { Ellipsis } from './text.tsx';

/**
 * How far something is, or how full; `value` null while nobody knows. Its place says how wide it is and, with `--fill`,
 * in which colour.
 */
export const ProgressBar = ({ label, value, max = 1 }: { label: string; value: number | null; max?: number }) => (
  <progress className={styles.bar} aria-label={label} max={max} {...(value === null ? {} : { value })} />
);

const RADIUS = 5;
const ROUND = 2 * Math.PI * RADIUS;

/** How far something is, as small as a dot; `share` null turns slowly. Says nothing to screen readers. */
export const ProgressRing = ({ share }: { share: number | null }) => (
  <svg className={styles.ring} viewBox="0 0 14 14" width={14} height={14} data-turning={share === null} aria-hidden>
    <circle cx={7} cy={7} r={RADIUS} className={styles.track} />
    <circle
      cx={7}
      cy={7}
      r={RADIUS}
      className={styles.done}
      strokeDasharray={`${ROUND * (share ?? 0.25)} ${ROUND}`}
      transform="rotate(-90 7 7)"
    />
  </svg>
);

interface TaskProgressProps {
  readonly label: string;
  /** What of it is under way. */
  readonly words: string;
  readonly done: number;
  readonly of: number;
  readonly onCancel: () => void;
}

/** What is being done, how far it is, and the way out. */
export const TaskProgress = ({ label, words, done, of, onCancel }: TaskProgressProps) => {
  const share = of === 0 ? 0 : done / of;
  return (
    <div className={styles.task}>
      <p>
        <b>{label}</b>
        <Ellipsis className={styles.words}>{words}</Ellipsis>
        <output aria-live="off">{Math.floor(share * 100)} %</output>
      </p>
      <ProgressBar label={label} value={share} />
      <Button onClick={onCancel}>Cancel</Button>
    </div>
  );
};
