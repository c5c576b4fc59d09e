import { nodeOf } from '../src/domain/queries.ts';
import { topicQuestion } from '../src/engine/place/views.ts';
import type { LabelledDialogue } from '../src/features/evaluate/datasets/labelled-dialogue.ts';
import type { VectorOf } from '../src/features/evaluate/measurement/embedded-texts.ts';
import { nodeIdOf, Replay } from '../src/features/evaluate/measurement/replay.ts';
import type { TextReader } from '../src/models/embedded/decider-texts.ts';
import { type Material, readTopicQuestion, type TopicChoice } from '../src/models/embedded/topic-features.ts';
import type { Example } from './boost.ts';
import { type Driver, placeBy } from './driver.ts';

export interface TopicExample extends Example {
  readonly choices: readonly TopicChoice[];
  readonly material: Material;
  readonly dialogue: LabelledDialogue;
  readonly turn: number;
  /** Topic that the label names; null for a new one. */
  readonly target: string | null;
}

/** How the questions of a dialogue are read. */
export interface Reading {
  readonly vectorOf: VectorOf;
  readonly reader: TextReader;
  readonly embedder: string;
}

/**
 * The topic questions of a dialogue. Without a decider every earlier turn stands where its label says; with one,
 * where the decider put it, and right is what serves best from there: the topic in which the labelled parent
 * has come to be. So a decider is also taught from its own mistakes (DAgger, Ross et al. 2011).
 */
export const topicExamples = async (
  dialogue: LabelledDialogue,
  { vectorOf, reader }: Reading,
  driver: Driver | null = null,
): Promise<TopicExample[]> => {
  const replay = new Replay(vectorOf);
  const examples: TopicExample[] = [];
  for (const [turn, labelled] of dialogue.turns.entries()) {
    const parentId = labelled.parent === null ? null : nodeIdOf(labelled.parent);
    if (turn > 0) {
      const question = topicQuestion(replay.forest, replay.nearness(labelled.message));
      const { choices, material } = readTopicQuestion(question, reader);
      const target = parentId === null ? null : nodeOf(replay.forest, parentId).treeId;
      // −1 for a topic that the shortlist left out: nothing can be learned from it, but it is measured as an error.
      const right = choices.findIndex((choice) => choice.target === target);
      examples.push({ choices, material, right, weight: 1, dialogue, turn, target });
    }
    replay.place(labelled, await placeBy(driver, replay, labelled.message, turn, parentId));
  }
  return examples;
};
