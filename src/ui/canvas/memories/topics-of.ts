import type { Forest, NodeId, TreeId } from '../../../domain/forest.ts';

/** The topics that turns are from, the one with most of them first; of as many, the older one. Turns that are gone count nowhere. */
export const topicsOf = (forest: Forest, from: readonly NodeId[]): TreeId[] => {
  const counts = new Map<TreeId, number>();
  for (const id of from) {
    const treeId = forest.nodes[id]?.treeId;
    if (treeId !== undefined) counts.set(treeId, (counts.get(treeId) ?? 0) + 1);
  }
  const orderOf = (id: TreeId) => forest.trees[id]?.order ?? 0;
  return [...counts].sort(([a, m], [b, n]) => n - m || orderOf(a) - orderOf(b)).map(([id]) => id);
};

/** The place of the first of them among topics, which picks a colour; 0 of none. */
export const orderOf = (forest: Forest, from: readonly NodeId[]): number =>
  forest.trees[topicsOf(forest, from)[0] ?? '']?.order ?? 0;
