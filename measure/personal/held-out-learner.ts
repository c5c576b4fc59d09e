import type { Learner } from '../../src/engine/place/lessons.ts';
import type { LabelledDialogue } from '../../src/features/evaluate/datasets/labelled-dialogue.ts';
import { trainedFold, weightsFor } from '../../src/features/evaluate/held-out/held-out.ts';
import { createPersonalLayer } from '../../src/models/embedded/personal/learner.ts';

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
