import { type ComponentProps, type ReactNode, useId } from 'react';
import forms from './forms.module.css';
import styles from './models.module.css';

/** A labelled line to write in, with a hint under it. */
export const Field = ({
  label,
  hint,
  onValue,
  ...rest
}: Omit<ComponentProps<'input'>, 'onChange'> & {
  label: string;
  hint?: ReactNode;
  onValue: (value: string) => void;
}) => {
  const id = useId();
  return (
    <div className={forms.input}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })}
        {...rest}
        onChange={({ target }) => onValue(target.value)}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.note}>
          {hint}
        </p>
      )}
    </div>
  );
};
