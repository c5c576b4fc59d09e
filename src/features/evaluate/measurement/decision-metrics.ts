import { add, type CountLookup, type Counts } from '../../../app/figures/estimate.ts';
import { groupAgreement } from '../../../app/figures/partitions.ts';
import { BranchAction, TopicAction } from '../../../domain/decision.ts';
import { topicsOf } from '../datasets/dialogues.ts';
import { confusionOf, type Metric, share, shareMetric } from './metric.ts';
import type { DecisionRecord } from './placements.ts';

/** Counts for the decisions of one dialogue, covering every decision metric. */
export const countDecisions = (records: readonly DecisionRecord[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const record of records) {
    countTopic(counts, record);
    countBranch(counts, record);
    countEdge(counts, record);
    countCertainty(counts, record);
    countSettled(counts, record);
  }
  return counts;
};

const topics = confusionOf('topic', TopicAction.options);
const TOPIC_CLASSES = [
  { action: 'create-topic', short: 'create' },
  { action: 'switch-topic', short: 'switch' },
  { action: 'continue-topic', short: 'continue' },
] as const;

/** Counts topic actions, and returns that reached their topic. */
const countTopic = (counts: Record<string, number>, { gold, predicted, home, predictedHome }: DecisionRecord): void => {
  add(counts, 'decisions');
  topics.count(counts, gold.topic, predicted.topic);
  if (gold.topic !== 'switch-topic') return;
  add(counts, 'returns');
  if (predicted.topic === 'switch-topic' && home === predictedHome) add(counts, 'returns that reached');
};

const decisions = (of: CountLookup): number => of('decisions');

const accuracy: Metric = {
  name: 'accuracy',
  definition: 'share of the decisions with the right topic action',
  value: (of) =>
    share(
      TopicAction.options.reduce((sum, action) => sum + topics.hits(of, action), 0),
      decisions(of),
    ),
  n: decisions,
};

/** Create, continue and switch, individually and combined. */
export const TOPIC_METRICS: readonly Metric[] = [
  {
    name: 'topic-macro-f1',
    definition: 'mean of the F1 of create, switch and continue, over those that occur in the labels',
    value: topics.macroF1,
    n: decisions,
  },
  accuracy,
  ...TOPIC_CLASSES.flatMap(({ action, short }): Metric[] => [
    topics.precision(action, short, `share of the turns decided as ${short} whose label is ${short}`),
    topics.recall(action, short, `share of the turns labelled ${short} that were decided so`),
  ]),
  shareMetric(
    'switch-target-accuracy',
    'share of the turns labelled switch that were decided so and put under a turn of the labelled topic',
    'returns that reached',
    'returns',
  ),
];

/** For dialogues with a single topic: whether it was kept. */
export const ONE_TOPIC_METRICS: readonly Metric[] = [accuracy];

const shifts = (of: CountLookup) => decisions(of) - topics.labelled(of, 'continue-topic');
const shiftsGiven = (of: CountLookup) => decisions(of) - topics.answered(of, 'continue-topic');
const shiftHits = (of: CountLookup) =>
  shifts(of) - (topics.cell(of, 'create-topic', 'continue-topic') + topics.cell(of, 'switch-topic', 'continue-topic'));

/** Shift or no shift; both creating and switching count as a shift. */
export const SHIFT_METRICS: readonly Metric[] = [
  {
    name: 'shift-f1',
    definition: 'harmonic mean of shift-precision and shift-recall',
    value: (of) => share(2 * shiftHits(of), shifts(of) + shiftsGiven(of)),
    n: decisions,
  },
  {
    name: 'shift-precision',
    definition: 'share of the turns decided as create or switch that are labelled as shifts',
    value: (of) => share(shiftHits(of), shiftsGiven(of)),
    n: shiftsGiven,
  },
  {
    name: 'shift-recall',
    definition: 'share of the labelled shifts that were decided as create or switch',
    value: (of) => share(shiftHits(of), shifts(of)),
    n: shifts,
  },
  {
    name: 'shift-accuracy',
    definition: 'share of the decisions that are right about whether the topic shifts',
    value: (of) => share(shiftHits(of) + topics.hits(of, 'continue-topic'), decisions(of)),
    n: decisions,
  },
];

/** A turn that opened its own topic has no branch action. */
const branches = confusionOf('branch', BranchAction.options, [...BranchAction.options, 'none']);

/** Counts where turns were attached: parents, forks and branch actions. */
const countBranch = (counts: Record<string, number>, { gold, predicted }: DecisionRecord): void => {
  const underParent = gold.parent === predicted.parent;
  add(counts, 'placed');
  if (underParent) add(counts, 'placed right');
  if (gold.fork) add(counts, 'forks');
  if (predicted.fork) add(counts, 'forks made');
  if (gold.fork && predicted.fork && underParent) add(counts, 'forks found');
  if (gold.branch !== null) branches.count(counts, gold.branch, predicted.branch ?? 'none');
};

/** Forks, and turns attached to the right parent. */
export const PARENT_METRICS: readonly Metric[] = [
  shareMetric(
    'parent-accuracy',
    'share of the decisions that put the turn under its labelled parent, or gave it a topic of its own where the label does',
    'placed right',
    'placed',
  ),
  shareMetric(
    'fork-recall',
    'share of the labelled forks (turns whose labelled parent already has a turn after it) that were put under that parent as forks',
    'forks found',
    'forks',
  ),
  shareMetric(
    'fork-precision',
    'share of the forks made (turns put under a turn that already had one after it in the history at hand) that are labelled forks, under the right parent',
    'forks found',
    'forks made',
  ),
];

/** Continuing, forking and returning to a branch, for conversations that do all three. */
export const BRANCH_METRICS: readonly Metric[] = [
  {
    name: 'branch-macro-f1',
    definition:
      'mean of the F1 of continue-branch, create-branch and switch-branch, over those that occur in the labels',
    value: branches.macroF1,
    n: branches.all,
  },
  ...BranchAction.options.flatMap((action): Metric[] => [
    branches.precision(
      action,
      action,
      `share of the turns decided as ${action} (of those that open no topic by their label) whose label is ${action}`,
    ),
    branches.recall(action, action, `share of the turns labelled ${action} that were decided so`),
  ]),
];

const settledTopics = confusionOf('settled topic', TopicAction.options);

/** Counts where turns ended up once replied to. */
const countSettled = (counts: Record<string, number>, { gold, settled, home, settledHome }: DecisionRecord): void => {
  settledTopics.count(counts, gold.topic, settled.topic);
  if (gold.parent === settled.parent) add(counts, 'settled right');
  if (gold.topic === 'switch-topic' && settled.topic === 'switch-topic' && home === settledHome)
    add(counts, 'returns that settled');
};

/** The same for a turn's place once its reply is there, which may have moved it: this is what later turns continue from. */
export const SETTLED_METRICS: readonly Metric[] = [
  {
    name: 'settled-topic-macro-f1',
    definition: 'the same of where turns stand once they have been replied to; as decided where there is no reply',
    value: settledTopics.macroF1,
    n: decisions,
  },
  ...TOPIC_CLASSES.flatMap(({ action, short }): Metric[] => [
    settledTopics.precision(
      action,
      `settled-${short}`,
      `share of the turns settled as ${short} whose label is ${short}`,
    ),
    settledTopics.recall(action, `settled-${short}`, `share of the turns labelled ${short} that were settled so`),
  ]),
  shareMetric(
    'settled-switch-target-accuracy',
    'share of the turns labelled switch that were settled so and under a turn of the labelled topic',
    'returns that settled',
    'returns',
  ),
  shareMetric(
    'settled-parent-accuracy',
    'share of the turns that stand under their labelled parent, or have a topic of their own where the label says so, once they have been replied to',
    'settled right',
    'placed',
  ),
];

export const RELATIONS = ['recall', 'refinement', 'unrelatedness'] as const;

const edges = confusionOf('edge', RELATIONS);

/** The relation that a placement implies, in StructFlowBench's terms. */
export const relationOf = ({ predicted, turn }: DecisionRecord): (typeof RELATIONS)[number] => {
  if (predicted.parent === null) return 'unrelatedness';
  return predicted.parent === turn - 1 ? 'refinement' : 'recall';
};

const countEdge = (counts: Record<string, number>, record: DecisionRecord): void => {
  const { relation, gold, predicted } = record;
  if (relation === null) return;
  edges.count(counts, relation, relationOf(record));
  add(counts, `${relation} edges`);
  if (gold.parent === predicted.parent) add(counts, `${relation} edges kept`);
};

const MEANING = {
  recall: 'back to an earlier turn',
  refinement: 'under the turn before',
  unrelatedness: 'in a topic of its own',
} as const;

/** Recall, refinement and unrelatedness edges as branch labels. */
export const EDGE_METRICS: readonly Metric[] = [
  {
    name: 'edge-macro-f1',
    definition:
      'mean of the F1 of recall (put under an earlier turn than the last), refinement (under the last) and unrelatedness (in a topic of its own), over those that occur in the labels',
    value: edges.macroF1,
    n: edges.all,
  },
  ...RELATIONS.map((name) =>
    shareMetric(
      `${name}-edge-accuracy`,
      `share of the turns with a ${name} edge that were put where it says: ${MEANING[name]}`,
      `${name} edges kept`,
      `${name} edges`,
    ),
  ),
];

/** Bins of equal width; a confidence on an edge counts in the bin above, and 1 in the last. */
const BINS = 10;
const BIN_COUNTS = Array.from({ length: BINS }, (_, bin) => ({
  decisions: `confidence ${bin}: decisions`,
  confidence: `confidence ${bin}: sum`,
  right: `confidence ${bin}: right`,
}));

/** Counts the decider's confidence and correctness, and what the interface marks as unsure. */
const countCertainty = (counts: Record<string, number>, record: DecisionRecord): void => {
  const { confidence, unsure } = record;
  add(counts, 'decisions weighed');
  if (unsure) add(counts, 'decisions flagged');
  if (errorKind(record) !== null) {
    add(counts, 'errors');
    if (unsure) add(counts, 'errors flagged');
  }
  if (confidence === null) return;
  const bin = BIN_COUNTS[Math.min(BINS - 1, Math.floor(confidence * BINS))];
  if (bin === undefined) return;
  add(counts, bin.decisions);
  add(counts, bin.confidence, confidence);
  if (topicIsRight(record)) add(counts, bin.right);
};

/** A return counts only if it reached its topic, as that is what the confidence refers to. */
const topicIsRight = ({ gold, predicted, home, predictedHome }: DecisionRecord): boolean =>
  gold.topic === predicted.topic && (gold.topic !== 'switch-topic' || home === predictedHome);

const withConfidence = (of: CountLookup) => BIN_COUNTS.reduce((sum, { decisions }) => sum + of(decisions), 0);

/** Whether the confidence is reliable, and whether wrong decisions are offered for correction. */
export const CERTAINTY_METRICS: readonly Metric[] = [
  {
    name: 'calibration-error',
    definition:
      'expected calibration error of the topic decision: its confidence in ten bins of equal width, the distance in each between the mean confidence and the share that has the right topic action (and, of returns, topic), weighted by count',
    value: (of) =>
      share(
        BIN_COUNTS.reduce((sum, { confidence, right }) => sum + Math.abs(of(confidence) - of(right)), 0),
        withConfidence(of),
      ),
    n: withConfidence,
  },
  shareMetric(
    'errors-flagged',
    'share of the turns that were put where their label does not say (another topic action or, of returns, another topic or, where they are labelled, another parent) that the interface marks as unsure, with the other likely places to choose from',
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

/** Describes what went wrong with a turn; null if it matches its label. */
export const errorKind = ({ gold, predicted, home, predictedHome, labels }: DecisionRecord): string | null => {
  if (gold.topic !== predicted.topic) return TOPIC_ERRORS[gold.topic][predicted.topic];
  if (gold.topic === 'create-topic') return null;
  if (gold.topic === 'switch-topic' && home !== predictedHome) return 'a return went to the wrong topic';
  // With topics alone, going on in one that had been mixed up before is no new mistake.
  if (labels === 'topics' || gold.parent === predicted.parent) return null;
  if (home !== predictedHome) return 'a continuation in a topic that had been mixed up before';
  if (gold.fork && !predicted.fork) return 'a fork was missed: it went on from a tip';
  if (!gold.fork && predicted.fork) return 'a needless fork';
  return gold.fork ? 'a fork from the wrong turn' : 'the right topic, but the wrong branch of it';
};

const TOPIC_ERRORS = {
  'create-topic': {
    'create-topic': null,
    'switch-topic': 'a new topic was taken for a return',
    'continue-topic': 'a new topic was taken for a continuation',
  },
  'switch-topic': {
    'create-topic': 'a return was taken for a new topic',
    'switch-topic': null,
    'continue-topic': 'a return was taken for a continuation',
  },
  'continue-topic': {
    'create-topic': 'a continuation was taken for a new topic',
    'switch-topic': 'a continuation was taken for a return',
    'continue-topic': null,
  },
} as const;

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

/** Metrics of a decider's decisions; all others measure a policy's contexts. */
export const DECISION_METRICS: readonly Metric[] = [
  ...TOPIC_METRICS,
  ...ONE_TOPIC_METRICS,
  ...SHIFT_METRICS,
  ...PARENT_METRICS,
  ...BRANCH_METRICS,
  ...EDGE_METRICS,
  ...CERTAINTY_METRICS,
  ...SETTLED_METRICS,
  ...PARTITION_METRICS,
];

const NAMES = new Set(DECISION_METRICS.map(({ name }) => name));
export const isDecisionMetric = (name: string): boolean => NAMES.has(name);

/** Counts for one dialogue: agreement of its own topics with the labelled ones. Both are given as parents of its turns. */
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
