import type { NodeId } from '../src/domain/forest.ts';
import { nodeOf } from '../src/domain/queries.ts';
import type { BranchQuestion, Decider } from '../src/engine/ports.ts';
import type { LabelledDialogue } from '../src/features/evaluate/datasets/labelled-dialogue.ts';
import { nodeIdOf, Replay } from '../src/features/evaluate/measurement/replay.ts';
import { type BranchChoice, readBranchQuestion } from '../src/models/embedded/branch-features.ts';
import type { Material } from '../src/models/embedded/topic-features.ts';
import type { Example } from './boost.ts';
import { type Driver, placeBy } from './driver.ts';
import type { Reading } from './topic-examples.ts';

export interface BranchExample extends Example {
  readonly choices: readonly BranchChoice[];
  readonly material: Material;
  readonly dialogue: LabelledDialogue;
  readonly turn: number;
}

/**
 * The branch questions that the engine asks about a dialogue when the topic of a turn is what its label says, and
 * every earlier turn stands where its label says or, with a driver, where that put it: a turn that was taken
 * into the wrong topic is then to be forked from. A turn whose parent none of the answers would give is left out.
 */
export const branchExamples = async (
  dialogue: LabelledDialogue,
  { vectorOf, reader }: Reading,
  driver: Driver | null = null,
): Promise<BranchExample[]> => {
  const replay = new Replay(vectorOf);
  const examples: BranchExample[] = [];
  for (const [turn, labelled] of dialogue.turns.entries()) {
    const parentId = labelled.parent === null ? null : nodeIdOf(labelled.parent);
    if (parentId !== null) {
      const question = await asked(replay, labelled.message, nodeOf(replay.forest, parentId).treeId);
      if (question !== null) {
        const { choices, material } = readBranchQuestion(question, reader);
        const right = rightOf(question, choices, parentId);
        if (right >= 0) examples.push({ choices, material, right, weight: 1, dialogue, turn });
      }
    }
    replay.place(labelled, await placeBy(driver, replay, labelled.message, turn, parentId));
  }
  return examples;
};

/** The choice that hangs a message under a turn; −1 if none does. */
const rightOf = ({ path }: BranchQuestion, choices: readonly BranchChoice[], parentId: NodeId): number =>
  path.at(-1)?.nodeId === parentId ? 0 : choices.findIndex(({ point }) => point === parentId);

/** Lets the engine ask, and keeps what it asked. */
const asked = async (replay: Replay, message: string, treeId: string): Promise<BranchQuestion | null> => {
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
