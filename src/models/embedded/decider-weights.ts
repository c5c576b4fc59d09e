import { once } from '../../engine/tasks.ts';
import type { Affinity, RowMatrix } from './affinity.ts';
import { byColumn, fromBase64, type Model, type PackedModel, type Trees, unpackModel } from './boosted-trees.ts';

/** Weights of the topic decision. */
export interface TopicWeights {
  readonly affinity: Affinity;
  readonly topic: Model;
}

/** What the embedded decider has learned from labelled dialogues (docs/decider.md). */
export interface DeciderWeights extends TopicWeights {
  readonly branch: Model;
  /** For conversations without replies: what a message refers to is then not in a reply either. */
  readonly unanswered: TopicWeights;
}

/** The same as stored in a file. */
interface PackedTopicWeights {
  readonly affinity: PackedAffinity;
  readonly topic: PackedModel;
}

type PackedAffinity = Pick<Affinity, 'embedder'> &
  Readonly<Record<'alone' | 'biases' | 'weights' | 'pair', string>> &
  Readonly<Record<'units' | 'ofMessage' | 'ofTopic', PackedRows>>;

/** Integers from −127 to 127, and the factor to scale each row by. */
interface PackedRows {
  readonly numbers: string;
  readonly scales: string;
}

export interface PackedWeights extends PackedTopicWeights {
  readonly branch: PackedModel;
  readonly unanswered: PackedTopicWeights;
}

export const unpackWeights = ({ branch, unanswered, ...topics }: PackedWeights): DeciderWeights => ({
  ...unpackTopics(topics),
  branch: unpackModel(branch),
  unanswered: unpackTopics(unanswered),
});

const unpackTopics = ({ affinity, topic }: PackedTopicWeights): TopicWeights => ({
  affinity: unpackAffinity(affinity),
  topic: unpackModel(topic),
});

const unpackAffinity = (packed: PackedAffinity): Affinity => {
  const alone = floatsFrom(packed.alone);
  return {
    embedder: packed.embedder,
    alone,
    units: unpackRows(packed.units, alone.length),
    biases: floatsFrom(packed.biases),
    weights: floatsFrom(packed.weights),
    pair: floatsFrom(packed.pair),
    ofMessage: unpackRows(packed.ofMessage, alone.length),
    ofTopic: unpackRows(packed.ofTopic, alone.length),
  };
};

const unpackRows = ({ numbers, scales }: PackedRows, length: number): RowMatrix => {
  const scaleOf = floatsFrom(scales);
  return Float32Array.from(
    new Int8Array(fromBase64(numbers)),
    (value, at) => value * (scaleOf[Math.floor(at / length)] as number),
  );
};

const floatsFrom = (text: string): Float32Array => new Float32Array(fromBase64(text));

/** The shipped weights, loaded on first use. */
export const shippedWeights = once(async () => {
  const { default: packed } = await import('./decider-weights.json');
  return laidOut(unpackWeights(packed));
});

/** Prepares the trees for scoring, one by one: all at once would delay the first decision and block typing. */
const laidOut = async (weights: DeciderWeights): Promise<DeciderWeights> => {
  for (const trees of [weights.topic, weights.branch, weights.unanswered.topic].flatMap(Object.values<Trees>)) {
    byColumn(trees);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return weights;
};
