import { Search } from 'lucide-react';
import type { ComponentProps } from 'react';
import styles from './search-field.module.css';

interface Props extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export const SearchField = ({ label, value, onChange, ...rest }: Props) => (
  <div className={styles.field}>
    <Search size={14} aria-hidden />
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      {...rest}
    />
  </div>
);
