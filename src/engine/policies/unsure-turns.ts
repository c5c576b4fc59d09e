import type { Segment } from '../../domain/context.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { replyOf } from '../../domain/queries.ts';
import { replyStart } from '../embedding-text.ts';
import { chancesOf, expectedShares } from '../landing/expected-shares.ts';
import { landingFeatures, type Near } from '../landing/landing-features.ts';
import { type Landings, landingsOf } from '../landing/landings.ts';
import type { Parameters } from '../parameters.ts';
import type { TokenCache } from '../token-cache.ts';
import { turnSegment } from './turn-segment.ts';

/** A doubt stays while the conversation goes on from a turn, where its answer was less probable than this. */
const STAYS_BELOW = 0.7;
/** Tokens that `neededFrom` speaks of. Shorter turns count as so long: else the shortest would all be worth sending. */
const A_TURN = 100;

/** Cosines of texts to the message of the turn that is answered; null where they cannot be had. */
export type Compare = (texts: readonly string[]) => Promise<readonly number[] | null>;

interface Room {
  readonly room: number;
  readonly tokens: TokenCache;
  readonly parameters: Pick<Parameters, 'neededFrom' | 'unsureBudget'>;
}

/**
 * Turns off the path that the message may need all the same: its decisions may be wrong, and what it speaks of may be said
 * elsewhere. Each is sent where the share that it is expected to make up of what the message needs is worth its
 * tokens, the most worth first, as far as the budget goes; then what was sent so for a very doubtful turn that
 * the message goes on from. In order of time. A wrong decision then costs some tokens and not the answers that follow.
 */
export const unsureTurns = async (
  forest: Forest,
  path: readonly Node[],
  { room, tokens, parameters }: Room,
  near: Near,
  compare: Compare,
): Promise<Segment[]> => {
  const node = path.at(-1);
  if (node === undefined) return [];
  const passed = new Set(path);
  const taken = new Map<Node, Segment>();
  let left = Math.min(room, parameters.unsureBudget);
  const take = (turn: Node): void => {
    if (passed.has(turn) || turn.number > node.number) return;
    passed.add(turn);
    const segment = turnSegment(turn, tokens);
    if (segment.tokens > left) return;
    left -= segment.tokens;
    taken.set(turn, { ...segment, unsure: true });
  };
  for (const turn of await worthSending(forest, node, { tokens, parameters }, near, compare)) take(turn);
  for (const doubted of path.slice(0, -1).toReversed()) for (const turn of sentForDoubt(forest, doubted)) take(turn);
  return [...taken].sort(([a], [b]) => a.number - b.number).map(([, segment]) => segment);
};

/** Most worth first. */
const worthSending = async (
  forest: Forest,
  node: Node,
  { tokens, parameters }: Omit<Room, 'room'>,
  near: Near,
  compare: Compare,
): Promise<Node[]> => {
  const landings = parameters.neededFrom > 1 ? null : landingsOf(forest, node);
  if (landings === null) return [];
  const features = landingFeatures(node.message, landings, near, await nearReplies(landings, near, compare));
  const worth = (turn: Node, share: number) => share / Math.max(1, turnSegment(turn, tokens).tokens / A_TURN);
  return [...expectedShares(forest, landings, chancesOf(features))]
    .map(([turn, share]) => ({ turn, worth: worth(turn, share) }))
    .filter((one) => one.worth >= parameters.neededFrom)
    .sort((a, b) => b.worth - a.worth || b.turn.number - a.turn.number)
    .map(({ turn }) => turn);
};

/** How near the replies of the turns are to the message. */
const nearReplies = async ({ turns }: Landings, near: Near, compare: Compare): Promise<Near> => {
  const starts = turns.flatMap(({ node }) => {
    const text = replyStart(node);
    // Where no turn is compared with the message, no reply is.
    return text === '' || near(node.id) === null ? [] : [{ id: node.id, text }];
  });
  const found = starts.length === 0 ? null : await compare(starts.map(({ text }) => text));
  const known = new Map(starts.map(({ id }, at) => [id, found?.[at] ?? null]));
  return (id) => known.get(id) ?? null;
};

/** What was sent for the doubt about a turn, if that was great and the person has not spoken of it since. */
const sentForDoubt = ({ nodes }: Forest, node: Node): Node[] => {
  const { decision, label } = node;
  if (label !== null || decision.by === 'person') return [];
  const isDoubtful = (confidence: number | null | undefined) => confidence != null && confidence < STAYS_BELOW;
  const topic = isDoubtful(decision.trace?.topic.answer?.confidence);
  const branch = isDoubtful(decision.trace?.branch.answer?.confidence);
  return (replyOf(node)?.context?.segments ?? []).flatMap((segment) => {
    const turn = segment.kind === 'turn' && segment.unsure === true ? nodes[segment.nodeId] : undefined;
    // Where the topic is not doubted, other topics have no part in it.
    return turn !== undefined && (topic || (branch && turn.treeId === node.treeId)) ? [turn] : [];
  });
};
