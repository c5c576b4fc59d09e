import { Search } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './fields.module.css';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'checked' | 'onChange'> {
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  /** The label. */
  readonly children: ReactNode;
}

export const Checkbox = ({ on, onChange, children, ...rest }: CheckboxProps) => (
  <label className={styles.checkbox}>
    <input {...rest} type="checkbox" checked={on} onChange={({ target }) => onChange(target.checked)} />
    {children}
  </label>
);

interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export const SearchField = ({ label, value, onChange, ...rest }: SearchFieldProps) => (
  <div className={styles.search}>
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

interface SegmentedOption<V> {
  readonly value: V;
  readonly label: string;
  readonly icon?: ReactNode;
}

/** A few options side by side, one of them selected. `label` names the group. */
export const Segmented = <V extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly SegmentedOption<V>[];
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

/** The same as a radio group: arrow keys move between the options. */
export const RadioSegments = <V extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly Pick<SegmentedOption<V>, 'value' | 'label'>[];
  value: V;
  onChange: (value: V) => void;
}) => {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles.group}>
      {options.map((option) => (
        <label key={option.value} className={styles.radio}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          <span className={styles.option}>{option.label}</span>
        </label>
      ))}
    </div>
  );
};
