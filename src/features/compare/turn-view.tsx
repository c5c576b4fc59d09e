import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import { Button, IconButton } from '../../ui/parts/button.tsx';
import { Segmented } from '../../ui/parts/fields.tsx';
import type { CompareRun } from './compare-run.ts';
import type { CompareRow } from './compare-run-rows.ts';
import { SideBySide } from './side-by-side.tsx';
import styles from './turn-view.module.css';

export type Side = 'memories' | 'contexts';

interface Props {
  readonly run: CompareRun;
  readonly names: readonly string[];
  readonly rows: readonly CompareRow[];
  /** null while many turns are on their way. */
  readonly at: number | null;
  readonly onChoose: (index: number) => void;
  readonly onGo: (nodeId: NodeId) => void;
}

/** One turn under every policy: the memories that they keep, or the contexts that they send. */
export const TurnView = ({ run, names, rows, at, onChoose, onGo }: Props) => {
  const id = useId();
  const [side, setSide] = useState<Side>('memories');
  const row = rows[at ?? -1];
  if (at === null || row === undefined) {
    return (
      <p className={styles.later}>
        What each policy keeps and sends is shown here when the turns are compared. Choose one in the chart to see it
        now.
      </p>
    );
  }
  return (
    <section className={styles.turn} aria-labelledby={id}>
      <div className={styles.bar}>
        <IconButton
          size="small"
          label="The turn before"
          icon={ChevronLeft}
          aria-disabled={at === 0}
          onClick={() => onChoose(Math.max(0, at - 1))}
        />
        <IconButton
          size="small"
          label="The next turn"
          icon={ChevronRight}
          aria-disabled={at === rows.length - 1}
          onClick={() => onChoose(Math.min(rows.length - 1, at + 1))}
        />
        <h3 id={id}>Turn {row.number}</h3>
        <p className={styles.message} title={row.message}>
          {row.message}
        </p>
        <Button size="small" look="quiet" onClick={() => onGo(row.nodeId)}>
          Go there
        </Button>
        <Segmented
          label="Side by side"
          options={[
            { value: 'memories', label: 'Memories' },
            { value: 'contexts', label: 'Contexts' },
          ]}
          value={side}
          onChange={setSide}
        />
      </div>
      <SideBySide
        run={run}
        names={names}
        nodeId={row.nodeId}
        side={side}
        onSide={setSide}
        sent={row.sent}
        onTurn={(nodeId) => {
          const index = rows.findIndex((one) => one.nodeId === nodeId);
          if (index !== -1) onChoose(index);
        }}
      />
    </section>
  );
};
