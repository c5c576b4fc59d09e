import { useMemo, useRef } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import type { PolicyContext } from '../../engine/history/compare-contexts.ts';
import { useApp } from '../../ui/app-context.ts';
import { CompareProgress } from './compare-progress.tsx';
import type { CompareRun } from './compare-run.ts';
import { CompareTable } from './compare-table.tsx';
import { MemoryPanes } from './memory-panes.tsx';
import styles from './turn-view.module.css';
import type { Side } from './turn-view.tsx';
import { useContexts } from './use-contexts.ts';

interface Props {
  readonly run: CompareRun;
  readonly names: readonly string[];
  readonly nodeId: NodeId;
  readonly side: Side;
  readonly onSide: (side: Side) => void;
  /** The policy that the turn was really sent under. */
  readonly sent: string | null;
  readonly onTurn: (nodeId: NodeId) => void;
}

/** What each policy has of a turn. What was there stays until that of the next turn has come: nothing flickers. */
export const SideBySide = ({ run, names, nodeId, side, onSide, sent, onTurn }: Props) => {
  const topic = useApp(({ forest }) => forest.trees[forest.nodes[nodeId]?.treeId ?? '']?.order ?? 0);
  const shown = useContexts(nodeId, names, run.contextsFor);
  const held = useRef<readonly PolicyContext[]>([]);
  const { contexts, failed, failure, building } = shown;
  const complete = contexts.length + failed.length >= names.length;
  if (complete) held.current = contexts;
  const there = complete || held.current.length === 0 ? contexts : held.current;
  // For a reply that came with its dialogue nothing was sent, though it is known what would have been.
  const current = useMemo(() => there.map((one) => ({ ...one, sent: one.policy === sent })), [there, sent]);
  // A memory that has many turns to take in says how far it is; of one or two nobody needs to know.
  const slow = building !== null && building.of - building.turns > 2;
  return (
    <div className={styles.side} aria-busy={!complete && building !== null}>
      {(slow || (building === null && !complete) || failed.length > 0) && (
        <div className={styles.progress}>
          <CompareProgress shown={shown} names={names} />
        </div>
      )}
      {failure !== null && (
        <p className={styles.note} role="alert">
          The contexts cannot be built: {failure}. Choose a model under Models that is here, and try again.
        </p>
      )}
      {side === 'memories' ? (
        <MemoryPanes run={run} contexts={current} nodeId={nodeId} sent={sent} onTurn={onTurn} />
      ) : (
        current.length > 0 && (
          <div className={styles.contexts}>
            <CompareTable contexts={current} topic={topic} onMemory={() => onSide('memories')} />
          </div>
        )
      )}
    </div>
  );
};
