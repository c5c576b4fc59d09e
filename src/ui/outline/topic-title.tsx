import { type KeyboardEvent, useEffect, useRef } from 'react';
import styles from './outline.module.css';

interface Props {
  readonly title: string;
  /** The new title; null if it is to stay as it was. */
  readonly onDone: (title: string | null) => void;
}

/** A topic's title while it is being changed: Enter or leaving keeps it, Escape does not. */
export const TopicTitle = ({ title, onDone }: Props) => {
  const input = useRef<HTMLInputElement>(null);
  const done = useRef(false);

  useEffect(() => input.current?.select(), []);

  const finish = (keep: boolean) => {
    if (done.current) return;
    done.current = true;
    const wanted = input.current?.value.trim() ?? '';
    onDone(keep && wanted !== '' && wanted !== title ? wanted : null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish(true);
    if (event.key === 'Escape') finish(false);
  };

  return (
    <input
      ref={input}
      className={styles.input}
      aria-label="Topic title"
      defaultValue={title}
      maxLength={120}
      onKeyDown={onKeyDown}
      onBlur={() => finish(true)}
    />
  );
};
