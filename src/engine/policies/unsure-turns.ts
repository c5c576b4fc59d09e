import type { Segment } from '../../domain/context.ts';
import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import type { Parameters } from '../parameters.ts';
import type { TokenCache } from '../token-cache.ts';
import { turnSegment } from './turn-segment.ts';

/** A doubt stays while the conversation goes on from a turn, where its answer was less probable than this. */
const STAYS_BELOW = 0.7;

/**
 * Turns off the path that the message needs if its decision was wrong, or a very doubtful one of a turn it goes on from:
 * the paths of the answers that were not chosen but not unlikely either. The newest doubt first, of one turn the likeliest
 * answer, and of a path its newest turns, as far as the budget goes; sent in order of time. A wrong decision then costs
 * some tokens and not the answers that follow. Where the person has spoken of a turn there is no doubt.
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
  const passed = new Set(path);
  const taken = new Map<Node, Segment>();
  let left = Math.min(room, unsureBudget);
  for (const doubted of path.toReversed()) {
    if (doubted !== node && !stays(doubted)) continue;
    for (const tip of alternativeTips(forest, doubted, unsureFrom)) {
      // What is above a turn that was passed was passed, too.
      for (const turn of upwards(forest, tip)) {
        if (passed.has(turn)) break;
        passed.add(turn);
        if (turn.number > node.number) continue;
        const segment = turnSegment(turn, tokens);
        if (segment.tokens > left) break;
        left -= segment.tokens;
        taken.set(turn, { ...segment, unsure: true });
      }
    }
  }
  return [...taken].sort(([a], [b]) => a.number - b.number).map(([, segment]) => segment);
};

const stays = ({ decision: { trace } }: Node): boolean =>
  [trace?.topic.answer, trace?.branch.answer].some(
    (answer) => answer?.confidence != null && answer.confidence < STAYS_BELOW,
  );

/** A turn, its parent, and so on to the root. */
function* upwards({ nodes }: Forest, tip: NodeId): Generator<Node> {
  for (let id: NodeId | null = tip; id !== null; ) {
    const turn: Node | undefined = nodes[id];
    if (turn === undefined) return;
    yield turn;
    id = turn.parentId;
  }
}

/** Where the message would have gone on from, by the answers that were not chosen; likeliest first. */
const alternativeTips = (forest: Forest, { decision, label }: Node, least: number): NodeId[] => {
  if (decision.by === 'person' || decision.trace === null || label !== null) return [];
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
