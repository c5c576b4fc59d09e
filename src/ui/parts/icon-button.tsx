import type { LucideIcon } from 'lucide-react';
import styles from './button.module.css';
import type { ButtonProps } from './button.tsx';
import { Tooltip } from './tooltip.tsx';

export interface IconButtonProps extends Omit<ButtonProps, 'children'> {
  /** The accessible name, shown as a tooltip. */
  readonly label: string;
  readonly icon: LucideIcon;
  /** Keys that do the same, for the tooltip, e.g. `Ctrl Z`. */
  readonly keys?: string | undefined;
}

export const IconButton = ({
  label,
  icon: Icon,
  keys,
  look = 'quiet',
  size = 'medium',
  className = '',
  ...rest
}: IconButtonProps) => (
  <Tooltip text={label} {...(keys === undefined ? {} : { keys })}>
    <button
      type="button"
      aria-label={label}
      className={`${styles.button} ${styles[look]} ${styles[size]} ${styles.icon} ${className}`}
      {...rest}
    >
      <Icon size={size === 'small' ? 14 : 16} strokeWidth={1.8} aria-hidden />
    </button>
  </Tooltip>
);
