import type { TopicAction } from '../../domain/decision.ts';
import type { Lesson } from '../../engine/place/lessons.ts';
import type { Decider, TopicQuestion } from '../../engine/ports.ts';
import type { Model } from './boosted-trees.ts';
import type { DeciderWeights } from './decider-weights.ts';
import { createEmbeddedDecider } from './embedded-decider.ts';
import { createPersonalLayer } from './personal/learner.ts';

/**
 * The deciders of re-runs, on the weights that ship or on others. Each that is taught learns by itself: what the open conversation has learned
 * stays.
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
 * Deciders that look at similarities alone: what the learned one is compared with. They are sure of nothing.
 */

/** Cosine of a message to the nearest turn of the active topic, and of any other topic; −1 where there is none. */
export interface Similarities {
  readonly here: number;
  readonly there: number;
}

/** Cosines by `use-lite-en` int8. */
export interface TopicThresholds {
  /** The nearest other topic is returned to if its nearest turn is at least so near, and nearer than the active topic's. */
  readonly back: number;
  /** Else the active topic is gone on with if its nearest turn is at least so near. */
  readonly stay: number;
}

/*
 * Of a grid in steps of 0.02 the best mean topic-macro-f1 with the labelled history over ntm, sgd, tiage, structflow
 * and the interleaved cast2022 and oasst of the shared data, each set counting the same: 0.61 and 0.59 (November
 * 2026; `npm run eval -- --data DIR --tune`). They are shown for the very dialogues they were tuned on, which is kind
 * to them. θ is the encoder's own: on the same sets no other gives `calibrated` better forks (mean F1 0.14 at 0.44,
 * 0.09 at 0.6, 0.05 at 0.8).
 */
const CALIBRATED: TopicThresholds = { back: 0.42, stay: 0.32 };
const PLAIN_THRESHOLD = 0.32;

/** Thresholds for the topic, one for each way to stay out of a new one. */
export const byThresholds = ({ here, there }: Similarities, { back, stay }: TopicThresholds): TopicAction => {
  if (there >= back && there > here) return 'switch-topic';
  return here >= stay ? 'continue-topic' : 'create-topic';
};

/** The paper's rules without a language model: thresholds for the topic; the branch leaves whenever the gate opens. */
export const calibratedDecider = (thresholds: TopicThresholds = CALIBRATED): Decider => ({
  name: 'calibrated',
  topic: async (question) => answered('calibrated', question, byThresholds(similaritiesIn(question), thresholds)),
  // Asked only when the gate is open: a turn of the path is forked from, another branch is gone back to.
  branch: async ({ forkPoint, path }) => {
    const onPath = path.some(({ nodeId }) => nodeId === forkPoint.nodeId);
    return { ...by('calibrated'), action: onPath ? 'create-branch' : 'switch-branch' };
  },
});

/** A new topic where nothing is as near as a threshold, else the topic of the nearest turn; never another branch. */
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
