import { type Affinity, PARTS } from '../affinity.ts';

/** An affinity for vectors of so many dimensions, filled with `numbers`. */
export const madeUpAffinity = (dimensions: number, numbers: (count: number) => Float32Array): Affinity => ({
  embedder: 'made up',
  alone: numbers(dimensions),
  units: numbers(3 * dimensions),
  biases: numbers(3),
  weights: numbers(3),
  pair: numbers(PARTS.length * dimensions),
  ofMessage: numbers(2 * dimensions),
  ofTopic: numbers(2 * dimensions),
});
