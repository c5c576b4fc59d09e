import type { Segment } from '../../domain/context.ts';
import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { pathTo } from '../../domain/queries.ts';
import type { Parameters } from '../parameters.ts';
import type { TokenCache } from '../token-cache.ts';
import { turnSegment } from './turn-segment.ts';

/**
 * Turns off the path that the message needs if the decision was wrong: the paths of the answers that were not
 * chosen but not unlikely either. Likelier ones first, and of a path its newest turns, as far as the budget goes;
 * sent in order of time. A wrong decision then costs some tokens and not the answer.
 */
export const unsureTurns = (
  forest: Forest,
  path: readonly Node[],
  room: number,
  tokens: TokenCache,
  { unsureFrom, unsureBudget }: Pick<Parameters, 'unsureFrom' | 'unsureBudget'>,
): Segment[] => {
  const node = path.at(-1);
  if (node === undefined) return [];
  const seen = new Set(path);
  const taken = new Map<Node, Segment>();
  let left = Math.min(room, unsureBudget);
  for (const tip of alternativeTips(forest, node, unsureFrom)) {
    for (const turn of pathTo(forest, tip).toReversed()) {
      if (seen.has(turn) || turn.number > node.number) continue;
      const segment = turnSegment(turn, tokens);
      if (segment.tokens > left) break;
      left -= segment.tokens;
      seen.add(turn);
      taken.set(turn, { ...segment, unsure: true });
    }
  }
  return [...taken].sort(([a], [b]) => a.number - b.number).map(([, segment]) => segment);
};

/** Where the message would have gone on from, by the answers that were not chosen; likeliest first. */
const alternativeTips = (forest: Forest, { decision }: Node, least: number): NodeId[] => {
  if (decision.by === 'person' || decision.trace === null) return [];
  const { topic, branch } = decision.trace;
  const topics = (topic.answer?.alternatives ?? []).map(({ target, confidence }) => ({
    tip: target === null ? undefined : forest.trees[target]?.activeId,
    confidence,
  }));
  const branches = (branch.answer?.alternatives ?? []).map(({ point, confidence }) => ({ tip: point, confidence }));
  return [...topics, ...branches]
    .filter(({ tip, confidence }) => confidence >= least && tip !== undefined && forest.nodes[tip] !== undefined)
    .sort((a, b) => b.confidence - a.confidence)
    .flatMap(({ tip }) => (tip === undefined ? [] : [tip]));
};
