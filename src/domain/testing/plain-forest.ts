import type { Forest } from '../forest.ts';
import type { Source } from '../long-list.ts';
import { type Rows, restoredForest, storableForest } from '../stored-forest.ts';
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

/** The result of work that is done in steps. */
export const resultOf = <T>(steps: Iterator<unknown, T>): T => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

/** A forest as it is once stored and opened again, how often a row of each kind has been read since, and which texts. */
export const reopened = (forest: Forest) => {
  const { head, rows } = resultOf(storableForest(forest));
  const reads = { texts: 0, details: 0, overviews: 0, steps: 0 };
  const textsRead = new Set<number>();
  const counting = <T>(kind: keyof Rows, source: Source<T>): Source<T> => {
    const all = Array.from({ length: source.length }, (_, row) => source.at(row));
    const at = (row: number): T => {
      reads[kind] += 1;
      if (kind === 'texts') textsRead.add(row);
      return all[row] as T;
    };
    return { length: all.length, at };
  };
  const counted: Rows = {
    texts: counting('texts', rows.texts),
    details: counting('details', rows.details),
    overviews: counting('overviews', rows.overviews),
    steps: counting('steps', rows.steps),
  };
  return { forest: resultOf(restoredForest(head, counted)), reads, textsRead };
};

/** The same, and by how much each of the steps has raised a count. */
export const doneInSteps = <T>(steps: Iterator<unknown, T>, count: () => number): { result: T; counts: number[] } => {
  const counts: number[] = [];
  for (let before = count(); ; before = count()) {
    const step = steps.next();
    counts.push(count() - before);
    if (step.done) return { result: step.value, counts };
  }
};
