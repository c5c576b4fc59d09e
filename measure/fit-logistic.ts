import { logistic, rounded } from '../src/domain/numbers.ts';

/** Features of something, and whether it holds. */
export interface LogisticExample {
  readonly features: Readonly<Record<string, number>>;
  readonly holds: boolean;
}

const DESCENT: Descent = { steps: 400, rate: 0.05, l2: 0.0005 };

/** Fits a logistic regression; `loss` is the mean log loss. */
export const fitLogistic = (
  examples: readonly LogisticExample[],
): { readonly weights: Readonly<Record<string, number>>; readonly loss: number } => {
  const names = [...new Set(examples.slice(0, 1000).flatMap(({ features }) => Object.keys(features)))].sort();
  const rows = examples.map(({ features }) => Float64Array.from(names, (name) => features[name] ?? 0));
  return descend(names, rows, DESCENT, (weights, slope) => {
    let loss = 0;
    for (const [at, row] of rows.entries()) {
      let odds = 0;
      for (let i = 0; i < row.length; i++) odds += (row[i] as number) * (weights[i] as number);
      const chance = logistic(odds);
      const holds = examples[at]?.holds === true;
      loss -= Math.log(Math.max(1e-12, holds ? chance : 1 - chance)) / rows.length;
      const pull = (chance - (holds ? 1 : 0)) / rows.length;
      for (let i = 0; i < row.length; i++) slope[i] = (slope[i] as number) + pull * (row[i] as number);
    }
    return loss;
  });
};

/** Settings of a gradient descent. */
export interface Descent {
  readonly steps: number;
  readonly rate: number;
  /** Pulls weights towards zero. */
  readonly l2: number;
}

/**
 * Fits weights of named features by Adam (Kingma and Ba 2015) over all examples at once. `rows`: the feature values of each
 * example, divided in place by their standard deviation. `slopeAt` adds the gradient of the mean loss at the weights to `slope`
 * and returns the loss.
 */
export const descend = (
  names: readonly string[],
  rows: readonly Float64Array[],
  { steps, rate, l2 }: Descent,
  slopeAt: (weights: Float64Array, slope: Float64Array) => number,
): { readonly weights: Readonly<Record<string, number>>; readonly loss: number } => {
  const scale = names.map((_, column) => spread(rows, column));
  for (const row of rows) for (let i = 0; i < row.length; i++) row[i] = (row[i] as number) / (scale[i] as number);
  const weights = new Float64Array(names.length);
  const [mean, square] = [new Float64Array(names.length), new Float64Array(names.length)];
  let loss = 0;
  for (let step = 1; step <= steps; step++) {
    const slope = weights.map((weight) => l2 * weight);
    loss = slopeAt(weights, slope);
    for (let i = 0; i < weights.length; i++) {
      const g = slope[i] as number;
      mean[i] = 0.9 * (mean[i] as number) + 0.1 * g;
      square[i] = 0.99 * (square[i] as number) + 0.01 * g * g;
      const first = (mean[i] as number) / (1 - 0.9 ** step);
      const second = Math.sqrt((square[i] as number) / (1 - 0.99 ** step)) + 1e-8;
      weights[i] = (weights[i] as number) - (rate * first) / second;
    }
  }
  return {
    weights: Object.fromEntries(
      names.map((name, i) => [name, rounded((weights[i] as number) / (scale[i] as number), 4)]),
    ),
    loss,
  };
};

/** Standard deviation of a column; 1 for a constant one. */
const spread = (rows: readonly Float64Array[], column: number): number => {
  let [sum, squares] = [0, 0];
  for (const row of rows) {
    sum += row[column] as number;
    squares += (row[column] as number) ** 2;
  }
  return Math.sqrt(Math.max(0, squares / rows.length - (sum / rows.length) ** 2)) || 1;
};
