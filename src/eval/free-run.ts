import type { Decider } from '../engine/ports.ts';
import { type LabelledDialogue, topicsOf } from './labelled-dialogue.ts';
import type { Pair } from './metrics.ts';
import { nodeIdOf, Replay } from './replay.ts';
import type { VectorOf } from './vectors.ts';

export interface FreeRun {
  /** Topic action of the label, and the one taken. */
  readonly actions: readonly Pair[];
  /** Parent of the label, and the one taken. */
  readonly parents: readonly Pair[];
}

/** The engine with a decider on a dialogue, every turn where the engine itself put it. */
export const freeRun = async (
  dialogue: LabelledDialogue,
  vectorOf: VectorOf,
  decider: Decider,
  theta: number,
): Promise<FreeRun> => {
  const replay = new Replay(vectorOf);
  const topics = topicsOf(dialogue.turns);
  const actions: Pair[] = [];
  const parents: Pair[] = [];
  for (const [turn, labelled] of dialogue.turns.entries()) {
    if (turn === 0) {
      replay.place(labelled, null);
      continue;
    }
    const { parentId, decision } = await replay.route(labelled.message, decider, theta);
    const before = topics[turn - 1];
    const right =
      labelled.parent === null ? 'create-topic' : topics[turn] === before ? 'continue-topic' : 'switch-topic';
    actions.push([right, decision.topic]);
    parents.push([labelled.parent === null ? 'root' : nodeIdOf(labelled.parent), parentId ?? 'root']);
    replay.place(labelled, parentId);
  }
  return { actions, parents };
};
