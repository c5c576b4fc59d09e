import type { DeciderModels } from '../adapters/models/embedded-decider.ts';
import type { Model } from '../adapters/models/linear-choice.ts';
import type { Examples } from './examples-of.ts';
import { type Example, fit } from './fit.ts';

export type Fitted = DeciderModels;

/** How much of the whole each set weighs in the topic decision. The target domain and people's own labels most. */
const TOPIC_SHARES: Readonly<Record<string, number>> = {
  ntm: 1,
  sgd: 1,
  tiage: 0.5,
  cast2022: 0.2,
  structflow: 0.2,
  oasst: 0.2,
};
/** Share of a mixed set: its topic changes are by rule, not by people. */
const MIXED_SHARE = 0.3;

/** The same for the branch decision. Forks in `structflow` and `cast2022` are labelled as such. */
const BRANCH_SHARES: Readonly<Record<string, number>> = { ntm: 2, cast2022: 0.6, structflow: 0.5, oasst: 0.4 };
const MIXED_BRANCH_SHARE = 0.2;

/** Decisions that a share of 1 amounts to; together with the penalty it says how far the weights may go. */
const DECISIONS_A_SHARE = 400;
/** Best of 0.3, 1, 3, 10 by log-likelihood in cross-validation over all sets. */
const L2 = 3;
const ITERATIONS = 150;

export const topicShare = (set: string): number => (TOPIC_SHARES[set] ?? MIXED_SHARE) * DECISIONS_A_SHARE;
export const branchShare = (set: string): number => (BRANCH_SHARES[set] ?? MIXED_BRANCH_SHARE) * DECISIONS_A_SHARE;

export const fitModels = ({ topic, branch }: Examples): Fitted => ({
  topic: modelOf(topic.filter(({ right }) => right >= 0)),
  branch: modelOf(branch),
});

const modelOf = (examples: readonly Example[]): Model => {
  const weights = fit(examples, { l2: L2, iterations: ITERATIONS });
  const means = meansOf(examples);
  return Object.fromEntries(Object.entries(weights).map(([name, weight]) => [name, [weight, means.get(name) ?? 0]]));
};

/** Average of each feature over the choices that have it. */
const meansOf = (examples: readonly Example[]): Map<string, number> => {
  const sums = new Map<string, { sum: number; weight: number }>();
  for (const { choices, weight } of examples) {
    for (const { features } of choices) {
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
