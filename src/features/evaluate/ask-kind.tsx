import { useId } from 'react';
import type { FileKind } from './evaluation-port.ts';
import styles from './files.module.css';

const LEAVE_OUT = '';

/** A file that could be of any kind: the person says, or leaves it out. */
export const AskKind = ({
  path,
  kinds,
  disabled,
  onTold,
}: {
  path: string;
  kinds: readonly FileKind[];
  disabled: boolean;
  onTold: (path: string, kind: string | null) => Promise<void>;
}) => {
  const id = useId();
  return (
    <div className={styles.ask}>
      <label htmlFor={id}>
        What is <b>{path}</b>? Neither its folder, nor what is in it, nor its name says.
      </label>
      <select
        id={id}
        disabled={disabled}
        value="ask"
        onChange={({ target }) => void onTold(path, target.value === LEAVE_OUT ? null : target.value)}
      >
        <option value="ask" disabled>
          Choose…
        </option>
        {kinds.map(({ name, about }) => (
          <option key={name} value={name}>
            {about}
          </option>
        ))}
        <option value={LEAVE_OUT}>Leave it out</option>
      </select>
    </div>
  );
};
