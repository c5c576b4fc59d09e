import { isConfirmation, type Label } from '../domain/decision.ts';
import type { Entry } from '../domain/entry.ts';
import type { Forest, NodeId } from '../domain/forest.ts';
import { changedIds, idsOf } from '../domain/table.ts';
import type { Engine } from '../engine/engine.ts';
import { foldInParts } from '../engine/history/fold-in-parts.ts';
import { isOfStudy, type LearningReport, type Lesson } from '../engine/lessons.ts';
import { createYielder, Queue } from '../engine/tasks.ts';
import { orInMemory } from './conversation-log.ts';
import { type Kernel, notify, reportingErrors, reportUnexpected } from './kernel.ts';
import type { AppState } from './state.ts';

export type Learning = ReturnType<typeof createLearning>;

/** Version of the lesson export format. */
const FILE_VERSION = 1;

/** Turns the user's corrections and confirmations into lessons, stores them, and lets the decider learn from them. */
export const createLearning = (kernel: Kernel) => {
  const { store, ports, snapshots } = kernel;
  // One change at a time, so that the last learning run sees all lessons.
  const queue = new Queue();
  let learned: LearningReport | null = null;
  /** Lessons of labels that went away, which an undo may bring back. */
  const gone = new Map<string, readonly Lesson[]>();
  let rests = false;

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

  /** Returns the forest after the first `count` entries of a log; without the snapshots once another log is open. */
  const forestAt = async (entries: readonly Entry[], count: number): Promise<Forest> => {
    const breathe = createYielder(ports.elapsed);
    const isOpen = () => store.getState().entries[0] === entries[0];
    while (isOpen() && !snapshots.isNear(entries, count)) {
      snapshots.approach(entries, count);
      await breathe();
    }
    return isOpen() ? snapshots.at(entries, count) : foldInParts(entries, breathe, count);
  };

  /** `engine`: that of the conversation, which may not be open any more. */
  const lessonsOf = async (
    engine: Engine,
    { entries, forest, conversationId }: Pick<AppState, 'entries' | 'forest' | 'conversationId'>,
    nodeId: NodeId,
    label: Label,
  ): Promise<Lesson[]> => {
    const { parentId } = label.person;
    const before = (count: number) => forestAt(entries, count);
    const questions = await engine.questionsAbout(entries, nodeId, parentId, before, forest);
    if (questions === null) return [];
    const by = isConfirmation(label) ? 'confirmation' : 'correction';
    const lessons = await ports.learner.lessonsOf(questions);
    return lessons.map((lesson) => ({ conversationId, nodeId, by, at: label.at, ...lesson }));
  };

  const conversationIds = async () => new Set((await kernel.storage.conversations()).map(({ id }) => id));

  const forget = async (lessons: readonly Lesson[]) => {
    const before = await conversationIds();
    await change(async () => {
      gone.clear();
      await kernel.storage.replaceLessons([]);
    });
    const restore = () =>
      change(async () => {
        const since = await kernel.storage.lessons();
        const taughtSince = new Set(since.map(turnKey));
        const now = await conversationIds();
        const { conversationId: open, forest } = store.getState();
        // Its turn may have been undone or purged since, or its conversation deleted for good.
        const stands = ({ conversationId: id, nodeId, at }: Lesson) =>
          id === open ? labelOf(forest, nodeId)?.at === at : now.has(id) || !before.has(id);
        const back = lessons.filter((lesson) => !taughtSince.has(turnKey(lesson)) && stands(lesson));
        await kernel.storage.replaceLessons([...back, ...since]);
      });
    notify(kernel, 'The decider forgot what it learned from you.', {
      label: 'Revert',
      run: () => void restore().catch((error) => reportUnexpected(kernel, 'Undoing that', error)),
    });
  };

  return {
    /** Learns from what is stored, then follows changes made in other tabs. */
    start: async () => {
      const follow = () => queue.run(refresh);
      const lessonCount = () => store.getState().learning.lessons;
      const followOtherTab = () =>
        queue.run(async () => {
          const known = lessonCount();
          await refresh();
          // Forgotten there.
          if (known > 0 && lessonCount() === 0) gone.clear();
        });
      ports.watchLessons(
        () => void followOtherTab().catch((error) => reportUnexpected(kernel, 'Syncing with another tab', error)),
      );
      await follow();
    },

    /** Adds or removes the lessons from labels that changed between two states of the open conversation. */
    follow: async (before: Forest, now: Forest) => {
      const { engine } = kernel;
      const state = store.getState();
      const { conversationId, learning } = state;
      const changed = changedLabels(before, now);
      if (changed.length === 0) return;
      const made = new Map<NodeId, readonly Lesson[]>();
      // Outside the queue, because the embedder may take its time.
      for (const nodeId of learning.on && !learning.paused && !rests ? changed : []) {
        const label = labelOf(now, nodeId);
        if (label !== null) made.set(nodeId, await lessonsOf(engine, state, nodeId, label));
      }
      const keyOf = (nodeId: NodeId, { at }: Label | Lesson) => JSON.stringify([conversationId, nodeId, at]);
      await change(async () => {
        const stored = (await kernel.storage.lessons()).filter((lesson) => lesson.conversationId === conversationId);
        for (const nodeId of changed) {
          const mine = stored.filter((lesson) => lesson.nodeId === nodeId);
          // Those of the label before may never have been stored.
          if (mine[0] !== undefined) gone.set(keyOf(nodeId, mine[0]), mine);
          const label = labelOf(now, nodeId);
          const { conversationId: open, forest } = store.getState();
          // Undone, or corrected again: whatever did that is followed next.
          if (open === conversationId && labelOf(forest, nodeId) !== label) continue;
          const back = label === null ? undefined : gone.get(keyOf(nodeId, label));
          // Made anew it would say the same, or nothing if the embedder fails just now.
          await kernel.storage.saveLessons({ conversationId, nodeId }, back ?? made.get(nodeId) ?? []);
        }
      });
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

      /** Pauses learning in this tab alone, and until it is closed at most. */
      restLearning: (on: boolean) => {
        rests = on;
      },

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

const labelOf = ({ nodes }: Pick<Forest, 'nodes'>, id: NodeId): Label | null => nodes[id]?.label ?? null;

/** The turns whose labels changed between two states, in their order; all turns are looked at only if there are several. */
export const changedLabels = (before: Pick<Forest, 'nodes'>, now: Pick<Forest, 'nodes'>): NodeId[] => {
  const isChanged = (id: NodeId): boolean => labelOf(before, id) !== labelOf(now, id);
  const changed = changedIds(before.nodes, now.nodes)?.filter(isChanged);
  if (changed !== undefined && changed.length <= 1) return changed;
  const labelled = [before, now].flatMap((one) => idsOf(one.nodes).filter((id) => labelOf(one, id) !== null));
  return [...new Set(labelled)].filter(isChanged);
};

const turnKey = ({ conversationId, nodeId }: Lesson): string => JSON.stringify([conversationId, nodeId]);

/** A turn may yield two lessons but counts as one correction. */
const countsOf = (lessons: readonly Lesson[]) => {
  const turns = [...new Map(lessons.map((lesson) => [turnKey(lesson), lesson])).values()];
  const own = turns.filter((lesson) => !isOfStudy(lesson));
  const corrections = own.filter(({ by }) => by === 'correction').length;
  return {
    corrections,
    confirmations: own.length - corrections,
    studyTurns: turns.length - own.length,
    lessons: lessons.length,
  };
};
