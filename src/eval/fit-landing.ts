import type { LandingWeights } from '../engine/landing/landing-chances.ts';
import type { LandingExample } from './landing-examples.ts';

const STEPS = 300;
const RATE = 0.05;
/** Pulls weights towards zero. */
const L2 = 0.001;

/**
 * Weights of the features that make the labelled places most likely: a conditional logit (McFadden 1974), fitted by Adam
 * (Kingma and Ba 2015) over all examples at once. `share`: how much a set counts, however many examples it has.
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
  const scale = spreads(
    rows.flatMap(({ values }) => values),
    names.length,
  );
  for (const row of rows.flatMap(({ values }) => values)) {
    for (let i = 0; i < row.length; i++) row[i] = (row[i] as number) / (scale[i] as number);
  }

  const weights = new Float64Array(names.length);
  const [mean, square] = [new Float64Array(names.length), new Float64Array(names.length)];
  let loss = 0;
  for (let step = 1; step <= STEPS; step++) {
    const slope = weights.map((weight) => L2 * weight);
    loss = 0;
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
    for (let i = 0; i < weights.length; i++) {
      const g = slope[i] as number;
      mean[i] = 0.9 * (mean[i] as number) + 0.1 * g;
      square[i] = 0.99 * (square[i] as number) + 0.01 * g * g;
      const first = (mean[i] as number) / (1 - 0.9 ** step);
      const second = Math.sqrt((square[i] as number) / (1 - 0.99 ** step)) + 1e-8;
      weights[i] = (weights[i] as number) - (RATE * first) / second;
    }
  }
  const rounded = (value: number) => Math.round(value * 10_000) / 10_000;
  return {
    weights: Object.fromEntries(names.map((name, i) => [name, rounded((weights[i] as number) / (scale[i] as number))])),
    loss,
  };
};

/** Standard deviation of each column; 1 for one that never differs. */
const spreads = (rows: readonly Float64Array[], columns: number): Float64Array =>
  Float64Array.from({ length: columns }, (_, i) => {
    let [sum, squares] = [0, 0];
    for (const row of rows) {
      sum += row[i] as number;
      squares += (row[i] as number) ** 2;
    }
    return Math.sqrt(squares / rows.length - (sum / rows.length) ** 2) || 1;
  });
