import type { Kernel } from '../../app/kernel.ts';
import { engineSettings } from '../../app/saved-settings.ts';
import { Engine } from '../../engine/engine.ts';
import type { Lesson } from '../../engine/lessons.ts';
import type { GoldDialogue } from './adjudicate.ts';
import { lessonsIdOf, logOf, nodeOfTurn } from './engine-person.ts';
import type { Study } from './study.ts';

/** Progress and cancellation; the task rejects as soon as it sees that the signal is aborted. */
interface TeachWatch {
  readonly progress: (done: number) => void;
  readonly signal: AbortSignal;
}

/**
 * What the gold teaches the embedded decider: for each settled turn, the questions it would have been asked with everything
 * before it in the right place. Stores nothing.
 */
export const lessonsOfGold = async (
  kernel: Kernel,
  study: Study,
  gold: readonly GoldDialogue[],
  { progress, signal }: TeachWatch,
): Promise<Lesson[]> => {
  const { ports } = kernel;
  const lessons: Lesson[] = [];
  for (const [done, { dialogue, turns }] of gold.entries()) {
    progress(done);
    const labels = turns.map(({ label }) => label);
    const { entries, forest } = await logOf(dialogue, labels, ports.embedded.summarise, ports.now());
    const engine = engineOn(kernel, forest);
    for (const [turn, label] of labels.entries()) {
      signal.throwIfAborted();
      // A parent outside the dialogue cannot be chosen, and the first turn has no choice.
      if (label === null || label.parent === 'elsewhere' || turn === 0) continue;
      const nodeId = nodeOfTurn(turn);
      const parentId = label.parent === 'new-topic' ? null : nodeOfTurn(label.parent);
      const questions = await engine.questionsAbout(entries, nodeId, parentId);
      if (questions === null) continue;
      const about = {
        conversationId: lessonsIdOf(study, dialogue.id),
        nodeId,
        by: 'correction',
        at: ports.now(),
      } as const;
      for (const lesson of await ports.learner.lessonsOf(questions)) lessons.push({ ...about, ...lesson });
    }
  }
  return lessons;
};

/** An engine over a read-only forest. */
const engineOn = (
  kernel: Kernel,
  forest: ConstructorParameters<typeof Engine>[1] extends { forest(): infer F } ? F : never,
) => {
  const { ports, store } = kernel;
  return new Engine(
    {
      models: ports.models,
      embedded: ports.embedded,
      vectors: {
        readVectors: (model, hashes) => kernel.storage.readVectors(model, hashes),
        saveVectors: (model, vectors) => kernel.storage.saveVectors(model, vectors),
      },
      settings: () => engineSettings(store.getState().settings),
      now: ports.elapsed,
      newId: ports.newId,
    },
    {
      forest: () => forest,
      commit: () => Promise.reject(new Error('nothing can be added to a study dialogue')),
      received: () => undefined,
      phase: () => undefined,
      time: ports.now,
    },
  );
};
