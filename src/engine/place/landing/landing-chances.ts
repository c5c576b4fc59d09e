import type { Forest, Node, NodeId } from '../../../domain/forest.ts';
import { replyStart } from '../../vectors/embedding-text.ts';
import { type LandingFeatures, landingFeatures, type Near } from './landing-features.ts';
import weights from './landing-weights.json' with { type: 'json' };
import { type Landings, landingsOf } from './landings.ts';

/** By feature: what one of it adds to a score, in log-odds. */
export type LandingWeights = Readonly<Record<string, number>>;

/** Probabilities by conditional logit (McFadden 1974): the softmax of linear scores. */
export const chancesOf = (features: readonly LandingFeatures[], by: LandingWeights = weights): number[] => {
  const scores = features.map((of) =>
    Object.entries(of).reduce((score, [name, value]) => score + value * (by[name] ?? 0), 0),
  );
  const top = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - top));
  const sum = odds.reduce((total, one) => total + one, 0);
  return odds.map((one) => one / sum);
};

/** Cosines of texts to the message of the turn that is answered; null where they cannot be had. */
export type Compare = (texts: readonly string[]) => Promise<readonly number[] | null>;

/**
 * How likely a placed message goes on from each of the turns that its decisions left open, itself among none of them; empty where there is
 * nothing to doubt. What is missing to 1 is the chance of a new topic.
 */
export const landingChances = async (
  forest: Forest,
  node: Node,
  near: Near,
  compare: Compare,
): Promise<ReadonlyMap<NodeId, number>> => {
  const landings = landingsOf(forest, node);
  if (landings === null) return new Map();
  const features = landingFeatures(node.message, landings, near, await nearReplies(landings, near, compare));
  const chances = chancesOf(features);
  return new Map(landings.turns.map((one, at) => [one.node.id, chances[at] ?? 0]));
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
