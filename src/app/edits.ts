import type { NodeId, Target, TreeId } from '../domain/forest.ts';
import type { ReplySettings } from '../domain/generation.ts';
import { childrenOf, nodeOf } from '../domain/queries.ts';
import { letGo } from './hand-edits.ts';
import { type Kernel, notify, setSession } from './kernel.ts';
import type { createLearning } from './learning.ts';
import { tellRefusal } from './refusals.ts';
import type { Turns } from './turns.ts';

/** What a person does to the forest by hand. */
export const createEdits = (kernel: Kernel, turns: Turns, learning: ReturnType<typeof createLearning>) => {
  const { store, ports } = kernel;

  const undo = async () => {
    const { forest } = store.getState();
    const undone = await kernel.commit({ type: 'undo' });
    if (!undone.ok) return tellRefusal(kernel, undone.refusal);
    const { forest: now, turn, session } = store.getState();
    // The words of a turn that was undone go back to where they were written.
    const gone = [...Object.values(forest.nodes), ...Object.values(forest.pending)].find(
      ({ id }) => now.nodes[id] === undefined && now.pending[id] === undefined,
    );
    if (turn !== null && now.nodes[turn.nodeId] === undefined && now.pending[turn.nodeId] === undefined) turns.stop();
    if (gone !== undefined && session.draft === '') setSession(kernel, { draft: gone.message });
    letGo(kernel);
    notify(kernel, 'Undone.', { label: 'Bring back', run: () => void redo() });
    await learning.follow(forest, now);
  };

  const redo = async () => {
    const { forest } = store.getState();
    const redone = await kernel.commit({ type: 'redo' });
    if (!redone.ok) return tellRefusal(kernel, redone.refusal);
    const { forest: now, session } = store.getState();
    const back = Object.values(now.nodes).find(({ id }) => forest.nodes[id] === undefined);
    if (back !== undefined && session.draft === back.message) setSession(kernel, { draft: '' });
    notify(kernel, 'Redone.', { label: 'Take back', run: () => void undo() });
    await learning.follow(forest, now);
  };

  return {
    select: (nodeId: NodeId | null) => setSession(kernel, { selectedId: nodeId }),

    /** Also makes the next message go on from there: whoever goes somewhere by hand wants to speak there. */
    activate: async (nodeId: NodeId) => {
      if (store.getState().past !== null) return;
      const done = await kernel.does({ type: 'activated', nodeId });
      if (!done.ok && done.refusal !== 'already-there') return tellRefusal(kernel, done.refusal);
      setSession(kernel, { selectedId: nodeId, target: { kind: 'under', nodeId } });
      const { forest } = store.getState();
      const { number } = nodeOf(forest, nodeId);
      const forks = childrenOf(forest, nodeId).length > 0;
      notify(kernel, `The next message goes on from turn ${number}${forks ? ', as a new branch' : ''}.`);
    },

    correct: async (nodeId: NodeId, to: Target) => {
      const before = store.getState().forest;
      const moved = await kernel.commit({
        type: 'move',
        nodeId,
        parentId: to.kind === 'under' ? to.nodeId : null,
        fresh: { treeId: ports.newId(), branchId: ports.newId() },
        at: ports.now(),
        step: ports.newId(),
      });
      if (!moved.ok) return tellRefusal(kernel, moved.refusal);
      const { forest } = store.getState();
      const node = nodeOf(forest, nodeId);
      if (to.kind === 'new-topic') await kernel.engine.titleTopic(node.treeId);
      const where = to.kind === 'under' ? `under turn ${nodeOf(forest, to.nodeId).number}` : 'to a topic of its own';
      notify(kernel, `Turn ${node.number} moved ${where}.`, { label: 'Take back', run: () => void undo() });
      await learning.follow(before, forest);
    },

    confirm: async (nodeId: NodeId) => {
      const before = store.getState().forest;
      const confirmed = await kernel.commit({ type: 'confirm', nodeId, at: ports.now(), step: ports.newId() });
      if (!confirmed.ok) return tellRefusal(kernel, confirmed.refusal);
      const { forest } = store.getState();
      notify(kernel, `Turn ${nodeOf(forest, nodeId).number} is right where it is: kept as a label.`, {
        label: 'Take back',
        run: () => void undo(),
      });
      await learning.follow(before, forest);
    },

    titleTopic: async (treeId: TreeId, title: string) => {
      if (title.trim() === '') return;
      const done = await kernel.does({ type: 'topic-titled', treeId, title: title.trim(), by: 'person' });
      if (!done.ok) tellRefusal(kernel, done.refusal);
    },

    setReplySettings: async (settings: ReplySettings) => {
      const done = await kernel.does({ type: 'reply-settings-set', settings });
      if (!done.ok) return tellRefusal(kernel, done.refusal);
      notify(kernel, 'Reply settings saved, for this conversation.', { label: 'Take back', run: () => void undo() });
    },

    undo,
    redo,
  };
};
