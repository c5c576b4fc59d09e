import type { Forest, NodeId } from '../../domain/forest.ts';
import { useActions } from '../app-context.ts';
import styles from './inline.module.css';

/** `turn 6`, a way to it; words alone where it is gone. */
export const TurnLink = ({ forest, nodeId }: { forest: Forest; nodeId: NodeId }) => {
  const { select } = useActions();
  const node = forest.nodes[nodeId];
  if (node === undefined) return <span className={styles.gone}>a turn that is gone</span>;
  return (
    <button type="button" className={styles.link} title={node.message.slice(0, 200)} onClick={() => select(nodeId)}>
      turn {node.number}
    </button>
  );
};
