import { once } from '../../engine/tasks.ts';
import type { Affinity } from './affinity.ts';
import { byColumn, fromBase64, type Model, type PackedModel, unpackModel } from './boosted-trees.ts';

/** What the embedded decider has learned from labelled dialogues (docs/decider.md). */
export interface DeciderWeights {
  readonly affinity: Affinity;
  readonly topic: Model;
  readonly branch: Model;
}

/** The same as it is kept in a file. */
export interface PackedWeights {
  readonly affinity: { readonly embedder: string; readonly alone: string; readonly pair: string };
  readonly topic: PackedModel;
  readonly branch: PackedModel;
}

export const unpackWeights = ({ affinity, topic, branch }: PackedWeights): DeciderWeights => ({
  affinity: {
    embedder: affinity.embedder,
    alone: new Float32Array(fromBase64(affinity.alone)),
    pair: new Float32Array(fromBase64(affinity.pair)),
  },
  topic: unpackModel(topic),
  branch: unpackModel(branch),
});

/** The weights that ship; their file is read when they are first asked for. */
export const shippedWeights = once(async () => {
  const { default: packed } = await import('./decider-weights.json');
  return laidOut(unpackWeights(packed));
});

/** Laid out for scoring here, one after the other: all at once it would hold up the first decision, and who types meanwhile. */
const laidOut = async (weights: DeciderWeights): Promise<DeciderWeights> => {
  for (const trees of [...Object.values(weights.topic), ...Object.values(weights.branch)]) {
    byColumn(trees);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return weights;
};
