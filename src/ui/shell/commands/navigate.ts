import type { Forest, Node, NodeId } from '../../../domain/forest.ts';
import { childrenOf, nodeOf, pathTo, tipOf, treesOf } from '../../../domain/queries.ts';

/* Ways to go from a turn, for commands. Each gives the turn that it leads to; null where it leads nowhere. */

/** The nearest fork before a turn on its path: a turn that several go on from. */
export const previousFork = (forest: Forest, id: NodeId): NodeId | null =>
  pathTo(forest, nodeOf(forest, id).parentId).findLast((node) => isFork(forest, node))?.id ?? null;

/** The nearest fork after a turn on its branch. */
export const nextFork = (forest: Forest, id: NodeId): NodeId | null =>
  after(forest, id).find((node) => isFork(forest, node))?.id ?? null;

/** The turn beside the nearest one at or before this that has any beside it; beside a topic's first stands the next topic's. */
export const sibling = (forest: Forest, id: NodeId, step: 1 | -1): NodeId | null => {
  for (const node of pathTo(forest, id).reverse()) {
    const row =
      node.parentId === null ? treesOf(forest).map(({ rootId }) => rootId) : childrenOf(forest, node.parentId);
    if (row.length > 1) return row[row.indexOf(node.id) + step] ?? null;
  }
  return null;
};

/** The first turn of its topic. */
export const rootFrom = (forest: Forest, id: NodeId): NodeId | null => {
  const root = pathTo(forest, id)[0]?.id ?? id;
  return root === id ? null : root;
};

/** The last turn of its branch. */
export const tipFrom = (forest: Forest, id: NodeId): NodeId | null => {
  const tip = tipOf(forest, nodeOf(forest, id)).id;
  return tip === id ? null : tip;
};

const isFork = (forest: Forest, { id }: Node): boolean => childrenOf(forest, id).length > 1;

/** What follows a turn on its branch, in order. */
const after = (forest: Forest, id: NodeId): Node[] => {
  const path = pathTo(forest, tipOf(forest, nodeOf(forest, id)).id);
  return path.slice(path.findIndex((node) => node.id === id) + 1);
};
