import { useCallback, useMemo, useState } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import { useActions, useAppState, useShownForest, useShowsPast } from '../../ui/app-context.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { useInSteps } from '../../ui/parts/hooks.ts';
import { PageTabs } from '../../ui/parts/paged-dialog.tsx';
import { goToTurn } from '../../ui/shell/commands/go-commands.ts';
import { type DecisionRow, decisionRows } from './analysis.ts';
import styles from './charts.module.css';
import { DecisionsView } from './decisions-view.tsx';
import type { Cursor } from './figure.tsx';
import { TokensChart } from './tokens-chart.tsx';
import { CertaintyChart, TimeChart } from './turn-charts.tsx';

const EACH = 'how sure it was, what it cost, and what you said about it.';
const DESCRIPTION = `Every decision in this conversation: ${EACH}`;
const DESCRIPTION_THEN = `Every decision in this conversation up to the moment on the timeline: ${EACH}`;

/** The decisions of the open conversation as a table and as charts. */
export const AnalysisDialog = ({ onClose }: { onClose: () => void }) => {
  const actions = useActions();
  const state = useAppState();
  const forest = useShownForest();
  const isPast = useShowsPast();
  const read = useCallback(() => decisionRows(forest), [forest]);
  const { result: rows } = useInSteps(read);
  const open = (nodeId: NodeId) => {
    onClose();
    goToTurn({ actions, state }, nodeId);
  };
  return (
    <Dialog title="Analysis" description={isPast ? DESCRIPTION_THEN : DESCRIPTION} onClose={onClose} size="full">
      {rows === null ? (
        <p className={styles.empty}>Reading the decisions…</p>
      ) : rows.length === 0 ? (
        <p className={styles.empty}>
          No decision has been made here yet. Send a message, play a sample or import a dialogue to see how each turn
          was placed.
        </p>
      ) : (
        <PageTabs
          label="Analysis"
          pages={{
            Decisions: <DecisionsView rows={rows} forest={forest} onOpen={open} />,
            Charts: <ChartsView rows={rows} onOpen={open} />,
          }}
        />
      )}
    </Dialog>
  );
};

const ChartsView = ({ rows, onOpen }: { rows: readonly DecisionRow[]; onOpen: (nodeId: NodeId) => void }) => {
  const [at, setAt] = useState<number | null>(null);
  const numbers = useMemo(() => rows.map(({ number }) => number), [rows]);
  const cursor: Cursor = {
    numbers,
    // A turn may have been undone in the meantime.
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
