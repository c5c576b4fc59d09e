import { once } from '../../engine/tasks.ts';
import type { Affinity } from './affinity.ts';
import {
  byColumn,
  fromBase64,
  type Model,
  type PackedModel,
  packModel,
  type Trees,
  toBase64,
  unpackModel,
} from './boosted-trees.ts';

/** What decides about topics. */
export interface TopicWeights {
  readonly affinity: Affinity;
  readonly topic: Model;
}

/** What the embedded decider has learned from labelled dialogues (docs/decider.md). */
export interface DeciderWeights extends TopicWeights {
  readonly branch: Model;
  /** For conversations in which nobody replies: what a message leans on is then in no reply either. */
  readonly unanswered: TopicWeights;
}

/** The same as they are kept in a file. */
interface PackedTopicWeights {
  readonly affinity: { readonly embedder: string; readonly alone: string; readonly pair: string };
  readonly topic: PackedModel;
}

export interface PackedWeights extends PackedTopicWeights {
  readonly branch: PackedModel;
  readonly unanswered: PackedTopicWeights;
}

export const packWeights = ({ branch, unanswered, ...topics }: DeciderWeights): PackedWeights => ({
  ...packTopics(topics),
  branch: packModel(branch),
  unanswered: packTopics(unanswered),
});

const packTopics = ({ affinity, topic }: TopicWeights): PackedTopicWeights => ({
  affinity: { embedder: affinity.embedder, alone: toBase64(affinity.alone), pair: toBase64(affinity.pair) },
  topic: packModel(topic),
});

export const unpackWeights = ({ branch, unanswered, ...topics }: PackedWeights): DeciderWeights => ({
  ...unpackTopics(topics),
  branch: unpackModel(branch),
  unanswered: unpackTopics(unanswered),
});

const unpackTopics = ({ affinity, topic }: PackedTopicWeights): TopicWeights => ({
  affinity: {
    embedder: affinity.embedder,
    alone: new Float32Array(fromBase64(affinity.alone)),
    pair: new Float32Array(fromBase64(affinity.pair)),
  },
  topic: unpackModel(topic),
});

/** The weights that ship; their file is read when they are first asked for. */
export const shippedWeights = once(async () => {
  const { default: packed } = await import('./decider-weights.json');
  return laidOut(unpackWeights(packed));
});

/** Laid out for scoring here, one after the other: all at once it would hold up the first decision, and who types meanwhile. */
const laidOut = async (weights: DeciderWeights): Promise<DeciderWeights> => {
  for (const trees of [weights.topic, weights.branch, weights.unanswered.topic].flatMap(Object.values<Trees>)) {
    byColumn(trees);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return weights;
};
