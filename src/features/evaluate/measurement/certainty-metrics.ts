import { errorKind } from './error-kinds.ts';
import { add, type CountOf, type Metric, share, shareMetric } from './metric.ts';
import type { DecisionRecord } from './placements.ts';

/** Of equal width; a confidence on an edge counts above it, and 1 in the last. */
const BINS = 10;
const COUNTS = Array.from({ length: BINS }, (_, bin) => ({
  decisions: `confidence ${bin}: decisions`,
  confidence: `confidence ${bin}: sum`,
  right: `confidence ${bin}: right`,
}));

/** Counts of how sure the decider was and how right, and of what the interface marks as unsure. */
export const countCertainty = (counts: Record<string, number>, record: DecisionRecord): void => {
  const { confidence, unsure } = record;
  add(counts, 'decisions weighed');
  if (unsure) add(counts, 'decisions flagged');
  if (errorKind(record) !== null) {
    add(counts, 'errors');
    if (unsure) add(counts, 'errors flagged');
  }
  if (confidence === null) return;
  const bin = COUNTS[Math.min(BINS - 1, Math.floor(confidence * BINS))];
  if (bin === undefined) return;
  add(counts, bin.decisions);
  add(counts, bin.confidence, confidence);
  if (topicIsRight(record)) add(counts, bin.right);
};

/** A return counts only if it reached its topic: that is what the confidence is of. */
const topicIsRight = ({ gold, predicted, home, predictedHome }: DecisionRecord): boolean =>
  gold.topic === predicted.topic && (gold.topic !== 'switch-topic' || home === predictedHome);

const withConfidence = (of: CountOf) => COUNTS.reduce((sum, { decisions }) => sum + of(decisions), 0);

/** Whether the confidence is to be believed, and whether what is wrong is offered to be put right. */
export const CERTAINTY_METRICS: readonly Metric[] = [
  {
    name: 'calibration-error',
    definition:
      'expected calibration error of the topic decision: its confidence in ten bins of equal width, the distance in each between the mean confidence and the share that has the right topic action (and, of returns, topic), weighted by count',
    value: (of) =>
      share(
        COUNTS.reduce((sum, { confidence, right }) => sum + Math.abs(of(confidence) - of(right)), 0),
        withConfidence(of),
      ),
    n: withConfidence,
  },
  shareMetric(
    'errors-flagged',
    'share of the turns that were put where their label does not say (another topic action or topic or, where they are labelled, another parent) that the interface marks as unsure, with the other likely places to choose from',
    'errors flagged',
    'errors',
  ),
  shareMetric(
    'share-flagged',
    'share of all decisions that the interface marks as unsure',
    'decisions flagged',
    'decisions weighed',
  ),
];
