import { type ReactNode, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { count } from '../parts/format.ts';
import styles from './section.module.css';

interface Props<T> {
  readonly items: readonly T[];
  /** How many are shown before the person asks for all. */
  readonly first: number;
  /** What it lists, where no heading says it. */
  readonly label?: string;
  readonly children: (item: T, index: number) => ReactNode;
}

/** A list that begins short. Give it a key of what it lists, so that it begins short again for another. */
export const Limited = <T,>({ items, first, label, children }: Props<T>) => {
  const [all, setAll] = useState(false);
  const more = items.length - first;
  return (
    <>
      <ul className={styles.list} aria-label={label}>
        {(all ? items : items.slice(0, first)).map(children)}
      </ul>
      {more > 0 && !all && (
        <Button look="quiet" size="small" className={styles.more ?? ''} onClick={() => setAll(true)}>
          Show {count(more)} more
        </Button>
      )}
    </>
  );
};
