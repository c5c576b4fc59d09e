import type { BranchId, Forest, NodeId, Target } from '../domain/forest.ts';
import { PERSON } from '../domain/forest.ts';
import type { Handled, Intent } from '../domain/handle.ts';
import { childrenOf, followingOnBranch, nodeOf, outermost, subtree } from '../domain/queries.ts';
import type { Reference } from '../domain/reference.ts';
import { type Kernel, notify, setSession } from './kernel.ts';
import type { createLearning } from './learning.ts';
import { previewMove } from './preview-move.ts';
import { tellRefusal } from './refusals.ts';

interface Parts {
  /** Purges turns of the open conversation, after whatever is being committed. */
  readonly purge: (nodeIds: readonly NodeId[]) => Promise<Handled>;
  readonly learning: ReturnType<typeof createLearning>;
  readonly undo: () => Promise<void>;
}

/** What a person does to the forest by hand, apart from single corrections. Each is one step of undo. */
export const createHandEdits = (kernel: Kernel, { learning, undo, purge }: Parts) => {
  const { store, ports } = kernel;

  /** Commits an edit and tells of it, or why not; resolves to whether it was done. */
  const edit = async (intents: readonly Intent[], words: string): Promise<boolean> => {
    const before = store.getState().forest;
    const results: Handled[] = [];
    for (const intent of intents) results.push(await kernel.commit(intent));
    const refused = results.find((result) => !result.ok);
    if (results.every((result) => !result.ok)) {
      if (refused?.ok === false) tellRefusal(kernel, refused.refusal);
      return false;
    }
    letGo(kernel);
    notify(kernel, words, { label: 'Take back', run: () => void undo() });
    await learning.follow(before, store.getState().forest);
    return true;
  };

  const does = (event: (Intent & { type: 'record' })['event'], words: string): Promise<boolean> =>
    edit([{ type: 'record', event, step: ports.newId() }], words);

  const numbers = (nodeIds: readonly NodeId[]): string => turnsInWords(store.getState().forest, nodeIds);
  const fresh = () => ({ treeId: ports.newId(), branchId: ports.newId() });

  return {
    selectMany: (nodeIds: readonly NodeId[], primary: NodeId | null) =>
      setSession(kernel, { selection: nodeIds, selectedId: primary }),

    moveTurns: async (nodeIds: readonly NodeId[], to: Target) => {
      const { forest } = store.getState();
      const moving = outermost(forest, nodeIds);
      const parentId = to.kind === 'under' ? to.nodeId : null;
      const at = ports.now();
      const step = ports.newId();
      const where = parentId === null ? 'to a topic of their own' : `under turn ${nodeOf(forest, parentId).number}`;
      const done = await edit(
        moving.map((nodeId) => ({ type: 'move', nodeId, parentId, fresh: fresh(), at, step })),
        `${numbers(moving)} moved ${moving.length === 1 ? where.replace('their', 'its') : where}.`,
      );
      if (!done || parentId !== null) return;
      for (const id of moving) {
        const node = store.getState().forest.nodes[id];
        if (node !== undefined) await kernel.engine.titleTopic(node.treeId);
      }
    },

    previewMove: (nodeIds: readonly NodeId[], to: Target) => previewMove(kernel, nodeIds, to),

    extractTurn: async (nodeId: NodeId) => {
      const words = `${numbers([nodeId])} taken out into a topic of its own.`;
      const done = await edit(
        [{ type: 'extract', nodeId, fresh: fresh(), at: ports.now(), step: ports.newId() }],
        words,
      );
      const node = store.getState().forest.nodes[nodeId];
      if (done && node !== undefined) await kernel.engine.titleTopic(node.treeId);
    },

    deleteTurns: async (nodeIds: readonly NodeId[], alone: boolean) => {
      const { forest } = store.getState();
      const all = alone ? nodeIds : familyOf(forest, nodeIds);
      const them = all.length === 1 ? 'it' : 'them';
      const words = `${numbers(all)} deleted. Undo brings ${them} back.`;
      await edit([{ type: 'delete', nodeIds, alone, step: ports.newId() }], words);
    },

    hideTurns: async (nodeIds: readonly NodeId[], hidden: boolean) => {
      const words = hidden ? 'hidden: no model is sent it' : 'shown again';
      await does({ type: 'turns-hidden', nodeIds: [...nodeIds], hidden }, `${numbers(nodeIds)} ${words}.`);
    },

    endBranch: async (nodeId: NodeId) => {
      const { forest } = store.getState();
      const nodeIds = followingOnBranch(forest, nodeId).map(({ id }) => id);
      if (nodeIds.length === 0) return tellRefusal(kernel, 'already-there');
      const step = ports.newId();
      const intents: Intent[] = [{ type: 'record', event: { type: 'turns-hidden', nodeIds, hidden: true }, step }];
      // Nobody goes on from a turn that is hidden.
      if (nodeIds.includes(forest.active?.nodeId ?? '')) {
        intents.push({ type: 'record', event: { type: 'activated', nodeId }, step });
      }
      await edit(
        intents,
        `The branch ends at turn ${nodeOf(forest, nodeId).number}: ${hiddenInWords(nodeIds.length)}.`,
      );
    },

    purgeTurns: async (nodeIds: readonly NodeId[]) => {
      const words = `${numbers(nodeIds)} purged: the words are gone from this browser.`;
      const purged = await purge(nodeIds);
      if (!purged.ok) return tellRefusal(kernel, purged.refusal);
      letGo(kernel);
      notify(kernel, words);
    },

    pinTurns: async (nodeIds: readonly NodeId[], pinned: boolean) => {
      const { nodes } = store.getState().forest;
      const changing = nodeIds.filter((id) => nodes[id]?.pinned === !pinned);
      const step = ports.newId();
      const has = changing.length === 1 ? 'it' : 'them';
      await edit(
        changing.map((nodeId) => ({ type: 'record', event: { type: 'turn-pinned', nodeId, pinned }, step })),
        `${numbers(changing)} ${pinned ? `pinned: every context has ${has} in full` : 'no longer pinned'}.`,
      );
    },

    noteTurn: async (nodeId: NodeId, text: string) => {
      const note = text.trim() === '' ? null : text.trim();
      const words = note === null ? `The note on ${numbers([nodeId]).toLowerCase()} removed.` : 'Note kept.';
      await does({ type: 'turn-noted', nodeId, note }, words);
    },

    rewordSummary: async (nodeId: NodeId, text: string) => {
      if (text.trim() !== '') {
        await does({ type: 'summarised', nodeId, text: text.trim(), by: PERSON }, 'Summary kept as you wrote it.');
      } else await kernel.engine.summariseAnew(nodeId, ports.newId());
    },

    titleBranch: async (branchId: BranchId, title: string) => {
      await does({ type: 'branch-titled', branchId, title: title.trim() || null }, 'Branch renamed.');
    },

    addReference: async (nodeId: NodeId, to: NodeId, as: Reference['as']) => {
      const { forest } = store.getState();
      const words = `Turn ${nodeOf(forest, nodeId).number} refers to turn ${nodeOf(forest, to).number} now.`;
      await does({ type: 'reference-added', nodeId, reference: { to, as, by: 'person' } }, words);
    },

    removeReference: async (nodeId: NodeId, to: NodeId) => {
      await does({ type: 'reference-removed', nodeId, to }, 'Reference removed.');
    },

    forkFrom: (nodeId: NodeId) => {
      const { forest, past } = store.getState();
      if (past !== null || forest.nodes[nodeId] === undefined) return;
      setSession(kernel, { target: { kind: 'under', nodeId, chosen: true }, selectedId: nodeId, pane: 'chat' });
      const branch = childrenOf(forest, nodeId).length > 0 ? ', as a new branch' : '';
      notify(kernel, `The next message goes on from turn ${nodeOf(forest, nodeId).number}${branch}.`);
    },
  };
};

/** What is gone is not selected, edited or gone on from any more. */
export const letGo = (kernel: Kernel): void => {
  const { forest, session } = kernel.store.getState();
  const there = (id: NodeId | null): boolean => id !== null && forest.nodes[id] !== undefined;
  const selection = session.selection.filter(there);
  setSession(kernel, {
    selection,
    selectedId: there(session.selectedId) ? session.selectedId : (selection[0] ?? null),
    ...(session.editing !== null && !there(session.editing.nodeId) ? { editing: null } : {}),
    ...(session.target?.kind === 'under' && !there(session.target.nodeId) ? { target: null } : {}),
  });
};

const familyOf = (forest: Forest, nodeIds: readonly NodeId[]): NodeId[] =>
  outermost(forest, nodeIds).flatMap((id) => subtree(forest, id).map((node) => node.id));

const hiddenInWords = (count: number): string => `${count} ${count === 1 ? 'turn' : 'turns'} hidden`;

/** `Turn 3`, or `4 turns`. */
const turnsInWords = (forest: Forest, nodeIds: readonly NodeId[]): string => {
  const [first] = nodeIds;
  const node = first === undefined ? undefined : forest.nodes[first];
  return nodeIds.length === 1 && node !== undefined ? `Turn ${node.number}` : `${nodeIds.length} turns`;
};
