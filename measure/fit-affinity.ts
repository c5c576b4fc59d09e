import { randomFrom } from '../src/engine/figures/estimate.ts';
import type { TopicVectors } from '../src/engine/ports.ts';
import { type Affinity, goesWith, PARTS, standsAlone } from '../src/models/embedded/affinity.ts';

/** What a labelled decision tells of embeddings: the message, the topics it might have gone on in, and the one it did; −1 for none. */
export interface AffinityExample {
  readonly message: Float32Array;
  readonly topics: readonly TopicVectors[];
  readonly right: number;
  readonly weight: number;
}

/** Passes over the examples, and how far each step goes (AdaGrad, Duchi et al. 2011). */
const PASSES = 4;
const STEP = { alone: 0.25, pair: 3 };
/** Pull towards the plain similarity, and of the messages' own weights towards 0, per unit of weight. */
const PULL = 1e-5;
const PLAIN = 2;

/** Two logistic regressions, by the same examples in the same order the same ones. */
export const fitAffinity = (examples: readonly AffinityExample[], embedder: string, dimensions: number): Affinity => {
  const affinity: Affinity = {
    embedder,
    alone: new Float32Array(dimensions),
    pair: new Float32Array(dimensions * PARTS.length).fill(PLAIN),
  };
  const mean = examples.reduce((sum, { weight }) => sum + weight, 0) / Math.max(1, examples.length);
  const order = [...examples.keys()];
  const random = randomFrom(1);
  const steps = {
    alone: new Float32Array(dimensions).fill(1e-3),
    pair: new Float32Array(affinity.pair.length).fill(1e-3),
  };
  let aloneBias = -1;
  let pairBias = -1;
  for (let pass = 0; pass < PASSES; pass++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1));
      [order[at], order[other]] = [order[other] as number, order[at] as number];
    }
    for (const at of order) {
      const { message, topics, right, weight } = examples[at] as AffinityExample;
      const share = Math.min(5, weight / mean);
      const opens = share * (chance(standsAlone(affinity, message) + aloneBias) - (right === -1 ? 1 : 0));
      aloneBias -= 0.01 * opens;
      descend(affinity.alone, steps.alone, STEP.alone, 0, 0, opens, message, null);
      for (const [place, topic] of topics.entries()) {
        const goes = share * (chance(goesWith(affinity, message, topic) + pairBias) - (place === right ? 1 : 0));
        pairBias -= 0.01 * goes;
        for (const [part, name] of PARTS.entries()) {
          const vector = topic[name];
          if (vector !== null)
            descend(affinity.pair, steps.pair, STEP.pair, part * dimensions, PLAIN, goes, message, vector);
        }
      }
    }
  }
  return affinity;
};

const chance = (score: number): number => 1 / (1 + Math.exp(-score));

const descend = (
  weights: Float32Array,
  steps: Float32Array,
  step: number,
  start: number,
  rest: number,
  push: number,
  a: Float32Array,
  b: Float32Array | null,
): void => {
  for (let i = 0; i < a.length; i++) {
    const at = start + i;
    const value = b === null ? (a[i] as number) : (a[i] as number) * (b[i] as number);
    const slope = push * value + PULL * ((weights[at] as number) - rest);
    steps[at] = (steps[at] as number) + slope * slope;
    weights[at] = (weights[at] as number) - (step * slope) / Math.sqrt(steps[at] as number);
  }
};
