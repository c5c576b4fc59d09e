import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../ui/parts/button.tsx';
import type { Series } from '../../ui/parts/charts/scale.ts';
import { Heading } from '../../ui/parts/text.tsx';
import type { DecisionRow } from './analysis.ts';
import styles from './charts.module.css';
import { type Column, VirtualTable } from './virtual-table.tsx';

/** The turn being looked at, shared by all charts. */
export interface Cursor {
  readonly numbers: readonly number[];
  readonly at: number | null;
  readonly onMove: (index: number | null) => void;
  /** Navigates to a turn. */
  readonly onOpen: (index: number) => void;
}

interface Props {
  readonly title: string;
  /** One line on what is drawn. */
  readonly words: ReactNode;
  /** Controls at the right of the heading. */
  readonly tools?: ReactNode;
  /** Text for the turn under the cursor; null if there is none. */
  readonly reading: string | null;
  /** Navigates to that turn. */
  readonly onGo: () => void;
  /** Renders the same data as a table. */
  readonly table: () => ReactNode;
  readonly children: ReactNode;
}

/** A chart with its heading, a reading for the turn under the cursor, and its table view. */
export const ChartFigure = ({ title, words, tools, reading, onGo, table, children }: Props) => {
  const id = useId();
  const [asTable, setAsTable] = useState(false);
  return (
    <section className={styles.figure} aria-labelledby={id}>
      <header className={styles.head}>
        <Heading size="large" id={id}>
          {title}
        </Heading>
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
                Go to turn
              </Button>
            )}
          </p>
          {children}
        </>
      )}
    </section>
  );
};

interface Row {
  readonly row: DecisionRow;
  readonly index: number;
}

/** The values of a chart per turn, as a table. */
export const ValueTable = ({
  label,
  rows,
  series,
  words,
  onOpen,
}: {
  label: string;
  rows: readonly DecisionRow[];
  series: readonly Series[];
  words: (value: number) => string;
  onOpen: (index: number) => void;
}) => {
  const columns: Column<Row, string>[] = [
    { key: 'number', title: 'Turn', width: '48px', align: 'end', cell: ({ row }) => row.number },
    { key: 'message', title: 'Message', width: 'minmax(120px, 1fr)', cell: ({ row }) => row.message },
    ...series.map(({ key, name, values }) => ({
      key,
      title: name,
      width: `${Math.max(80, name.length * 7)}px`,
      align: 'end' as const,
      cell: ({ index }: Row) => {
        const value = values[index] ?? null;
        return value === null ? '–' : words(value);
      },
    })),
  ];
  return (
    <VirtualTable
      label={label}
      columns={columns}
      rows={rows.map((row, index) => ({ row, index }))}
      keyOf={({ row }) => row.nodeId}
      minWidth={240 + series.reduce((sum, { name }) => sum + Math.max(80, name.length * 7) + 16, 0)}
      onOpen={({ index }) => onOpen(index)}
    />
  );
};
