import type { Segment } from '../../domain/context.ts';
import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { pathTo } from '../../domain/queries.ts';
import type { Parameters } from '../parameters.ts';
import type { TokenCache } from '../token-cache.ts';
import { turnSegment } from './turn-segment.ts';

/**
 * Turns off the path that the message needs if the decision was wrong: those on the paths of the answers that were
 * not chosen but not unlikely either. The likeliest to be needed first, of equally likely ones the newest, as far
 * as `room` and the budget go; sent in order of time. A wrong decision then costs some tokens and not the answer.
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
  const onPath = new Set(path);
  const needed = [...needOf(forest, node)]
    .filter(([turn, need]) => need >= unsureFrom && !onPath.has(turn) && turn.number < node.number)
    .sort(([a, needA], [b, needB]) => needB - needA || b.number - a.number);
  const taken: { turn: Node; segment: Segment }[] = [];
  let left = Math.min(room, unsureBudget);
  for (const [turn] of needed) {
    const segment = turnSegment(turn, tokens);
    if (segment.tokens > left) continue;
    left -= segment.tokens;
    taken.push({ turn, segment: { ...segment, unsure: true } });
  }
  return taken.sort((a, b) => a.turn.number - b.turn.number).map(({ segment }) => segment);
};

/** By turn, the probability of all answers not chosen by which the message would go on from it or from below it. */
const needOf = (forest: Forest, { decision }: Node): ReadonlyMap<Node, number> => {
  const need = new Map<Node, number>();
  if (decision.by === 'person' || decision.trace === null) return need;
  const { topic, branch } = decision.trace;
  const topicChance = topic.answer?.confidence ?? 1;
  const tips: { tip: NodeId | undefined; chance: number }[] = [
    ...(topic.answer?.alternatives ?? []).map(({ target, confidence }) => ({
      tip: target === null ? undefined : forest.trees[target]?.activeId,
      chance: confidence,
    })),
    ...(branch.answer?.alternatives ?? []).map(({ point, confidence }) => ({
      tip: point,
      chance: confidence * topicChance,
    })),
  ];
  for (const { tip, chance } of tips) {
    if (tip === undefined || forest.nodes[tip] === undefined) continue;
    for (const turn of pathTo(forest, tip)) need.set(turn, (need.get(turn) ?? 0) + chance);
  }
  return need;
};
