import { isConfirmation, type Label } from '../domain/decision.ts';
import type { Forest, NodeId } from '../domain/forest.ts';
import { idsOf } from '../domain/table.ts';
import type { LearningReport, Lesson } from '../engine/lessons.ts';
import { Queue } from '../engine/tasks.ts';
import { orInMemory } from './conversation-log.ts';
import { type Kernel, notify, reportingErrors, reportUnexpected } from './kernel.ts';
import type { AppState } from './state.ts';

export type Learning = ReturnType<typeof createLearning>;

/** Version of the lesson export format. */
const FILE_VERSION = 1;

/** Turns the user's corrections and confirmations into lessons, stores them, and lets the decider learn from them. */
export const createLearning = (kernel: Kernel) => {
  const { store, ports } = kernel;
  // One change at a time, so that the last learning run sees all lessons.
  const queue = new Queue();
  let learned: LearningReport | null = null;

  /** Relearns from what is stored: a matter of milliseconds for a few hundred lessons. */
  const refresh = async () => {
    const { storage } = kernel;
    const [on, paused, lessons] = await Promise.all([storage.learns(), storage.learningRests(), storage.lessons()]);
    const made = await ports.learner.learn(on ? lessons : []);
    learned = made.lessons > 0 ? made : null;
    store.setState({ learning: { on, paused, ...countsOf(lessons), learned } });
  };

  /** Changes the stored lessons, then relearns. If the storage no longer accepts writes, continues in memory. */
  const change = (what: () => Promise<void>) =>
    queue.run(async () => {
      await orInMemory(kernel, what);
      await refresh();
    });

  const lessonsOf = async (
    { entries, conversationId }: Pick<AppState, 'entries' | 'conversationId'>,
    nodeId: NodeId,
    label: Label,
  ): Promise<Lesson[]> => {
    const questions = await kernel.engine.questionsAbout(entries, nodeId, label.person.parentId);
    if (questions === null) return [];
    const by = isConfirmation(label) ? 'confirmation' : 'correction';
    const lessons = await ports.learner.lessonsOf(questions);
    return lessons.map((lesson) => ({ conversationId, nodeId, by, at: label.at, ...lesson }));
  };

  const forget = async (lessons: readonly Lesson[]) => {
    await change(() => kernel.storage.replaceLessons([]));
    const restore = () => change(() => kernel.storage.replaceLessons(lessons));
    notify(kernel, 'The decider forgot what it learned from you.', {
      label: 'Revert',
      run: () => void restore().catch((error) => reportUnexpected(kernel, 'Undoing that', error)),
    });
  };

  return {
    /** Learns from what is stored, then follows changes made in other tabs. */
    start: async () => {
      const follow = () => queue.run(refresh);
      ports.watchLessons(
        () => void follow().catch((error) => reportUnexpected(kernel, 'Syncing with another tab', error)),
      );
      await follow();
    },

    /** Adds or removes the lessons from labels that changed between two states of the open conversation. */
    follow: async (before: Forest, now: Forest) => {
      const state = store.getState();
      const { conversationId } = state;
      const changed = labelledIn(before, now).filter((id) => before.nodes[id]?.label !== now.nodes[id]?.label);
      for (const nodeId of changed) {
        const label = now.nodes[nodeId]?.label ?? null;
        const { on, paused } = state.learning;
        // Outside the queue, because the embedder may take its time.
        const lessons = label === null || !on || paused ? [] : await lessonsOf(state, nodeId, label);
        await change(async () => {
          const { conversationId: open, forest } = store.getState();
          // Undone, or corrected again: whatever did that is followed next.
          if (open === conversationId && (forest.nodes[nodeId]?.label ?? null) !== label) return;
          await kernel.storage.saveLessons({ conversationId, nodeId }, lessons);
        });
      }
    },

    /** Called when the stored lessons were changed by other means. */
    refresh: () => queue.run(refresh),

    actions: {
      /** Off: no lessons are recorded and existing ones have no effect from the next message on, but they are kept. */
      letLearn: reportingErrors(kernel, 'Changing whether the decider learns', (on: boolean) => {
        // Update immediately, so that the switch shows it and no lesson is recorded meanwhile.
        store.setState(({ learning }) => ({ learning: { ...learning, on } }));
        return change(() => kernel.storage.setLearns(on));
      }),

      /** Labels are still kept but nothing is learned from them; earlier lessons stay in effect. */
      pauseLearning: reportingErrors(kernel, 'Pausing learning', (paused: boolean) => {
        store.setState(({ learning }) => ({ learning: { ...learning, paused } }));
        return change(() => kernel.storage.setLearningRests(paused));
      }),

      /** Can be undone from the notice it shows. */
      forgetLessons: reportingErrors(kernel, 'Resetting the lessons', async () =>
        forget(await kernel.storage.lessons()),
      ),

      /** Returns the lessons and the learned weights as a file; null, with a reported problem, if they cannot be read. */
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

/** A turn may yield two lessons but counts as one correction. */
const countsOf = (lessons: readonly Lesson[]): { corrections: number; confirmations: number } => {
  const turns = new Map(
    lessons.map(({ conversationId, nodeId, by }) => [JSON.stringify([conversationId, nodeId]), by]),
  );
  const corrections = [...turns.values()].filter((by) => by === 'correction').length;
  return { corrections, confirmations: turns.size - corrections };
};
