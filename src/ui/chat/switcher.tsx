import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from '../parts/button.tsx';
import styles from './turn.module.css';

/** One of several, `‹ 2/3 ›`. */
export const Switcher = ({
  label,
  what,
  at,
  of,
  disabled,
  onChoose,
}: {
  label: string;
  /** One of them, e.g. `Reply`. */
  what: string;
  /** Which one is shown, from 0. */
  at: number;
  of: number;
  disabled: boolean;
  onChoose: (index: number) => void;
}) => (
  <span role="group" aria-label={label} className={styles.switcher}>
    <IconButton
      size="small"
      label={`${what} before`}
      icon={ChevronLeft}
      disabled={disabled || at <= 0}
      onClick={() => onChoose(at - 1)}
    />
    <span>
      {at + 1}/{of}
    </span>
    <IconButton
      size="small"
      label={`${what} after`}
      icon={ChevronRight}
      disabled={disabled || at >= of - 1}
      onClick={() => onChoose(at + 1)}
    />
  </span>
);
