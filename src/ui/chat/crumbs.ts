import type { Forest, Node, Tree } from '../../domain/forest.ts';

export interface Crumbs {
  readonly topic: Tree;
  /** Heads of the branches that the path runs through after its first, in order. */
  readonly forks: readonly Node[];
  /** Forks left out between the topic and the ones shown. */
  readonly hidden: number;
}

/** Forks shown before the oldest are left out. */
const SHOWN = 2;

/** The way to the end of a path: its topic, and where it forked. Null for an empty path. */
export const crumbsOf = (forest: Forest, path: readonly Node[]): Crumbs | null => {
  const topic = forest.trees[path[0]?.treeId ?? ''];
  if (topic === undefined) return null;
  const forks = path.filter((node, index) => index > 0 && path[index - 1]?.branchId !== node.branchId);
  return { topic, forks: forks.slice(-SHOWN), hidden: Math.max(0, forks.length - SHOWN) };
};
