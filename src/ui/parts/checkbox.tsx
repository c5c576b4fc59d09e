import type { ComponentProps, ReactNode } from 'react';
import styles from './checkbox.module.css';

interface Props extends Omit<ComponentProps<'input'>, 'type' | 'checked' | 'onChange'> {
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  /** Its words. */
  readonly children: ReactNode;
}

export const Checkbox = ({ on, onChange, children, ...rest }: Props) => (
  <label className={styles.checkbox}>
    <input {...rest} type="checkbox" checked={on} onChange={({ target }) => onChange(target.checked)} />
    {children}
  </label>
);
