import { ChevronRight } from 'lucide-react';
import type { NodeId } from '../../domain/forest.ts';
import type { Change, Difference } from '../../engine/history/difference.ts';
import { DifferenceRow } from './difference-row.tsx';
import styles from './differences.module.css';
import type { Outcome } from './what-if-run.ts';

const GROUPS: readonly { readonly change: Change; readonly title: string; readonly open: boolean }[] = [
  { change: 'moved', title: 'Decided otherwise', open: true },
  { change: 'by-hand', title: 'Elsewhere by what was done by hand', open: true },
  { change: 'same-place', title: 'In the same place, by another action', open: false },
  { change: 'carried', title: 'Carried along', open: false },
];

/** The turns that are not placed alike, the decided ones first. */
export const DifferenceList = ({
  outcome,
  selected,
  onSelect,
}: {
  outcome: Outcome;
  selected: NodeId | null;
  onSelect: (nodeId: NodeId | null) => void;
}) => {
  const groups = GROUPS.map((group) => ({
    ...group,
    turns: outcome.differences.filter(({ change }) => change === group.change),
  })).filter(({ turns }) => turns.length > 0);
  if (groups.length === 0) {
    return (
      <p className={styles.none}>
        Every turn is where it is, by the same action: what was otherwise made no difference here.
      </p>
    );
  }
  return (
    <section className={styles.differences} aria-label="Differences">
      {groups.map(({ change, title, open, turns }) => (
        <Group key={change} title={title} turns={turns} open={open || turns.some(({ nodeId }) => nodeId === selected)}>
          {turns.map((difference) => (
            <DifferenceRow
              key={difference.nodeId}
              outcome={outcome}
              difference={difference}
              selected={difference.nodeId === selected}
              onSelect={onSelect}
            />
          ))}
        </Group>
      ))}
    </section>
  );
};

const Group = ({
  title,
  turns,
  open,
  children,
}: {
  title: string;
  turns: readonly Difference[];
  open: boolean;
  children: React.ReactNode;
}) => (
  <details className={styles.group} open={open}>
    <summary>
      <ChevronRight size={14} aria-hidden />
      {title}
      <i>{turns.length}</i>
    </summary>
    <ul aria-label={title}>{children}</ul>
  </details>
);
