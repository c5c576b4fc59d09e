import { type BranchChoice, readBranchQuestion } from '../adapters/models/embedded-decider-branch.ts';
import type { TextReader } from '../adapters/models/embedded-decider-texts.ts';
import { nodeOf, tipOf } from '../domain/queries.ts';
import type { BranchQuestion, Decider } from '../engine/ports.ts';
import type { Example } from './fit.ts';
import type { LabelledDialogue } from './labelled-dialogue.ts';
import { nodeIdOf, Replay } from './replay.ts';
import type { VectorOf } from './vectors.ts';

export interface BranchExample extends Example {
  readonly choices: readonly BranchChoice[];
  readonly dialogue: LabelledDialogue;
  readonly turn: number;
  readonly similarity: number;
}

/**
 * The branch questions that the engine asks about a dialogue when every earlier turn, and the topic of
 * this one, stands where its label says. A turn whose parent none of the answers would give is left out.
 */
export const branchExamples = async (
  dialogue: LabelledDialogue,
  vectorOf: VectorOf,
  reader: TextReader,
  theta: number,
): Promise<BranchExample[]> => {
  const replay = new Replay(vectorOf);
  const { forest } = replay;
  const examples: BranchExample[] = [];
  for (const [turn, labelled] of dialogue.turns.entries()) {
    const parentId = labelled.parent === null ? null : nodeIdOf(labelled.parent);
    if (parentId !== null) {
      const question = await asked(replay, labelled.message, nodeOf(forest, parentId).treeId, theta);
      if (question !== null) {
        const { choices } = readBranchQuestion(question, reader);
        const places: Record<BranchChoice['action'], string | undefined> = {
          'continue-branch': question.path.at(-1)?.nodeId,
          'create-branch': question.forkPoint.nodeId,
          'switch-branch': tipOf(forest, question.forkPoint.node).id,
        };
        const right = choices.findIndex(({ action }) => places[action] === parentId);
        const { similarity } = question.forkPoint;
        if (right >= 0) examples.push({ choices, right, weight: 1, dialogue, turn, similarity });
      }
    }
    replay.place(labelled, parentId);
  }
  return examples;
};

/** Lets the engine ask, and keeps what it asked. */
const asked = async (
  replay: Replay,
  message: string,
  treeId: string,
  theta: number,
): Promise<BranchQuestion | null> => {
  let question: BranchQuestion | null = null;
  const answer = { confidence: null, reasons: [], raw: '', decider: 'label' };
  const decider: Decider = {
    name: 'label',
    topic: async () => ({ ...answer, action: 'switch-topic', target: treeId }),
    branch: async (put) => {
      question = put;
      return { ...answer, action: 'continue-branch' };
    },
  };
  await replay.route(message, decider, theta);
  return question;
};
