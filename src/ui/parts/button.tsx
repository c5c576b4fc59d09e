import type { ComponentProps } from 'react';
import styles from './button.module.css';

export interface ButtonProps extends ComponentProps<'button'> {
  /** `primary`: the one thing to do here. `outline`: another thing to do. `quiet`: text until pointed at. */
  readonly look?: 'primary' | 'outline' | 'quiet' | 'danger';
  readonly size?: 'medium' | 'small';
}

export const Button = ({ look = 'outline', size = 'medium', className = '', ...rest }: ButtonProps) => (
  <button type="button" className={`${styles.button} ${styles[look]} ${styles[size]} ${className}`} {...rest} />
);
