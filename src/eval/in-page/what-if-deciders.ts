import { createEmbeddedDecider } from '../../adapters/models/embedded-decider.ts';
import { createPersonalLayer } from '../../adapters/models/personal/learner.ts';
import type { Lesson } from '../../engine/lessons.ts';
import { calibratedDecider, thresholdDecider } from '../measurement/similarity-deciders.ts';

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
