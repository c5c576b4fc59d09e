import type { TopicAction } from '../../domain/decision.ts';
import type { Lesson } from '../../engine/lessons.ts';
import type { Decider, TopicQuestion } from '../../engine/ports.ts';
import type { Model } from './boosted-trees.ts';
import type { DeciderWeights } from './decider-weights.ts';
import { createEmbeddedDecider } from './embedded-decider.ts';
import { createPersonalLayer } from './personal/learner.ts';

/**
 * Deciders for re-runs, with the shipped weights or others. A taught one learns in a layer of its own, so what the open
 * conversation has learned is unaffected.
 */
export const createWhatIfDeciders = (
  weights?: () => Promise<DeciderWeights>,
  reconsidering?: () => Promise<Model>,
) => ({
  taught: async (lessons: readonly Lesson[]) => {
    const layer = createPersonalLayer();
    await layer.learn(lessons);
    return createEmbeddedDecider(weights, layer, reconsidering);
  },
  paperRule: calibratedDecider(),
  oneThreshold: thresholdDecider(),
});

/*
 * Baselines for the learned decider that use similarities alone. They report no confidence.
 */

/** Cosine of a message to the nearest turn of the active topic, and of any other topic; −1 if there is none. */
export interface Similarities {
  readonly here: number;
  readonly there: number;
}

/** Cosines by `use-lite-en` int8. */
export interface TopicThresholds {
  /** Return to the nearest other topic if its nearest turn is at least this similar, and more similar than the active topic's. */
  readonly back: number;
  /** Otherwise continue the active topic if its nearest turn is at least this similar. */
  readonly stay: number;
}

/*
 * Best mean topic-macro-f1 on a grid in steps of 0.02, with the labelled history over ntm, sgd, tiage, structflow and the
 * interleaved cast2022 and oasst of the shared data, each set counting the same: 0.61 and 0.59 (November 2026; `npm run eval --
 * --data DIR --tune`). They are reported for the very dialogues they were tuned on, which flatters them. θ is the encoder's own:
 * on the same sets no other value gives `calibrated` better forks (mean F1 0.14 at 0.44, 0.09 at 0.6, 0.05 at 0.8).
 */
const CALIBRATED: TopicThresholds = { back: 0.42, stay: 0.32 };
const PLAIN_THRESHOLD = 0.32;

/** Decides the topic by thresholds, one for each way of not opening a new one. */
export const byThresholds = ({ here, there }: Similarities, { back, stay }: TopicThresholds): TopicAction => {
  if (there >= back && there > here) return 'switch-topic';
  return here >= stay ? 'continue-topic' : 'create-topic';
};

/** The paper's rules without a language model: thresholds for the topic; the branch is left whenever the gate opens. */
export const calibratedDecider = (thresholds: TopicThresholds = CALIBRATED): Decider => ({
  name: 'calibrated',
  topic: async (question) => answered('calibrated', question, byThresholds(similaritiesIn(question), thresholds)),
  // Asked only when the gate is open: fork from a turn of the path, or go back to another branch.
  branch: async ({ forkPoint, path }) => {
    const onPath = path.some(({ nodeId }) => nodeId === forkPoint.nodeId);
    return { ...by('calibrated'), action: onPath ? 'create-branch' : 'switch-branch' };
  },
});

/** Opens a new topic if nothing reaches the threshold, else picks the topic of the nearest turn; never another branch. */
export const thresholdDecider = (threshold = PLAIN_THRESHOLD): Decider => ({
  name: 'threshold',
  topic: async (question) =>
    answered('threshold', question, byThresholds(similaritiesIn(question), { back: threshold, stay: threshold })),
  branch: async () => ({ ...by('threshold'), action: 'continue-branch' }),
});

export const alwaysContinue: Decider = {
  name: 'always-continue',
  topic: async (question) => answered('always-continue', question, 'continue-topic'),
  branch: async () => ({ ...by('always-continue'), action: 'continue-branch' }),
};

export const similaritiesIn = (question: TopicQuestion): Similarities => ({
  here: activeIn(question)?.similarity ?? -1,
  there: nearestOtherIn(question)?.similarity ?? -1,
});

const by = (decider: string) => ({ confidence: null, reasons: [], raw: '', decider });

const answered = (decider: string, question: TopicQuestion, action: TopicAction) => {
  const topic = { 'create-topic': undefined, 'switch-topic': nearestOtherIn, 'continue-topic': activeIn }[action];
  return { ...by(decider), action, target: topic?.(question)?.treeId ?? null };
};

const activeIn = ({ topics }: TopicQuestion) => topics.find(({ active }) => active);

const nearestOtherIn = ({ topics }: TopicQuestion) =>
  topics
    .filter(({ active }) => !active)
    .reduce<TopicQuestion['topics'][number] | undefined>(
      (best, topic) => (best === undefined || topic.similarity > best.similarity ? topic : best),
      undefined,
    );
