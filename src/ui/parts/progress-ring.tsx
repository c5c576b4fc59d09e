import styles from './progress-ring.module.css';

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
