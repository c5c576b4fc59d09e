import type { Segment } from '../../../domain/context.ts';
import type { Node } from '../../../domain/forest.ts';
import { replyOf } from '../../../domain/queries.ts';
import { isUnanswered } from '../context-text.ts';
import { turnTokens } from '../full-history.ts';
import type { TokenCache } from '../token-cache.ts';

/** A turn in full, with its reply as far as it has come, or a mark where that answers nothing. Its texts must be prepared. */
export const turnSegment = (node: Node, tokens: TokenCache): Extract<Segment, { kind: 'turn' }> => ({
  kind: 'turn',
  nodeId: node.id,
  replyId: node.replyId,
  replyLength: replyOf(node)?.text.length ?? 0,
  ...(isUnanswered(node) && { unanswered: true }),
  tokens: turnTokens(node, tokens),
});
