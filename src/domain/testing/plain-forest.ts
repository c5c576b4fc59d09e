import type { Forest } from '../forest.ts';
import { idsOf, type Table } from '../table.ts';

/** A table as a plain object, for comparing or cloning. */
export const plainTable = <T>(table: Table<T>): Table<T> =>
  Object.fromEntries(idsOf(table).map((id) => [id, table[id] as T]));

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

/** How often some work on a forest looks up a turn: what it costs, however fast the machine is. */
export const lookUps = (forest: Forest, work: (forest: Forest) => void): number => {
  let count = 0;
  const nodes = new Proxy(forest.nodes, {
    get: (table, id) => {
      count += 1;
      return Reflect.get(table, id);
    },
  });
  work({ ...forest, nodes });
  return count;
};
