import { useMemo, useState } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import type { DecisionRow } from './analysis.ts';
import { CertaintyChart } from './certainty-chart.tsx';
import styles from './charts.module.css';
import { TimeChart } from './time-chart.tsx';
import { TokensChart } from './tokens-chart.tsx';

/** The turn that is looked at: the same in all charts. */
export interface Cursor {
  readonly numbers: readonly number[];
  readonly at: number | null;
  readonly onMove: (index: number | null) => void;
  /** Goes to a turn. */
  readonly onOpen: (index: number) => void;
}

export const ChartsView = ({ rows, onOpen }: { rows: readonly DecisionRow[]; onOpen: (nodeId: NodeId) => void }) => {
  const [at, setAt] = useState<number | null>(null);
  const numbers = useMemo(() => rows.map(({ number }) => number), [rows]);
  const cursor: Cursor = {
    numbers,
    // A turn may have been taken back meanwhile.
    at: at === null || at >= rows.length ? null : at,
    onMove: setAt,
    onOpen: (index) => {
      const row = rows[index];
      if (row !== undefined) onOpen(row.nodeId);
    },
  };
  return (
    <div className={styles.charts}>
      <TokensChart rows={rows} cursor={cursor} />
      <div className={styles.pair}>
        <CertaintyChart rows={rows} cursor={cursor} />
        <TimeChart rows={rows} cursor={cursor} />
      </div>
    </div>
  );
};
