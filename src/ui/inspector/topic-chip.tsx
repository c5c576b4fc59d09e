import type { CSSProperties } from 'react';
import type { Forest, TreeId } from '../../domain/forest.ts';
import { topicColour } from '../topic-colour.ts';
import styles from './inline.module.css';

export const TopicChip = ({ forest, treeId }: { forest: Forest; treeId: TreeId }) => {
  const tree = forest.trees[treeId];
  const style = { '--c': tree === undefined ? 'var(--ink-3)' : topicColour(tree.order) } as CSSProperties;
  return (
    <span className={styles.chip} style={style}>
      {tree?.title ?? 'a topic that is gone'}
    </span>
  );
};
