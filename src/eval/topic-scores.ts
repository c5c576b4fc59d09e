import { accuracy, f1, grouped, macroF1, type Pair } from './metrics.ts';
import type { TopicExample } from './topic-examples.ts';

/** Index of the choice that is answered. */
export type Answer = (example: TopicExample) => number;

export interface TopicScores {
  readonly count: number;
  readonly macroF1: number;
  readonly createF1: number;
  readonly switchF1: number;
  readonly accuracy: number;
  /** Share of the returns that went to the right topic; NaN where there are none. */
  readonly targetAccuracy: number;
}

export const scoreTopics = (examples: readonly TopicExample[], answer: Answer): TopicScores => {
  const actions: Pair[] = [];
  const targets: Pair[] = [];
  for (const example of examples) {
    const { choices, target, right } = example;
    const wanted = right >= 0 ? choices[right]?.action : 'switch-topic';
    const given = choices[answer(example)];
    actions.push([wanted ?? '', given?.action ?? '']);
    if (wanted === 'switch-topic') targets.push([target ?? '', given?.target ?? '']);
  }
  return {
    count: examples.length,
    macroF1: macroF1(actions),
    createF1: f1(actions, 'create-topic'),
    switchF1: f1(actions, 'switch-topic'),
    accuracy: accuracy(actions),
    targetAccuracy: targets.length === 0 ? Number.NaN : accuracy(targets),
  };
};

export const alwaysContinue: Answer = () => 0;

/** The plain rule: a new topic where nothing is as near as a threshold, else the topic of the nearest node. */
export const byThreshold =
  (threshold: number): Answer =>
  ({ choices }) => {
    const context = choices[1]?.features ?? {};
    const active = context['create: active similarity'] ?? 0;
    const other = context['create: nearest other'] ?? 0;
    if (Math.max(active, other) < threshold) return 1;
    const nearest = choices.findIndex(({ features }) => features['target is nearest'] === 1);
    return other > active && nearest >= 0 ? nearest : 0;
  };

/** The threshold, in steps of 0.02, that is best over the sets, each counting the same. */
export const tunedThreshold = (examples: readonly TopicExample[]): number => {
  const sets = grouped(examples, ({ dialogue }) => dialogue.set);
  let best = { threshold: 0, score: -1 };
  for (let threshold = 0; threshold < 0.8; threshold += 0.02) {
    const score = [...sets.values()].reduce((sum, set) => sum + scoreTopics(set, byThreshold(threshold)).macroF1, 0);
    if (score > best.score) best = { threshold, score };
  }
  return best.threshold;
};
