import type { LandingWeights } from '../src/engine/place/landing/landing-chances.ts';
import { type Descent, descend } from './adam.ts';
import type { LandingExample } from './landing-examples.ts';

const DESCENT: Descent = { steps: 300, rate: 0.05, l2: 0.001 };

/**
 * Weights of the features that make the labelled places most likely: a conditional logit (McFadden 1974). `share`: how much a set
 * counts, however many examples it has.
 */
export const fitLanding = (
  examples: readonly LandingExample[],
  share: (set: string) => number,
): { readonly weights: LandingWeights; readonly loss: number } => {
  const names = [...new Set(examples.flatMap(({ features }) => features.flatMap((of) => Object.keys(of))))].sort();
  const counts = new Map<string, number>();
  for (const { set } of examples) counts.set(set, (counts.get(set) ?? 0) + 1);
  const total = [...counts.keys()].reduce((sum, set) => sum + share(set), 0);
  const rows = examples.map(({ set, features, right }) => ({
    right,
    weight: share(set) / total / (counts.get(set) ?? 1),
    values: features.map((of) => Float64Array.from(names, (name) => of[name] ?? 0)),
  }));
  return descend(
    names,
    rows.flatMap(({ values }) => values),
    DESCENT,
    (weights, slope) => {
      let loss = 0;
      for (const { right, weight, values } of rows) {
        const scores = values.map((row) => row.reduce((score, value, i) => score + value * (weights[i] as number), 0));
        const top = Math.max(...scores);
        const sum = scores.reduce((all, score) => all + Math.exp(score - top), 0);
        loss -= weight * ((scores[right] as number) - top - Math.log(sum));
        for (const [at, row] of values.entries()) {
          const chance = Math.exp((scores[at] as number) - top) / sum;
          const pull = weight * (chance - (at === right ? 1 : 0));
          for (let i = 0; i < row.length; i++) slope[i] = (slope[i] as number) + pull * (row[i] as number);
        }
      }
      return loss;
    },
  );
};
