import { contextAgent } from '../src/engine/context/policies/context-agent.ts';
import { type LandingFeatures, landingFeatures } from '../src/engine/place/landing/landing-features.ts';
import { landingsOf } from '../src/engine/place/landing/landings.ts';
import { cosine } from '../src/engine/vectors/cosine.ts';
import { replyStart } from '../src/engine/vectors/embedding-text.ts';
import type { LabelledDialogue } from '../src/features/evaluate/datasets/labelled-dialogue.ts';
import { learnedFor } from '../src/features/evaluate/held-out/held-out.ts';
import type { VectorOf } from '../src/features/evaluate/measurement/embedded-texts.ts';
import { type Mode, placeDialogue } from '../src/features/evaluate/measurement/placements.ts';
import { nodeIdOf, Replay } from '../src/features/evaluate/measurement/replay.ts';

/** What is known of everything that a message may go on from, and which of them it did go on from by its label. */
export interface LandingExample {
  readonly set: string;
  readonly features: readonly LandingFeatures[];
  readonly right: number;
}

/**
 * The turns of a dialogue as contexts are built for them, each decided by the learned decider with weights that were not
 * fitted to the dialogue. A turn whose right place is not among the landings teaches nothing.
 */
export const landingExamples = async (
  dialogue: LabelledDialogue,
  mode: Mode,
  vectorOf: VectorOf,
): Promise<LandingExample[]> => {
  const { set, turns } = dialogue;
  const placing = { subject: 'learned', deciderFor: learnedFor, policy: contextAgent };
  const { parents, decisions } = await placeDialogue(set, dialogue, placing, mode, vectorOf);
  const replay = new Replay(vectorOf);
  const examples: LandingExample[] = [];
  for (const [turn, labelled] of turns.entries()) {
    const { message, parent } = labelled;
    const placed = parents[turn] ?? null;
    const near = replay.nearness(message);
    const { forest, nodeId } = replay.tried(
      message,
      placed === null ? null : nodeIdOf(placed),
      decisions[turn] ?? undefined,
    );
    const node = forest.nodes[nodeId];
    const landings = node === undefined ? null : landingsOf(forest, node);
    if (landings !== null) {
      const vector = vectorOf(message);
      const nearReply = (id: string): number | null => {
        const start = forest.nodes[id] === undefined ? '' : replyStart(forest.nodes[id]);
        return start === '' ? null : cosine(vectorOf(start), vector);
      };
      const features = landingFeatures(message, landings, (id) => near.to(id), nearReply);
      const right =
        parent === null ? landings.turns.length : landings.turns.findIndex((one) => one.node.id === nodeIdOf(parent));
      if (right >= 0) examples.push({ set, features, right });
    }
    const kept = mode === 'teacher-forced' ? parent : placed;
    replay.place(
      labelled,
      kept === null ? null : nodeIdOf(kept),
      null,
      (mode === 'free-running' && decisions[turn]) || undefined,
    );
  }
  return examples;
};
