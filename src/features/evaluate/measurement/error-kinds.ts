import type { DecisionRecord } from './placements.ts';

/** What went wrong with a turn, in words; null if it went where its label says. */
export const errorKind = ({ gold, predicted, home, predictedHome, labels }: DecisionRecord): string | null => {
  if (gold.topic !== predicted.topic) return TOPIC_ERRORS[gold.topic][predicted.topic];
  if (gold.topic === 'create-topic') return null;
  if (gold.topic === 'switch-topic' && home !== predictedHome) return 'a return went to the wrong topic';
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
