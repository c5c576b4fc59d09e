import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../ui/parts/button.tsx';
import styles from './charts.module.css';

interface Props {
  readonly title: string;
  /** One line on what is drawn. */
  readonly words: ReactNode;
  /** What stands at the right of the heading. */
  readonly tools?: ReactNode;
  /** What the drawing says of the turn under the cursor; null where there is none. */
  readonly reading: string | null;
  /** Goes to that turn. */
  readonly onGo: () => void;
  /** The same as a table. */
  readonly table: () => ReactNode;
  readonly children: ReactNode;
}

/** A chart with its heading, what it says under the cursor, and the table behind it. */
export const Figure = ({ title, words, tools, reading, onGo, table, children }: Props) => {
  const id = useId();
  const [asTable, setAsTable] = useState(false);
  return (
    <section className={styles.figure} aria-labelledby={id}>
      <header className={styles.head}>
        <h3 id={id}>{title}</h3>
        <p>{words}</p>
        {tools}
        <Button
          size="small"
          aria-pressed={asTable}
          aria-label={`${title} as a table`}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? 'Chart' : 'Table'}
        </Button>
      </header>
      {asTable ? (
        <div className={styles.behind}>{table()}</div>
      ) : (
        <>
          <p className={styles.reading}>
            {reading}
            {reading !== null && (
              <Button size="small" look="quiet" onClick={onGo}>
                Go there
              </Button>
            )}
          </p>
          {children}
        </>
      )}
    </section>
  );
};
