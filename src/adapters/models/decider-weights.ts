import { once } from '../../engine/once.ts';
import type { Model } from './boosted-choice.ts';
import { fromBase64, type PackedTrees, unpack } from './boosted-trees.ts';
import type { KindAxes } from './kind-axes.ts';
import { byColumn } from './tree-scores.ts';

/** What the embedded decider has learned from labelled dialogues (docs/decider.md). */
export interface DeciderWeights {
  readonly axes: KindAxes;
  readonly topic: Model;
  readonly branch: Model;
}

/** The same as it is kept in a file. */
export interface PackedWeights {
  readonly axes: { readonly embedder: string; readonly mean: string; readonly axes: string };
  readonly topic: Readonly<Record<string, PackedTrees>>;
  readonly branch: Readonly<Record<string, PackedTrees>>;
}

export const unpackWeights = ({ axes, topic, branch }: PackedWeights): DeciderWeights => ({
  axes: {
    embedder: axes.embedder,
    mean: new Float32Array(fromBase64(axes.mean)),
    axes: new Float32Array(fromBase64(axes.axes)),
  },
  topic: unpackModel(topic),
  branch: unpackModel(branch),
});

const unpackModel = (trees: Readonly<Record<string, PackedTrees>>): Model =>
  Object.fromEntries(Object.entries(trees).map(([action, packed]) => [action, unpack(packed)]));

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
