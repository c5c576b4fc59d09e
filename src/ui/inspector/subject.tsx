import type { Forest, Node } from '../../domain/forest.ts';
import { topicColour } from '../topic-colour.ts';
import inlineCss from './inline.module.css';
import frameCss from './inspector.module.css';

/** Which turn is looked at: its number and how it begins. */
export const Subject = ({ forest, node }: { forest: Forest; node: Node }) => (
  <p className={frameCss.subject} style={{ borderColor: topicColour(forest.trees[node.treeId]?.order ?? 0) }}>
    <span className={frameCss.subjectNumber}>{node.number}</span>
    <span className={inlineCss.ellipsis}>{node.message.slice(0, 200)}</span>
  </p>
);
