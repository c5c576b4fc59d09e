import { listenFor } from '../../src/engine/history/past-questions.ts';
import type { Learner, Lesson } from '../../src/engine/place/lessons.ts';
import type { LabelledDialogue } from '../../src/features/evaluate/datasets/labelled-dialogue.ts';
import type { VectorOf } from '../../src/features/evaluate/measurement/embedded-texts.ts';
import { nodeIdOf, Replay } from '../../src/features/evaluate/measurement/replay.ts';
import { USE_LITE_THETA } from '../../src/models/embedded/embedded-names.ts';

/** What every turn of a dialogue has to teach when every earlier turn stands where its label says, in order. */
export const lessonsOf = async (
  { id, turns }: LabelledDialogue,
  vectorOf: VectorOf,
  learner: Pick<Learner, 'lessonsOf'>,
): Promise<Lesson[]> => {
  const replay = new Replay(vectorOf);
  const lessons: Lesson[] = [];
  for (const [turn, labelled] of turns.entries()) {
    const parentId = labelled.parent === null ? null : nodeIdOf(labelled.parent);
    const listener = listenFor(replay.forest, parentId);
    if (listener !== null) {
      await replay.route(labelled.message, listener.decider, USE_LITE_THETA);
      const questions = listener.heard();
      const told = questions === null ? [] : await learner.lessonsOf(questions);
      const at = { conversationId: id, nodeId: nodeIdOf(turn), by: 'correction' as const, at: turn };
      lessons.push(...told.map((lesson) => ({ ...at, ...lesson })));
    }
    replay.place(labelled, parentId);
  }
  return lessons;
};
