import type { TopicVectors } from '../../engine/ports.ts';

/**
 * What embeddings say beside their similarity, learned from labelled conversations: whether a message stands by itself, and
 * whether it goes with a topic. Two logits, linear in the message's vector and in its products, place by place, with the topic's vectors.
 */
export interface Affinity {
  /** Name of the embedder whose space it is; vectors of another say nothing here. */
  readonly embedder: string;
  /** As long as a vector. */
  readonly alone: Float32Array;
  /** A vector's length for each of `PARTS`, one after the other. */
  readonly pair: Float32Array;
}

export const PARTS = ['tipMessage', 'tipReply', 'messages', 'replies'] as const satisfies (keyof TopicVectors)[];

/** Log-odds, up to a constant, that a message opens a topic, by itself. */
export const standsAlone = ({ alone }: Affinity, message: Float32Array): number => dot(alone, 0, message);

/** Log-odds, up to a constant, that a message goes on in a topic. */
export const goesWith = ({ pair }: Affinity, message: Float32Array, topic: TopicVectors): number =>
  PARTS.reduce((sum, part, at) => {
    const vector = topic[part];
    return vector === null ? sum : sum + dotOfProducts(pair, at * message.length, message, vector);
  }, 0);

const dot = (weights: Float32Array, start: number, vector: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (weights[start + i] as number) * (vector[i] as number);
  return sum;
};

const dotOfProducts = (weights: Float32Array, start: number, a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (weights[start + i] as number) * (a[i] as number) * (b[i] as number);
  return sum;
};
