import { useRef } from 'react';
import styles from './title-field.module.css';

/** The person has just asked to write here. */
const writeHere = (input: HTMLInputElement | null): void => input?.select();

/** Edits a title in place: Enter or leaving keeps it, Escape does not. `null`: nothing to keep. */
export const TitleField = ({ title, onDone }: { title: string; onDone: (name: string | null) => void }) => {
  const done = useRef(false);
  const finish = (value: string | null) => {
    if (done.current) return;
    done.current = true;
    const name = value?.trim() ?? '';
    onDone(name === '' || name === title ? null : name);
  };
  return (
    <input
      ref={writeHere}
      className={styles.field}
      aria-label="Title"
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
