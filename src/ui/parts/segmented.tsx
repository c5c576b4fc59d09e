import type { ReactNode } from 'react';
import styles from './segmented.module.css';

interface Option<V> {
  readonly value: V;
  readonly label: string;
  readonly icon?: ReactNode;
}

/** A few choices side by side, one of them on. `label` names the group. */
export const Segmented = <V extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly Option<V>[];
  value: V;
  onChange: (value: V) => void;
}) => (
  <div role="group" aria-label={label} className={styles.group}>
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        aria-pressed={option.value === value}
        className={styles.option}
        onClick={() => onChange(option.value)}
      >
        {option.icon}
        {option.label}
      </button>
    ))}
  </div>
);
