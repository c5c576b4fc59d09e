import { useEffect, useMemo, useRef, useState } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import { useActions, useApp, useAppState } from '../../ui/app-context.ts';
import { ReplayBar } from '../../ui/chat/bars.tsx';
import { Note } from '../../ui/parts/text.tsx';
import { goToTurn } from '../../ui/shell/commands/go-to-turn.ts';
import { BesideIt } from './beside-it.tsx';
import styles from './compare.module.css';
import { CompareHead } from './compare-head.tsx';
import type { CompareRun } from './compare-run.ts';
import { type CompareRow, compareRows } from './compare-run-rows.ts';
import { CostTable } from './cost-table.tsx';
import { NothingYet } from './nothing-yet.tsx';
import { TokensPerTurn } from './tokens-per-turn.tsx';
import { TurnView } from './turn-view.tsx';
import { useCompare } from './use-compare.ts';

/** The chart, the costs, and what each policy has of one turn. */
export const Compare = ({ run, onClose }: { run: CompareRun; onClose: () => void }) => {
  const actions = useActions();
  const state = useAppState();
  useEffect(() => run.look(), [run]);
  const forest = useApp(({ forest: now }) => now);
  const names = useCompare(run, (one) => one.names);
  const known = useCompare(run, (one) => one.known);
  const rows = useMemo(() => compareRows(forest, known), [forest, known]);
  // Until the person chooses one it is the newest, so that what is played beneath can be watched.
  const [chosenId, setChosenId] = useState<NodeId | null>(null);
  const chosen = rows.findIndex(({ nodeId }) => nodeId === chosenId);
  const at = chosen === -1 ? rows.length - 1 : chosen;
  const choose = (index: number) => setChosenId(rows[index]?.nodeId ?? null);
  const row = rows[at];
  const paneAt = usePaneAt(run, rows, chosen === -1 ? null : chosen);
  const go = (nodeId: NodeId) => {
    onClose();
    void goToTurn({ actions, state }, nodeId);
  };

  return (
    <div className={styles.page}>
      {Object.keys(forest.nodes).length === 0 ? (
        <>
          <ReplayBar />
          <NothingYet />
        </>
      ) : (
        <>
          <CompareHead run={run} rows={rows} />
          <ReplayBar />
          {row === undefined && <Coming run={run} />}
          {row !== undefined && (
            <>
              <TokensPerTurn rows={rows} names={names} at={at} onChoose={choose} />
              <CostTable run={run} rows={rows} at={at} />
              <TurnView run={run} names={names} rows={rows} at={paneAt} onChoose={choose} onGo={go} />
            </>
          )}
          <BesideIt run={run} unit={row?.unit ?? null} />
        </>
      )}
    </div>
  );
};

/** Before the first turn is compared. */
const Coming = ({ run }: { run: CompareRun }) => {
  const running = useCompare(run, (state) => state.running);
  return running && <Note>The first turns are on their way: memories take them in one by one…</Note>;
};

/** Of so many turns that come at once, not each is shown side by side: that would only hold up the rest. */
const MANY = 3;

/** The turn that is shown side by side; null while many are on their way and none is chosen. */
const usePaneAt = (run: CompareRun, rows: readonly CompareRow[], chosen: number | null): number | null => {
  const many = useCompare(run, ({ running, missing }) => running && missing > MANY);
  const last = useRef<NodeId | null>(null);
  if (chosen !== null) return chosen;
  if (!many) last.current = rows.at(-1)?.nodeId ?? null;
  const at = rows.findIndex(({ nodeId }) => nodeId === last.current);
  return at === -1 ? null : at;
};
