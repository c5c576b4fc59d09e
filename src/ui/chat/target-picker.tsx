import { useDeferredValue, useMemo, useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { SearchField } from '../parts/fields.tsx';
import styles from './target-picker.module.css';

export interface PickerItem {
  readonly id: string;
  /** Before the text, e.g. `Turn 3`. */
  readonly lead: string | null;
  readonly text: string;
}

/** Rows drawn at once; searching narrows further. */
const ROWS = 100;

/** One of many turns or topics, found by typing. */
export const TargetPicker = ({
  title,
  items,
  onChoose,
  onClose,
}: {
  title: string;
  items: readonly PickerItem[];
  onChoose: (id: string) => void;
  onClose: () => void;
}) => {
  const [sought, setSought] = useState('');
  const words = useDeferredValue(sought.trim().toLowerCase());
  const found = useMemo(
    () => items.filter(({ lead, text }) => `${lead ?? ''} ${text}`.toLowerCase().includes(words)),
    [items, words],
  );
  return (
    <Dialog title={title} onClose={onClose} size="small">
      <SearchField label="Search" value={sought} onChange={setSought} />
      <ul className={styles.list}>
        {found.slice(0, ROWS).map(({ id, lead, text }) => (
          <li key={id}>
            <button type="button" className={styles.row} onClick={() => onChoose(id)}>
              {lead !== null && <span className={styles.lead}>{lead}</span>}
              <span className={styles.text}>{text}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className={styles.note}>
        {found.length === 0
          ? 'Nothing has these words.'
          : found.length > ROWS && `The first ${ROWS} of ${found.length}: type to find the others.`}
      </p>
    </Dialog>
  );
};
