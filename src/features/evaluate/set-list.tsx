import { count } from '../../ui/parts/format.ts';
import type { DataSetSummary } from './evaluation-port.ts';
import styles from './results.module.css';

/** The data sets: beside the figures where there is room, else one field above them. */
export const SetList = ({
  sets,
  chosen,
  onChoose,
}: {
  sets: readonly DataSetSummary[];
  chosen: string;
  onChoose: (name: string) => void;
}) => (
  <>
    <nav aria-label="Data sets" className={styles.list}>
      {sets.map(({ name, dialogues }) => (
        <button key={name} type="button" aria-current={name === chosen} onClick={() => onChoose(name)}>
          <span>{name}</span>
          <small>{count(dialogues)}</small>
        </button>
      ))}
    </nav>
    <select
      aria-label="Data set"
      className={styles.oneOf}
      value={chosen}
      onChange={({ target }) => onChoose(target.value)}
    >
      {sets.map(({ name }) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  </>
);
