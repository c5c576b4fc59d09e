import type { Lesson } from '../../engine/place/lessons.ts';
import { createEmbeddedDecider } from './embedded-decider.ts';
import { createPersonalLayer } from './personal/learner.ts';
import { calibratedDecider, thresholdDecider } from './similarity-deciders.ts';

/** The deciders of re-runs. Each that is taught learns by itself: what the open conversation has learned stays. */
export const createWhatIfDeciders = () => ({
  taught: async (lessons: readonly Lesson[]) => {
    const layer = createPersonalLayer();
    await layer.learn(lessons);
    return createEmbeddedDecider(undefined, layer);
  },
  paperRule: calibratedDecider(),
  oneThreshold: thresholdDecider(),
});
