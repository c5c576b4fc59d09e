import { ALL_NEED_METRICS } from '../needs/need-metrics.ts';
import { BRANCH_METRICS, PARENT_METRICS } from './branch-metrics.ts';
import { CERTAINTY_METRICS } from './certainty-metrics.ts';
import { COMPLETION_METRICS, JUDGES_METRICS } from './completion-metrics.ts';
import { LENGTH_METRICS, PATH_AND_REFERENCE_METRICS, PATH_METRICS } from './context-metrics.ts';
import { EDGE_METRICS } from './edge-metrics.ts';
import { ANSWER_METRICS } from './evidence-answers.ts';
import type { Metric } from './metric.ts';
import { PARTITION_METRICS } from './partition-metrics.ts';
import { ONE_TOPIC_METRICS, SHIFT_METRICS, TOPIC_METRICS } from './topic-metrics.ts';

/** What is measured of the decisions of a decider; all else is measured of the contexts of a policy. */
export const DECISION_METRICS: readonly Metric[] = [
  ...TOPIC_METRICS,
  ...ONE_TOPIC_METRICS,
  ...SHIFT_METRICS,
  ...PARENT_METRICS,
  ...BRANCH_METRICS,
  ...EDGE_METRICS,
  ...CERTAINTY_METRICS,
  ...PARTITION_METRICS,
];

const METRICS: readonly Metric[] = [
  ...DECISION_METRICS,
  ...PATH_METRICS,
  ...PATH_AND_REFERENCE_METRICS,
  ...ALL_NEED_METRICS,
  ...ANSWER_METRICS,
  ...COMPLETION_METRICS,
  ...JUDGES_METRICS,
  ...LENGTH_METRICS,
];

/** What each of the named metrics means, in the order in which they are defined. */
export const legendFor = (names: ReadonlySet<string>): { readonly name: string; readonly definition: string }[] => {
  const wanted = new Map(METRICS.filter(({ name }) => names.has(name)).map((metric) => [metric.name, metric]));
  return [...wanted.values()].map(({ name, definition }) => ({ name, definition }));
};

/** What holds for every figure. */
export const READING: readonly string[] = [
  'A dialogue’s first turn is no decision. `n` is what a figure is taken over: decisions, or the turns, forks or dialogues that its definition counts.',
  'In brackets: 95 % bootstrap interval (1000 rounds, dialogues drawn with replacement, the same draws for every subject). Interleaved conversations share trees, so theirs are a little too narrow.',
  '**teacher-forced**: every earlier turn stands where its label says. **free-running**: where the engine itself put it. Contexts are always built with the turn where the learned decider put it.',
  '**learned** is measured with weights that were not fitted to the dialogue. **calibrated** is the paper’s rule by similarity alone, **threshold** one cosine threshold for topics and no branches; their thresholds were tuned on these sets, but for everyday talk.',
  '**…-at-5**: the same, with the policy held to 5 % of the tokens of the full history (`contextBudget`; instructions and message come on top). Without it a policy sends what it does of its own accord. A line that counts what is left out is sent even where it does not fit: see `history-tokens-share-at-…`.',
  '**…-equal-tokens** has for its history, at each turn, the tokens that context-agent spent there on turns and overview.',
];
