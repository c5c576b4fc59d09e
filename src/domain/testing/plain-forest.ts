import type { Forest } from '../forest.ts';
import { plainTable } from '../table.ts';

/** A forest whose tables are plain objects, for comparison with a fold. */
export const plainForest = (forest: Forest): Forest => ({
  ...forest,
  nodes: plainTable(forest.nodes),
  children: plainTable(forest.children),
  trees: plainTable(forest.trees),
  branches: plainTable(forest.branches),
  pending: plainTable(forest.pending),
  overviews: plainTable(forest.overviews),
});
