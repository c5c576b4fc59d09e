import { rounded } from '../../src/domain/numbers.ts';
import { listenFor } from '../../src/engine/history/past-questions.ts';
import type { Facts, Learner, Lesson } from '../../src/engine/lessons.ts';
import type { LabelledDialogue } from '../../src/features/evaluate/datasets/dialogues.ts';
import { trainedFold, weightsFor } from '../../src/features/evaluate/held-out/held-out-deciders.ts';
import type { VectorOf } from '../../src/features/evaluate/measurement/embedded-texts.ts';
import { nodeIdOf, Replay } from '../../src/features/evaluate/measurement/replay.ts';
import type { GeneralQuestions, LabelledQuestion } from '../../src/models/embedded/personal/fit-lessons.ts';
import { createPersonalLayer } from '../../src/models/embedded/personal/learner.ts';
import { wordingFacts, wordsNamed } from '../../src/models/embedded/personal/lesson-facts.ts';
import { USE_LITE_THETA } from '../../src/models/runtimes/embedding.ts';

/** Returns the lessons of every turn of a dialogue, in order, with every earlier turn where its label says. */
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
      const found = questions === null ? [] : await learner.lessonsOf(questions);
      const at = { conversationId: id, nodeId: nodeIdOf(turn), by: 'correction' as const, at: turn };
      lessons.push(...found.map((lesson) => ({ ...at, ...lesson })));
    }
    replay.place(labelled, parentId);
  }
  return lessons;
};

/**
 * Returns a learner whose decider was not fitted to a dialogue. One that knows its answers by heart is surer of them than of
 * anybody's new ones, so lessons would seem to cost nothing there.
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

/** One question in this many is shipped: enough for the guard, within some 200 kB. */
const STEP = 3;
/** A wording found in this many messages is nobody's own. */
const COMMON = 2;

/**
 * Picks the general questions to ship: one in a few, and the wordings that several of the messages have. A wording of a single
 * message is left out, which keeps a question to a few hundred bytes.
 */
export const generalFrom = (questions: readonly LabelledQuestion[], messages: readonly string[]): GeneralQuestions => {
  const counts = new Map<string, number>();
  for (const message of messages) {
    for (const fact in wordingFacts(message)) counts.set(fact, (counts.get(fact) ?? 0) + 1);
  }
  const common = (fact: string) => wordsNamed(fact) === null || (counts.get(fact) ?? 0) >= COMMON;
  return {
    wordings: new Set([...counts.keys()].filter(common).sort()),
    questions: questions
      .filter((_, at) => at % STEP === 0)
      .map(({ message, choices, right }) => ({
        message: compact(message, common),
        choices: choices.map(({ action, base, facts }) => ({
          action,
          base: rounded(base, 2),
          facts: compact(facts, common),
        })),
        right,
      })),
  };
};

const compact = (facts: Facts, keep: (fact: string) => boolean): Facts =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([fact, value]) => (value !== 0 && keep(fact) ? [[fact, rounded(value, 2)]] : [])),
  );
