import type { DeciderModels } from '../adapters/models/embedded-decider.ts';
import { featuresOf, type Model } from '../adapters/models/linear-choice.ts';
import type { Examples } from './examples-of.ts';
import { type Example, type Fitting, fitWeights } from './fit.ts';
import { BRANCH_PRIOR, TOPIC_PRIOR } from './priors.ts';

export type Fitted = DeciderModels;

/** How much of the whole each set weighs in the topic decision. The target domain and people's own labels most. */
const TOPIC_SHARES: Readonly<Record<string, number>> = {
  ntm: 3,
  sgd: 1,
  tiage: 0.25,
  cast2022: 0.08,
  structflow: 0.08,
  oasst: 0.08,
};
/** Share of a mixed set: its topic changes are by rule, not by people. */
const MIXED_SHARE = 0.08;

/** The same for the branch decision. Forks in `structflow` and `cast2022` are labelled as such. */
const BRANCH_SHARES: Readonly<Record<string, number>> = { ntm: 2, cast2022: 1, structflow: 1, oasst: 0 };
/** The same forks again, with other topics around them. */
const MIXED_BRANCH_SHARE = 0;

/**
 * Decisions that a share of 1 amounts to; together with the penalty it says how far the weights may go. Less
 * far for branches: with 40 labelled forks in all, a needless branch is the likelier mistake.
 */
const TOPICS_A_SHARE = 400;
const BRANCHES_A_SHARE = 25;
/** Of 1, 3, 10 and 25 the best log-likelihood on NTM that costs SGD less than 0.02 (cross-validated, November 2026). */
const L2 = 10;
/** Of the branch features, whose weights may stray about 0.7 from their prior (the root of 1/l2): the prior is firm, with so few forks. */
const BRANCH_L2 = 2;
const ITERATIONS = 150;

export const topicShare = (set: string): number => (TOPIC_SHARES[set] ?? MIXED_SHARE) * TOPICS_A_SHARE;
export const branchShare = (set: string): number => (BRANCH_SHARES[set] ?? MIXED_BRANCH_SHARE) * BRANCHES_A_SHARE;

export const fitModels = ({ topic, branch }: Examples): Fitted => ({
  topic: modelOf(
    topic.filter(({ right }) => right >= 0),
    { prior: TOPIC_PRIOR },
  ),
  branch: modelOf(branch, { l2: BRANCH_L2, prior: BRANCH_PRIOR }),
});

const modelOf = (examples: readonly Example[], { l2 = L2, prior = {} }: Partial<Fitting> = {}): Model => {
  const weights = fitWeights(examples, { l2, prior, iterations: ITERATIONS });
  const means = meansOf(examples);
  return Object.fromEntries(Object.entries(weights).map(([name, weight]) => [name, [weight, means.get(name) ?? 0]]));
};

/** Average of each feature over the choices that have it. */
const meansOf = (examples: readonly Example[]): Map<string, number> => {
  const sums = new Map<string, { sum: number; weight: number }>();
  for (const { choices, weight } of examples) {
    for (const choice of choices) {
      const features = featuresOf(choice);
      for (const name in features) {
        const entry = sums.get(name) ?? { sum: 0, weight: 0 };
        entry.sum += weight * (features[name] ?? 0);
        entry.weight += weight;
        sums.set(name, entry);
      }
    }
  }
  return new Map([...sums].map(([name, { sum, weight }]) => [name, sum / weight]));
};
