import { groupAgreement } from '../../../engine/figures/partitions.ts';
import { topicsOf } from '../datasets/dialogues.ts';
import { type Counts, type Metric, share, shareMetric } from './metric.ts';

/** Counts of one dialogue: how its own topics agree with the labelled ones. Both as parents of its turns. */
export const countPartition = (gold: readonly (number | null)[], own: readonly (number | null)[]): Counts => {
  const topics = (parents: readonly (number | null)[]) => topicsOf(parents.map((parent) => ({ parent })));
  const { vMeasure, pairs } = groupAgreement(topics(gold), topics(own));
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
