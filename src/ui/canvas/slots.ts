import type { TreeId } from '../../domain/forest.ts';
import type { TreeLayout } from './tree-layout.ts';

/** The ground that a topic stands on. It keeps its width when the topic grows narrower, so that no other has to move. */
export interface Slot {
  readonly treeId: TreeId;
  readonly order: number;
  readonly width: number;
}

/** Once the ground is this many times as wide as what stands on it, it is given up and all is packed anew. */
const WASTE = 1.6;

/**
 * The slots for topics as wide as `wanted`, in the same order: those there were, wider where needed. A topic that
 * is gone leaves its slot, and undo brings it back to it; at the end of all, it leaves nothing.
 */
export const slotsFor = (wanted: readonly Slot[], before: readonly Slot[]): readonly Slot[] => {
  if (before.length === 0) return wanted;
  const former = new Map(before.map((slot) => [slot.treeId, slot]));
  const there = new Set(wanted.map(({ treeId }) => treeId));
  const kept = wanted.map((slot) => {
    const old = former.get(slot.treeId);
    return old === undefined || old.order !== slot.order || old.width <= slot.width ? slot : old;
  });
  const last = wanted.at(-1)?.order ?? -1;
  const vacated = before.filter(({ treeId, order }) => order < last && !there.has(treeId));
  const slots = vacated.length === 0 ? kept : [...kept, ...vacated].sort((a, b) => a.order - b.order);
  return widthOf(slots) > WASTE * widthOf(wanted) ? wanted : slots;
};

const widthOf = (slots: readonly Slot[]): number => slots.reduce((sum, { width }) => sum + width, 0);

/**
 * Where in its slot a tree is to stand so that as many of its cards as possible stay where they were; `before` is
 * how the topic was laid out, `offset` where it stood in its slot then.
 */
export const offsetIn = (slotWidth: number, tree: TreeLayout, before: TreeLayout, offset: number): number => {
  const room = slotWidth - tree.width;
  if (room <= 0) return 0;
  const wanted = tree === before ? offset : offset + commonShift(tree, before);
  return Math.min(room, Math.max(0, wanted));
};

const commonShift = (tree: TreeLayout, before: TreeLayout): number => {
  const counts = new Map<number, number>();
  let best = 0;
  for (const [at, id] of tree.ids.entries()) {
    const old = before.indexOf.get(id);
    if (old === undefined) continue;
    const shift = Math.round((before.xs[old] as number) - (tree.xs[at] as number));
    const count = (counts.get(shift) ?? 0) + 1;
    counts.set(shift, count);
    if (count > (counts.get(best) ?? 0)) best = shift;
  }
  return best;
};
