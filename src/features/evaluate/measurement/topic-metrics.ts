import { TopicAction } from '../../../domain/decision.ts';
import { add, type CountOf, cellNames, type Metric, share, shareMetric } from './metric.ts';
import type { DecisionRecord } from './placements.ts';

const ACTIONS = TopicAction.options;
const CLASSES = [
  { action: 'create-topic', short: 'create' },
  { action: 'switch-topic', short: 'switch' },
  { action: 'continue-topic', short: 'continue' },
] as const;

const cell = cellNames('topic');

/** Counts of the topic decisions: the confusion matrix, and the returns that reached their topic. */
export const countTopic = (
  counts: Record<string, number>,
  { gold, predicted, home, predictedHome }: DecisionRecord,
) => {
  add(counts, 'decisions');
  add(counts, cell(gold.topic, predicted.topic));
  if (gold.topic !== 'switch-topic') return;
  add(counts, 'returns');
  if (predicted.topic === 'switch-topic' && home === predictedHome) add(counts, 'returns that reached');
};

const wanted = (of: CountOf, action: string) => ACTIONS.reduce((sum, given) => sum + of(cell(action, given)), 0);
const given = (of: CountOf, action: string) => ACTIONS.reduce((sum, right) => sum + of(cell(right, action)), 0);
const hits = (of: CountOf, action: string) => of(cell(action, action));
const f1Of = (of: CountOf, action: string) => share(2 * hits(of, action), wanted(of, action) + given(of, action));

const decisions = (of: CountOf): number => of('decisions');
const right = (of: CountOf) => ACTIONS.reduce((sum, action) => sum + hits(of, action), 0);

const accuracy: Metric = {
  name: 'accuracy',
  definition: 'share of the decisions with the right topic action',
  value: (of) => share(right(of), decisions(of)),
  n: decisions,
};

/** Create, continue and switch, each by itself and together. */
export const TOPIC_METRICS: readonly Metric[] = [
  {
    name: 'topic-macro-f1',
    definition: 'mean of the F1 of create, switch and continue, over those that occur in the labels',
    value: (of) => {
      const occurring = ACTIONS.filter((action) => wanted(of, action) > 0);
      return share(
        occurring.reduce((sum, action) => sum + f1Of(of, action), 0),
        occurring.length,
      );
    },
    n: decisions,
  },
  accuracy,
  ...CLASSES.flatMap(({ action, short }): Metric[] => [
    {
      name: `${short}-precision`,
      definition: `share of the turns decided as ${short} whose label is ${short}`,
      value: (of) => share(hits(of, action), given(of, action)),
      n: (of) => given(of, action),
    },
    {
      name: `${short}-recall`,
      definition: `share of the turns labelled ${short} that were decided so`,
      value: (of) => share(hits(of, action), wanted(of, action)),
      n: (of) => wanted(of, action),
    },
  ]),
  shareMetric(
    'switch-target-accuracy',
    'share of the turns labelled switch that were decided so and put under a turn of the labelled topic',
    'returns that reached',
    'returns',
  ),
];

const shifts = (of: CountOf) => decisions(of) - wanted(of, 'continue-topic');
const shiftsGiven = (of: CountOf) => decisions(of) - given(of, 'continue-topic');
const shiftHits = (of: CountOf) => {
  const stayed = of(cell('create-topic', 'continue-topic')) + of(cell('switch-topic', 'continue-topic'));
  return shifts(of) - stayed;
};

/** Shift or not; a shift is decided by creating or switching. */
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
    value: (of) => share(shiftHits(of) + hits(of, 'continue-topic'), decisions(of)),
    n: decisions,
  },
];

/** Where there is one topic only: whether it was kept. */
export const ONE_TOPIC_METRICS: readonly Metric[] = [accuracy];
