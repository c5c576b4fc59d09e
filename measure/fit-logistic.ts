import { type Descent, descend } from './adam.ts';

/** What is known of something, and whether it holds. */
export interface Example {
  readonly features: Readonly<Record<string, number>>;
  readonly holds: boolean;
}

const DESCENT: Descent = { steps: 400, rate: 0.05, l2: 0.0005 };

/** Weights of a logistic regression; `loss` is the mean log loss. */
export const fitLogistic = (
  examples: readonly Example[],
): { readonly weights: Readonly<Record<string, number>>; readonly loss: number } => {
  const names = [...new Set(examples.slice(0, 1000).flatMap(({ features }) => Object.keys(features)))].sort();
  const rows = examples.map(({ features }) => Float64Array.from(names, (name) => features[name] ?? 0));
  return descend(names, rows, DESCENT, (weights, slope) => {
    let loss = 0;
    for (const [at, row] of rows.entries()) {
      let odds = 0;
      for (let i = 0; i < row.length; i++) odds += (row[i] as number) * (weights[i] as number);
      const chance = 1 / (1 + Math.exp(-odds));
      const holds = examples[at]?.holds === true;
      loss -= Math.log(Math.max(1e-12, holds ? chance : 1 - chance)) / rows.length;
      const pull = (chance - (holds ? 1 : 0)) / rows.length;
      for (let i = 0; i < row.length; i++) slope[i] = (slope[i] as number) + pull * (row[i] as number);
    }
    return loss;
  });
};
