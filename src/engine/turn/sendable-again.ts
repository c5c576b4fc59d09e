import type { Context, Segment } from '../../domain/context.ts';
import { type Forest, type NodeId, RECALL } from '../../domain/forest.ts';

/**
 * Whether a context can be sent again, word for word: of what it holds, nothing has been deleted, hidden or undone
 * since, and nothing is a reply that only quotes, as older contexts held it. The message itself is being answered, hidden or not.
 */
export const sendableAgain = (forest: Forest, { segments }: Context): boolean =>
  segments.every((segment) => stands(forest, segment));

const stands = (forest: Forest, segment: Segment): boolean => {
  switch (segment.kind) {
    case 'instructions':
    case 'path-left-out':
    case 'history-left-out':
    case 'turns-left-out':
    case 'elsewhere':
      return true;
    case 'message':
      return forest.nodes[segment.nodeId] !== undefined;
    case 'turn':
    case 'shortened':
    case 'fetched': {
      const { nodeId, replyId } = segment;
      const reply = forest.nodes[nodeId]?.replies.find(({ id }) => id === replyId);
      const sendsReply = segment.kind === 'turn' ? segment.unanswered !== true : segment.reply === null;
      const quotes = reply?.model === RECALL && sendsReply;
      return (replyId === null || reply !== undefined) && !quotes && isVisible(forest, nodeId);
    }
    case 'turn-summary':
    case 'turn-line':
    case 'reference-summary':
      return isVisible(forest, segment.nodeId);
    case 'memory':
      return segment.from.every((id) => isVisible(forest, id));
    case 'overview':
      return (
        forest.overviews[segment.overviewId]?.lines.every(
          (line) => line.kind === 'left-out' || line.nodeIds.every((id) => isVisible(forest, id)),
        ) === true
      );
  }
};

const isVisible = (forest: Forest, nodeId: NodeId): boolean => forest.nodes[nodeId]?.hidden === false;
