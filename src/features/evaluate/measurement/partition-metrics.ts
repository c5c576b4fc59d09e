import { topicsOf } from '../datasets/dialogues.ts';
import { type Counts, type Metric, share, shareMetric } from './metric.ts';

/** Counts of one dialogue: how its own topics agree with the labelled ones. Both as parents of its turns. */
export const countPartition = (gold: readonly (number | null)[], own: readonly (number | null)[]): Counts => {
  const topics = (parents: readonly (number | null)[]) => topicsOf(parents.map((parent) => ({ parent })));
  const { vMeasure, pairs } = agreement(topics(gold), topics(own));
  return {
    'partition v': vMeasure,
    partitions: 1,
    'pairs in both': pairs.both,
    'pairs found': pairs.found,
    'pairs right': pairs.right,
  };
};

export const PARTITION_METRICS: readonly Metric[] = [
  shareMetric(
    'v-measure',
    'agreement of the topics that came about with the labelled ones: harmonic mean of homogeneity and completeness in a dialogue, averaged over dialogues',
    'partition v',
    'partitions',
  ),
  {
    name: 'pairwise-f1',
    definition:
      'the same as F1 over pairs of turns of one dialogue: those that share a topic against those that should',
    value: (of) => share(2 * of('pairs in both'), of('pairs found') + of('pairs right')),
    n: (of) => of('pairs right'),
  },
];

/** How far two ways of putting the same items into groups agree. Groups are given as one name an item. */
interface Agreement {
  /** Harmonic mean of homogeneity and completeness (Rosenberg & Hirschberg 2007), 0–1. */
  readonly vMeasure: number;
  /** Pairs of items together in both, in what was found, and in what is right. */
  readonly pairs: { readonly both: number; readonly found: number; readonly right: number };
}

export const agreement = (right: readonly number[], found: readonly number[]): Agreement => {
  const joint = sizes(right.map((group, at) => `${group}/${found[at]}`));
  const rightSizes = sizes(right);
  const foundSizes = sizes(found);
  const rightEntropy = entropy(rightSizes);
  const foundEntropy = entropy(foundSizes);
  const shared = rightEntropy + foundEntropy - entropy(joint);
  const homogeneity = rightEntropy === 0 ? 1 : shared / rightEntropy;
  const completeness = foundEntropy === 0 ? 1 : shared / foundEntropy;
  const both = homogeneity + completeness;
  return {
    vMeasure: both === 0 ? 0 : Math.max(0, (2 * homogeneity * completeness) / both),
    pairs: { both: pairsIn(joint), found: pairsIn(foundSizes), right: pairsIn(rightSizes) },
  };
};

const sizes = (groups: readonly (number | string)[]): number[] => {
  const counts = new Map<number | string, number>();
  for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1);
  return [...counts.values()];
};

const entropy = (counts: readonly number[]): number => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  // A single group has no entropy; -0 would not be 0 for everyone.
  return counts.length < 2 ? 0 : -counts.reduce((sum, count) => sum + (count / total) * Math.log(count / total), 0);
};

const pairsIn = (counts: readonly number[]): number =>
  counts.reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
