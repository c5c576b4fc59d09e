import type { Forest } from '../../domain/forest.ts';
import { useActions } from '../app-context.ts';
import type { Part } from './context-parts.ts';
import styles from './inline.module.css';

/** What a part is; of a turn, how it begins, and the way to it. */
export const PartLabel = ({ forest, part }: { forest: Forest; part: Part }) => {
  const { select } = useActions();
  const { nodeId, label, kind } = part;
  const node = nodeId === null ? undefined : forest.nodes[nodeId];
  if (node === undefined || kind === 'message') return <span className={styles.ellipsis}>{label}</span>;
  return (
    <button type="button" className={styles.rowLink} onClick={() => select(node.id)}>
      {label}
      <span className={styles.quiet}> {kind === 'turn' ? node.message.slice(0, 120) : 'as a summary'}</span>
    </button>
  );
};
