import { useRef } from 'react';
import styles from './title-field.module.css';

/** Selects the text: the user has just asked to edit it. */
const writeHere = (input: HTMLInputElement | null): void => input?.select();

/** Edits a short text in place: Enter or leaving the field keeps it, Escape discards it. `null`: nothing to keep. */
export const TitleField = ({
  title,
  label = 'Title',
  placeholder,
  options,
  mayBeEmpty = false,
  onDone,
}: {
  title: string;
  label?: string;
  placeholder?: string;
  /** Suggestions while typing: the id of a `datalist`. */
  options?: string;
  mayBeEmpty?: boolean;
  onDone: (name: string | null) => void;
}) => {
  const done = useRef(false);
  const finish = (value: string | null) => {
    if (done.current) return;
    done.current = true;
    const name = value?.trim() ?? null;
    onDone(name === title || (name === '' && !mayBeEmpty) ? null : name);
  };
  return (
    <input
      ref={writeHere}
      className={styles.field}
      aria-label={label}
      placeholder={placeholder}
      list={options}
      defaultValue={title}
      maxLength={120}
      onBlur={(event) => finish(event.target.value)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') finish(event.currentTarget.value);
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        event.nativeEvent.stopImmediatePropagation();
        finish(null);
      }}
    />
  );
};
