import { Check, Copy, type LucideIcon } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { useActions } from '../app-context.ts';
import styles from './button.module.css';
import { Tooltip } from './tooltip.tsx';

interface ButtonProps extends ComponentProps<'button'> {
  /** `primary`: the main action. `outline`: another action. `quiet`: plain text until hovered. */
  readonly look?: 'primary' | 'outline' | 'quiet' | 'danger';
  readonly size?: 'medium' | 'small';
  /** Nothing is left for it to do, as at the end of a list, or what it did goes on. Unlike a disabled one it keeps the focus, which it has where its last press came to that. */
  readonly idle?: boolean;
}

const IDLE = { 'aria-disabled': true, onClick: undefined } as const;

export const Button = ({ look = 'outline', size = 'medium', className = '', idle = false, ...rest }: ButtonProps) => (
  <button
    type="button"
    className={`${styles.button} ${styles[look]} ${styles[size]} ${className}`}
    {...rest}
    {...(idle && IDLE)}
  />
);

/** Buttons side by side, below a text. */
export const Buttons = ({ children }: { children: ReactNode }) => <div className={styles.row}>{children}</div>;

interface IconButtonProps extends Omit<ButtonProps, 'children'> {
  /** The accessible name, also shown as a tooltip. */
  readonly label: string;
  readonly icon: LucideIcon;
  /** Equivalent keys for the tooltip, e.g. `Ctrl Z`. */
  readonly keys?: string | undefined;
}

export const IconButton = ({
  label,
  icon: Icon,
  keys,
  look = 'quiet',
  size = 'medium',
  className = '',
  idle = false,
  ...rest
}: IconButtonProps) => (
  <Tooltip text={label} {...(keys === undefined ? {} : { keys })}>
    <button
      type="button"
      aria-label={label}
      className={`${styles.button} ${styles[look]} ${styles[size]} ${styles.icon} ${className}`}
      {...rest}
      {...(idle && IDLE)}
    >
      <Icon size={size === 'small' ? 14 : 16} strokeWidth={1.8} aria-hidden />
    </button>
  </Tooltip>
);

/** How long "copied" is shown, in milliseconds. */
const SAID_FOR = 1600;

/** Copies text to the clipboard, or says why it could not; `copied` is true for a moment afterwards. */
export const useCopy = () => {
  const { announce } = useActions();
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAID_FOR);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async (text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      announce('Copied.');
    } catch {
      announce('Your browser blocked copying. Select the text and copy it manually.');
    }
  };
  return { copied, copy };
};

/** Copies a text; `label` says which, e.g. `Copy reply`. */
export const CopyIconButton = ({ label, text }: { label: string; text: string }) => {
  const { copied, copy } = useCopy();
  return (
    <IconButton
      size="small"
      label={copied ? 'Copied' : label}
      // Screen readers hear it as a notice: another name under the focus would say it twice.
      aria-label={label}
      icon={copied ? Check : Copy}
      onClick={() => void copy(text)}
    />
  );
};
