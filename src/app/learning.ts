import { isConfirmation, type Label } from '../domain/decision.ts';
import type { Forest, NodeId } from '../domain/forest.ts';
import { idsOf } from '../domain/table.ts';
import type { LearningReport, Lesson } from '../engine/place/lessons.ts';
import { StorageFailure } from '../engine/storage.ts';
import { goOnInMemory, Queue } from './conversation-log.ts';
import { guarded, type Kernel, notify, reportUnexpected } from './kernel.ts';

export type Learning = ReturnType<typeof createLearning>;

/** Version of the file that lessons are exported to. */
const FILE_VERSION = 1;

/** Makes lessons of the person's word on decisions, keeps them, and lets the decider learn from them. */
export const createLearning = (kernel: Kernel) => {
  const { store, ports } = kernel;
  // One change at a time, so that what was learned last is learned from all there is.
  const queue = new Queue();
  let learned: LearningReport | null = null;

  /** Learns anew from what is stored: with some hundreds of lessons a matter of milliseconds. */
  const refresh = async () => {
    const { storage } = kernel;
    const [on, paused, lessons] = await Promise.all([storage.learns(), storage.learningRests(), storage.lessons()]);
    const made = await ports.learner.learn(on ? lessons : []);
    learned = made.lessons > 0 ? made : null;
    store.setState({ learning: { on, paused, ...countsOf(lessons), learned } });
  };

  /** Changes what is stored, then learns from it. A storage that takes nothing any more is left for memory. */
  const change = (what: () => Promise<void>) =>
    queue.run(async () => {
      try {
        await what();
      } catch (error) {
        if (!(error instanceof StorageFailure)) throw error;
        goOnInMemory(kernel, error);
        await what();
      }
      await refresh();
    });

  const lessonsOf = async (nodeId: NodeId, label: Label): Promise<Lesson[]> => {
    const { entries, conversationId } = store.getState();
    const questions = await kernel.engine.questionsAbout(entries, nodeId, label.person.parentId);
    if (questions === null) return [];
    const by = isConfirmation(label) ? 'confirmation' : 'correction';
    const told = await ports.learner.lessonsOf(questions);
    return told.map((lesson) => ({ conversationId, nodeId, by, at: label.at, ...lesson }));
  };

  const forget = async (lessons: readonly Lesson[]) => {
    await change(() => kernel.storage.replaceLessons([]));
    const restore = () => change(() => kernel.storage.replaceLessons(lessons));
    notify(kernel, 'The decider has forgotten what it learned from you.', {
      label: 'Take back',
      run: () => void restore().catch((error) => reportUnexpected(kernel, 'Taking it back', error)),
    });
  };

  return {
    /** Learns from what is stored, and from then on follows other tabs. */
    start: async () => {
      const follow = () => queue.run(refresh);
      ports.watchLessons(
        () => void follow().catch((error) => reportUnexpected(kernel, 'Following another tab', error)),
      );
      await follow();
    },

    /** Takes up, or takes back, what the person's word between two states of the open conversation teaches. */
    follow: async (before: Forest, now: Forest) => {
      const { conversationId, learning } = store.getState();
      const changed = labelledIn(before, now).filter((id) => before.nodes[id]?.label !== now.nodes[id]?.label);
      for (const nodeId of changed) {
        const label = now.nodes[nodeId]?.label ?? null;
        const lessons = label === null || !learning.on || learning.paused ? [] : await lessonsOf(nodeId, label);
        await change(() => kernel.storage.saveLessons({ conversationId, nodeId }, lessons));
      }
    },

    /** What is stored was changed otherwise. */
    refresh: () => queue.run(refresh),

    actions: {
      /** Off: no lesson is taken and none speaks from the next message on; those there are stay. */
      letLearn: guarded(kernel, 'Learning from corrections', (on: boolean) => {
        // At once: the switch shows it, and no lesson is taken meanwhile.
        store.setState(({ learning }) => ({ learning: { ...learning, on } }));
        return change(() => kernel.storage.setLearns(on));
      }),

      /** Labels are kept and nothing is learned from them; what was learned before still speaks. */
      pauseLearning: guarded(kernel, 'Pausing the learning', (paused: boolean) => {
        store.setState(({ learning }) => ({ learning: { ...learning, paused } }));
        return change(() => kernel.storage.setLearningRests(paused));
      }),

      /** Can be taken back from the notice it leaves. */
      forgetLessons: guarded(kernel, 'Forgetting the lessons', async () => forget(await kernel.storage.lessons())),

      /** The lessons and what was made of them, as a file; null, and said so, where they cannot be read. */
      lessonsFile: async (): Promise<{ name: string; text: string } | null> => {
        try {
          await kernel.opened;
          const lessons = await kernel.storage.lessons();
          const file = { coppice: 'lessons', version: FILE_VERSION, lessons, weights: learned?.weights ?? {} };
          return { name: 'coppice-lessons.json', text: `${JSON.stringify(file, null, 1)}\n` };
        } catch (error) {
          reportUnexpected(kernel, 'Exporting the lessons', error);
          return null;
        }
      },
    },
  };
};

const labelledIn = (...forests: readonly Forest[]): NodeId[] => [
  ...new Set(forests.flatMap(({ nodes }) => idsOf(nodes).filter((id) => nodes[id]?.label != null))),
];

/** A turn may teach two things, and is one correction all the same. */
const countsOf = (lessons: readonly Lesson[]): { corrections: number; confirmations: number } => {
  const turns = new Map(
    lessons.map(({ conversationId, nodeId, by }) => [JSON.stringify([conversationId, nodeId]), by]),
  );
  const corrections = [...turns.values()].filter((by) => by === 'correction').length;
  return { corrections, confirmations: turns.size - corrections };
};
