import { Link2 } from 'lucide-react';
import { shownForest } from '../../app/state.ts';
import type { Node } from '../../domain/forest.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import styles from './why-line.module.css';

/** Turns elsewhere that a message points at and is not sent yet, each one click away from being sent along. */
export const ReferenceLine = ({ node }: { node: Node }) => {
  useApp((state) => shownForest(state).nodes);
  const { nodes, trees } = shownForest(useAppState()());
  const { addReference } = useActions();
  const suggested = (node.decision.trace?.references ?? []).flatMap(({ nodeId }) => {
    const turn = nodes[nodeId];
    const has = node.references.some(({ to }) => to === nodeId);
    return turn === undefined || turn.hidden || has ? [] : [turn];
  });
  if (suggested.length === 0) return null;
  return (
    <div className={styles.unsure}>
      <Link2 size={13} className={styles.icon} aria-hidden />
      <span className={styles.fact}>Seems to mean what was said elsewhere. Send along</span>
      {suggested.map(({ id, number, treeId }) => (
        <button
          key={id}
          type="button"
          className={styles.place}
          aria-label={`Turn ${node.number} refers to turn ${number}`}
          onClick={() => void addReference(node.id, id, 'path')}
        >
          {trees[treeId]?.title}, turn {number}
        </button>
      ))}
    </div>
  );
};
