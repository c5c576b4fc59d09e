import type { NodeId } from '../src/domain/forest.ts';
import { nodeOf } from '../src/domain/queries.ts';
import type { BranchQuestion, Decider } from '../src/engine/ports.ts';
import type { LabelledDialogue } from '../src/features/evaluate/datasets/dialogues.ts';
import type { VectorOf } from '../src/features/evaluate/measurement/embedded-texts.ts';
import { nodeIdOf, Replay } from '../src/features/evaluate/measurement/replay.ts';
import { type BranchChoice, readBranchQuestion } from '../src/models/embedded/branch-features.ts';
import type { TextReader } from '../src/models/embedded/decider-texts.ts';
import { type Material, readTopicQuestion, type TopicChoice } from '../src/models/embedded/topic-features.ts';
import { USE_LITE_THETA } from '../src/models/runtimes/embedding.ts';
import type { RankedExample } from './boost.ts';

export interface TopicExample extends RankedExample {
  readonly choices: readonly TopicChoice[];
  readonly material: Material;
  readonly dialogue: LabelledDialogue;
  readonly turn: number;
  /** Topic that the label names; null for a new one. */
  readonly target: string | null;
}

/** How the questions of a dialogue are read. */
export interface ReadingOptions {
  readonly vectorOf: VectorOf;
  readonly reader: TextReader;
  readonly embedder: string;
}

/** Returns the topic questions of a dialogue, with every earlier turn where its label says. */
export const topicExamples = (dialogue: LabelledDialogue, { vectorOf, reader }: ReadingOptions): TopicExample[] => {
  const replay = new Replay(vectorOf);
  const examples: TopicExample[] = [];
  for (const [turn, labelled] of dialogue.turns.entries()) {
    const parentId = labelled.parent === null ? null : nodeIdOf(labelled.parent);
    if (turn > 0) {
      const { choices, material } = readTopicQuestion(replay.question(labelled.message), reader);
      const target = parentId === null ? null : nodeOf(replay.forest, parentId).treeId;
      // −1 for a topic that is not on the short list: nothing can be learned from it, but it is measured as an error.
      const right = choices.findIndex((choice) => choice.target === target);
      examples.push({ choices, material, right, weight: 1, dialogue, turn, target });
    }
    replay.place(labelled, parentId);
  }
  return examples;
};

export interface BranchExample extends RankedExample {
  readonly choices: readonly BranchChoice[];
  readonly material: Material;
  readonly dialogue: LabelledDialogue;
  readonly turn: number;
}

/**
 * Returns the branch questions that the engine asks about a dialogue if the topic of a turn is as labelled, and every earlier turn
 * is where its label says or, with a driver, where the driver put it: a turn placed in the wrong topic then has to be forked from
 * (DAgger, Ross et al. 2011). A turn whose parent no answer would give is left out.
 */
export const branchExamples = async (
  dialogue: LabelledDialogue,
  { vectorOf, reader }: ReadingOptions,
  driver: Decider | null = null,
): Promise<BranchExample[]> => {
  const replay = new Replay(vectorOf);
  const examples: BranchExample[] = [];
  for (const [turn, labelled] of dialogue.turns.entries()) {
    const parentId = labelled.parent === null ? null : nodeIdOf(labelled.parent);
    if (parentId !== null) {
      const question = await branchQuestionOf(replay, labelled.message, nodeOf(replay.forest, parentId).treeId);
      if (question !== null) {
        const { choices, material } = readBranchQuestion(question, reader);
        const right = rightOf(question, choices, parentId);
        if (right >= 0) examples.push({ choices, material, right, weight: 1, dialogue, turn });
      }
    }
    const isDriven = driver !== null && turn > 0;
    replay.place(
      labelled,
      isDriven ? (await replay.route(labelled.message, driver, USE_LITE_THETA)).parentId : parentId,
    );
  }
  return examples;
};

/** Index of the choice that puts a message under a turn; −1 if none does. */
const rightOf = ({ path }: BranchQuestion, choices: readonly BranchChoice[], parentId: NodeId): number =>
  path.at(-1)?.nodeId === parentId ? 0 : choices.findIndex(({ point }) => point === parentId);

/** Lets the engine ask, and captures its question. */
const branchQuestionOf = async (replay: Replay, message: string, treeId: string): Promise<BranchQuestion | null> => {
  let question: BranchQuestion | null = null;
  const answer = { confidence: null, reasons: [], raw: '', decider: 'label' };
  const decider: Decider = {
    name: 'label',
    ungated: true,
    topic: async () => ({ ...answer, action: 'switch-topic', target: treeId }),
    branch: async (put) => {
      question = put;
      return { ...answer, action: 'continue-branch' };
    },
  };
  await replay.route(message, decider, 0);
  return question;
};
