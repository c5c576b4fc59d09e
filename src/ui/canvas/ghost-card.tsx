import type { Node as FlowNode, NodeProps } from '@xyflow/react';
import { memo } from 'react';
import styles from './ghost-card.module.css';

export type GhostNode = FlowNode<{ readonly number: number; readonly message: string }, 'ghost'>;

/** A turn that is kept but has no place yet. */
export const GhostCard = memo(({ data }: NodeProps<GhostNode>) => (
  <div className={styles.ghost}>
    <div className={styles.head}>{data.number} · finding its place</div>
    <div className={styles.text}>{data.message}</div>
  </div>
));
GhostCard.displayName = 'GhostCard';
