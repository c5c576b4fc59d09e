import { logistic, randomFrom } from '../src/domain/numbers.ts';
import type { TopicVectors } from '../src/engine/ports.ts';
import {
  type Affinity,
  dot,
  PARTS,
  placeByPlace,
  projectionsOf,
  type RowMatrix,
} from '../src/models/embedded/affinity.ts';

/** What a labelled decision says about embeddings: the message, the topics it might have continued, and the one it did; −1 for none. */
export interface AffinityExample {
  readonly message: Float32Array;
  readonly topics: readonly TopicVectors[];
  readonly right: number;
  readonly weight: number;
}

/** Passes over the examples, ReLU units, and projections of message and topic: chosen by the area under the curve on held-out dialogues. */
const PASSES = 6;
const UNITS = 24;
const RANK = 24;
/** Step sizes (AdaGrad, Duchi et al. 2011), adapted per weight, and for rows of a matrix per row; and the share of them at the last step. */
const STEP = { alone: 0.25, pair: 3, units: 3, biases: 0.15, weights: 0.3, rows: 3 };
const LAST = 0.1;
/** Standard deviation of the rows' initial values. */
const SPREAD = 0.1;
/** Pull towards the plain similarity, and of the message's own weights towards 0, per unit of weight. */
const PULL = 1e-5;
const PLAIN = 2;
/** Initial value of AdaGrad's sums, so that the first steps are bounded. */
const FIRST = 1e-3;

/** Fits two logistic regressions; the same examples in the same order give the same ones. */
export const fitAffinity = (examples: readonly AffinityExample[], embedder: string, dimensions: number): Affinity => {
  const random = randomFrom(1);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const rows = (count: number) => Float32Array.from({ length: count * dimensions }, () => SPREAD * normal());
  const ofMessage = rows(RANK);
  const affinity: Affinity = {
    embedder,
    alone: new Float32Array(dimensions),
    units: rows(UNITS),
    biases: new Float32Array(UNITS),
    weights: Float32Array.from({ length: UNITS }, (_, at) => (at % 2 === 0 ? 0.5 : -0.5)),
    pair: new Float32Array(dimensions * PARTS.length).fill(PLAIN),
    ofMessage,
    ofTopic: ofMessage.slice(),
  };
  const mean = examples.reduce((sum, { weight }) => sum + weight, 0) / Math.max(1, examples.length);
  const order = [...examples.keys()];
  const slopes = {
    alone: new Float32Array(dimensions).fill(FIRST),
    pair: new Float32Array(affinity.pair.length).fill(FIRST),
    units: new Float32Array(UNITS).fill(FIRST),
    weights: new Float32Array(UNITS).fill(FIRST),
    ofMessage: new Float32Array(RANK).fill(FIRST),
    ofTopic: new Float32Array(RANK).fill(FIRST),
  };
  let aloneBias = -1;
  let pairBias = -1;
  const lit = new Float32Array(UNITS);
  const none = new Float32Array(RANK);

  const learnAlone = (message: Float32Array, opened: boolean, share: number, rate: number): void => {
    let score = aloneBias + dot(affinity.alone, 0, message);
    for (let unit = 0; unit < UNITS; unit++) {
      lit[unit] = Math.max(0, dot(affinity.units, unit * dimensions, message) + (affinity.biases[unit] as number));
      score += (affinity.weights[unit] as number) * (lit[unit] as number);
    }
    const push = share * (logistic(score) - (opened ? 1 : 0));
    aloneBias -= 0.01 * push;
    descend(affinity.alone, slopes.alone, rate * STEP.alone, 0, 0, push, message, null);
    for (let unit = 0; unit < UNITS; unit++) {
      const value = lit[unit] as number;
      if (value === 0) continue;
      const slope = push * (affinity.weights[unit] as number);
      const by = stepOf(slopes.units, unit, slope, rate);
      add(affinity.units, unit * dimensions, -STEP.units * by, message);
      affinity.biases[unit] = (affinity.biases[unit] as number) - STEP.biases * by;
      affinity.weights[unit] =
        (affinity.weights[unit] as number) - stepOf(slopes.weights, unit, push * value, rate * STEP.weights);
    }
  };

  const learnPair = (
    message: Float32Array,
    topic: TopicVectors,
    goesOn: boolean,
    share: number,
    rate: number,
  ): void => {
    const a = projectionsOf(affinity.ofMessage, message);
    const b = topic.messages === null ? none : projectionsOf(affinity.ofTopic, topic.messages);
    const score = placeByPlace(affinity, message, topic) + dot(a, 0, b) + pairBias;
    const push = share * (logistic(score) - (goesOn ? 1 : 0));
    pairBias -= 0.01 * push;
    for (const [part, name] of PARTS.entries()) {
      const vector = topic[name];
      if (vector !== null)
        descend(affinity.pair, slopes.pair, rate * STEP.pair, part * dimensions, PLAIN, push, message, vector);
    }
    if (topic.messages === null) return;
    for (let row = 0; row < RANK; row++) {
      const start = row * dimensions;
      const [x, y] = [a[row] as number, b[row] as number];
      add(affinity.ofMessage, start, -stepOf(slopes.ofMessage, row, push * y, rate * STEP.rows), message);
      add(affinity.ofTopic, start, -stepOf(slopes.ofTopic, row, push * x, rate * STEP.rows), topic.messages);
    }
  };

  for (let pass = 0; pass < PASSES; pass++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1));
      [order[at], order[other]] = [order[other] as number, order[at] as number];
    }
    for (const [nth, at] of order.entries()) {
      const { message, topics, right, weight } = examples[at] as AffinityExample;
      const share = Math.min(5, weight / mean);
      const rate = LAST ** ((pass + nth / order.length) / PASSES);
      learnAlone(message, right === -1, share, rate);
      for (const [place, topic] of topics.entries()) {
        learnPair(message, topic, place === right, share, rate);
      }
    }
  }
  return affinity;
};

/** Length of a row's step along a vector of length 1. */
const stepOf = (slopes: Float32Array, row: number, slope: number, step: number): number => {
  slopes[row] = (slopes[row] as number) + slope * slope;
  return (step * slope) / Math.sqrt(slopes[row] as number);
};

const add = (rows: RowMatrix, start: number, times: number, vector: Float32Array): void => {
  for (let i = 0; i < vector.length; i++) rows[start + i] = (rows[start + i] as number) + times * (vector[i] as number);
};

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
