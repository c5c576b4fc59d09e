import type { Segment } from '../../../domain/context.ts';
import type { Forest, Node } from '../../../domain/forest.ts';
import { replyOf } from '../../../domain/queries.ts';
import { sendableAgain } from '../../sendable-again.ts';
import type { TokenCache } from '../../token-cache.ts';
import { turnSegment } from '../turn-segment.ts';

/**
 * What the turn before on the branch was sent, as it was, and its own exchange after it: what a context begins with while the conversation
 * goes on, so that a chat model reads none of it again. Null where the branch changed, the turn before was sent something else by another
 * policy or under other instructions, or anything of it has been edited since; and, where the conversation comes back
 * from elsewhere, if something was fetched for a message then. Its texts must be prepared.
 */
export const carriedContext = (
  policy: string,
  forest: Forest,
  path: readonly Node[],
  instructions: string,
  tokens: TokenCache,
): readonly Segment[] | null => {
  const [parent, node] = path.slice(-2);
  if (parent === undefined || node === undefined || parent.branchId !== node.branchId) return null;
  const sent = replyOf(parent)?.context;
  if (!sent || sent.policy !== policy || sent.unit !== tokens.unit || !sendableAgain(forest, sent)) return null;
  const [first, ...others] = sent.segments;
  const last = others.pop();
  if (first?.kind !== 'instructions' || first.text !== instructions) return null;
  if (last?.kind !== 'message' || last.nodeId !== parent.id) return null;
  const between = others.filter(({ kind }) => kind !== 'elsewhere');
  const isBack = node.number !== parent.number + 1;
  if (isBack && between.some(({ kind }) => kind === 'fetched')) return null;
  if (!between.every((segment) => isAsItWas(forest, segment)) || !hasPath(between, path.slice(0, -2))) return null;
  return [...between, turnSegment(parent, tokens)];
};

/** The reply that it was sent with still counts, and the person still wants what they wanted. */
const isAsItWas = (forest: Forest, segment: Segment): boolean => {
  if (segment.kind !== 'turn' && segment.kind !== 'shortened' && segment.kind !== 'fetched') return true;
  const node = forest.nodes[segment.nodeId];
  if (node === undefined || node.replyId !== segment.replyId) return false;
  const reasons = segment.why?.map(({ reason }) => reason) ?? [];
  return !(reasons.includes('pinned') && !node.pinned) && !reasons.includes('referred-to');
};

/** Every turn of the path stands there: whole, in short or counted, in order, or fetched. */
const hasPath = (segments: readonly Segment[], path: readonly Node[]): boolean => {
  const ids = new Set(path.map(({ id }) => id));
  const fetched = new Set(segments.flatMap((segment) => (segment.kind === 'fetched' ? [segment.nodeId] : [])));
  const there = segments.flatMap((segment) => {
    if (segment.kind === 'turns-left-out') return segment.nodeIds;
    const isInPlace = segment.kind === 'turn' || segment.kind === 'shortened' || segment.kind === 'turn-line';
    return isInPlace ? [segment.nodeId] : [];
  });
  const own = there.filter((id) => ids.has(id));
  const others = path.filter(({ id }) => !own.includes(id));
  const order = path.filter(({ id }) => own.includes(id));
  return others.every(({ id }) => fetched.has(id)) && own.every((id, at) => id === order[at]?.id);
};
