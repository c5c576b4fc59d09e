import type { CSSProperties } from 'react';
import type { Forest, Node, NodeId, TreeId } from '../../domain/forest.ts';
import { useActions } from '../app-context.ts';
import { topicColour } from '../topic-colour.ts';
import inlineCss from './inline.module.css';
import frameCss from './inspector.module.css';

/** `turn 6`, a way to it; words alone where it is gone. */
export const TurnLink = ({ forest, nodeId }: { forest: Forest; nodeId: NodeId }) => {
  const { select } = useActions();
  const node = forest.nodes[nodeId];
  if (node === undefined) return <span className={inlineCss.gone}>a deleted turn</span>;
  return (
    <button type="button" className={inlineCss.link} title={node.message.slice(0, 200)} onClick={() => select(nodeId)}>
      turn {node.number}
    </button>
  );
};

export const TopicChip = ({ forest, treeId }: { forest: Forest; treeId: TreeId }) => {
  const tree = forest.trees[treeId];
  const style = { '--c': tree === undefined ? 'var(--ink-3)' : topicColour(tree.order) } as CSSProperties;
  return (
    <span className={inlineCss.chip} style={style}>
      {tree?.title ?? 'a deleted topic'}
    </span>
  );
};

/** Which turn is looked at: its number and how it begins. */
export const Subject = ({ forest, node }: { forest: Forest; node: Node }) => (
  <p className={frameCss.subject} style={{ borderColor: topicColour(forest.trees[node.treeId]?.order ?? 0) }}>
    <span className={frameCss.subjectNumber}>{node.number}</span>
    <span className={inlineCss.ellipsis}>{node.message.slice(0, 200)}</span>
  </p>
);
