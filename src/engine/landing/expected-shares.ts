import type { Forest, Node } from '../../domain/forest.ts';
import { pathTo } from '../../domain/queries.ts';
import type { LandingFeatures } from './landing-features.ts';
import weights from './landing-weights.json' with { type: 'json' };
import type { Landings } from './landings.ts';

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

/**
 * Of each turn the share that it is expected to make up of what the message needs. Going on from a turn, it needs that
 * turn's whole path; each turn of a path makes up the same share of it. The chances are those of the landings, in their order.
 */
export const expectedShares = (
  forest: Forest,
  { turns }: Landings,
  chances: readonly number[],
): ReadonlyMap<Node, number> => {
  const shares = new Map<Node, number>();
  for (const [at, { node }] of turns.entries()) {
    const path = pathTo(forest, node.id);
    for (const turn of path) shares.set(turn, (shares.get(turn) ?? 0) + (chances[at] ?? 0) / path.length);
  }
  return shares;
};
