import styles from './progress-bar.module.css';

/**
 * How far something is, or how full; `value` null while nobody knows. Its place says how wide it is and, with `--fill`,
 * in which colour.
 */
export const ProgressBar = ({ label, value, max = 1 }: { label: string; value: number | null; max?: number }) => (
  <progress className={styles.bar} aria-label={label} max={max} {...(value === null ? {} : { value })} />
);
