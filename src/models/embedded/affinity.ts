import type { TopicVectors } from '../../engine/ports.ts';

/**
 * What embeddings tell beyond their similarity, learned from labelled conversations: whether a message stands on its own, and
 * whether it belongs to a topic. Two logits: the first is linear in the message's vector and in ReLU units on it; the second is
 * linear in its elementwise products with the topic's vectors, plus a low-rank bilinear form of its projections and those of the
 * topic's messages.
 */
export interface Affinity {
  /** Name of the embedder it was fitted to; vectors of any other are meaningless here. */
  readonly embedder: string;
  /** One weight per dimension. */
  readonly alone: Float32Array;
  /** One row per ReLU unit; `biases` and `weights` hold each unit's bias and output weight. */
  readonly units: RowMatrix;
  readonly biases: Float32Array;
  readonly weights: Float32Array;
  /** One vector of weights for each of `PARTS`, concatenated. */
  readonly pair: Float32Array;
  /** Projections of a message and of the mean of a topic's messages. Replies are not projected: many models say the same each time. */
  readonly ofMessage: RowMatrix;
  readonly ofTopic: RowMatrix;
}

/** Matrix in row-major order; each row is as long as a vector. */
export type RowMatrix = Float32Array;

export const PARTS = ['tipMessage', 'tipReply', 'messages', 'replies'] as const satisfies (keyof TopicVectors)[];

/** Log-odds, up to a constant, that a message opens a topic, judged by the message alone. */
export const newTopicScore = ({ alone, units, biases, weights }: Affinity, message: Float32Array): number => {
  let sum = dot(alone, 0, message);
  for (let unit = 0; unit < biases.length; unit++) {
    const lit = dot(units, unit * message.length, message) + (biases[unit] as number);
    if (lit > 0) sum += (weights[unit] as number) * lit;
  }
  return sum;
};

/** Log-odds, up to a constant, that a message continues a topic. */
export const continuationScorer = (affinity: Affinity, message: Float32Array): ((topic: TopicVectors) => number) => {
  const projected = projectionsOf(affinity.ofMessage, message);
  return (topic) => {
    const sum = placeByPlace(affinity, message, topic);
    return topic.messages === null ? sum : sum + dot(projected, 0, projectionsOf(affinity.ofTopic, topic.messages));
  };
};

export const placeByPlace = ({ pair }: Affinity, message: Float32Array, topic: TopicVectors): number =>
  PARTS.reduce((sum, part, at) => {
    const vector = topic[part];
    return vector === null ? sum : sum + dotOfProducts(pair, at * message.length, message, vector);
  }, 0);

export const projectionsOf = (rows: RowMatrix, vector: Float32Array): Float32Array => {
  const projected = new Float32Array(rows.length / vector.length);
  for (let row = 0; row < projected.length; row++) projected[row] = dot(rows, row * vector.length, vector);
  return projected;
};

/** Uses four accumulators: a single one would wait for each addition. */
export const dot = (weights: Float32Array, start: number, vector: Float32Array): number => {
  let [a, b, c, d] = [0, 0, 0, 0];
  const end = vector.length - (vector.length % 4);
  for (let i = 0; i < end; i += 4) {
    const at = start + i;
    a += (weights[at] as number) * (vector[i] as number);
    b += (weights[at + 1] as number) * (vector[i + 1] as number);
    c += (weights[at + 2] as number) * (vector[i + 2] as number);
    d += (weights[at + 3] as number) * (vector[i + 3] as number);
  }
  for (let i = end; i < vector.length; i++) a += (weights[start + i] as number) * (vector[i] as number);
  return a + b + c + d;
};

const dotOfProducts = (weights: Float32Array, start: number, a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (weights[start + i] as number) * (a[i] as number) * (b[i] as number);
  return sum;
};
