import type { TextReader } from '../adapters/models/embedded-decider-texts.ts';
import { readTopicQuestion, type TopicChoice } from '../adapters/models/embedded-decider-topic.ts';
import { nodeOf } from '../domain/queries.ts';
import { topicQuestion } from '../engine/views.ts';
import type { Example } from './fit.ts';
import type { LabelledDialogue } from './labelled-dialogue.ts';
import { nodeIdOf, Replay } from './replay.ts';
import type { VectorOf } from './vectors.ts';

export interface TopicExample extends Example {
  readonly choices: readonly TopicChoice[];
  readonly dialogue: LabelledDialogue;
  readonly turn: number;
  /** Topic that the label names; null for a new one. */
  readonly target: string | null;
}

/** The topic questions of a dialogue when every earlier turn stands where its label says. */
export const topicExamples = (dialogue: LabelledDialogue, vectorOf: VectorOf, reader: TextReader): TopicExample[] => {
  const replay = new Replay(vectorOf);
  const examples: TopicExample[] = [];
  for (const [turn, labelled] of dialogue.turns.entries()) {
    const parentId = labelled.parent === null ? null : nodeIdOf(labelled.parent);
    if (turn > 0) {
      const { choices } = readTopicQuestion(topicQuestion(replay.forest, replay.nearness(labelled.message)), reader);
      const target = parentId === null ? null : nodeOf(replay.forest, parentId).treeId;
      // −1 for a topic that the shortlist left out: nothing can be learned from it, but it is measured as an error.
      const right = choices.findIndex((choice) => choice.target === target);
      examples.push({ choices, right, weight: 1, dialogue, turn, target });
    }
    replay.place(labelled, parentId);
  }
  return examples;
};
