import { Search } from 'lucide-react';
import styles from './search-field.module.css';

export const SearchField = ({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) => (
  <div className={styles.field}>
    <Search size={14} aria-hidden />
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  </div>
);
