import { createPersonalLayer } from '../../adapters/models/personal/learner.ts';
import type { Learner } from '../../engine/lessons.ts';
import { trainedFold, weightsFor } from '../held-out.ts';
import type { LabelledDialogue } from '../labelled-dialogue.ts';

/**
 * A learner whose decider was not fitted to a dialogue. One that knows its answers by heart is surer of them than of anybody's new
 * ones: lessons would seem to cost nothing there.
 */
export const heldOutLearner = (): ((dialogue: LabelledDialogue) => Learner) => {
  const learners = new Map<number | null, Learner>();
  return (dialogue) => {
    const fold = trainedFold(dialogue);
    const learner = learners.get(fold) ?? createPersonalLayer(weightsFor(fold));
    learners.set(fold, learner);
    return learner;
  };
};
