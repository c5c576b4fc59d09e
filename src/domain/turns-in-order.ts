import { byNumber, type Forest, type Node } from './forest.ts';
import { placeWhere } from './long-list.ts';
import { recordsOf, type Table, writtenIds } from './table.ts';

/*
 * Queries over all turns that run for every message. If the forest continues from the one queried last, only the
 * changes since then are examined.
 */

let last: { readonly nodes: Table<Node>; readonly turns: readonly Node[]; readonly asListed: boolean } | null = null;

/** All turns in chronological order. */
export const turnsInOrder = ({ nodes }: Pick<Forest, 'nodes'>): readonly Node[] => inOrder(nodes).turns;

const inOrder = (nodes: Table<Node>): NonNullable<typeof last> => {
  const written = last === null ? null : writtenIds(last.nodes, nodes);
  if (last !== null && last.nodes === nodes && written !== null) return last;
  const listed = recordsOf(nodes);
  // New and restored turns are listed last; a number never changes.
  const from = last?.asListed === true && written !== null ? Math.max(1, listed.length - written.size) : 1;
  let asListed = true;
  for (let at = from; at < listed.length && asListed; at++) {
    asListed = (listed[at - 1] as Node).number <= (listed[at] as Node).number;
  }
  last = { nodes, asListed, turns: asListed ? listed : listed.toSorted(byNumber) };
  return last;
};

/** Turns sent before a turn, whatever their topic, in chronological order. */
export const turnsBefore = (forest: Pick<Forest, 'nodes'>, { number }: Node): Node[] => {
  const turns = turnsInOrder(forest);
  return turns.slice(0, placeOf(turns, number));
};

/** The same in insertion order: a turn that was deleted and restored comes last. */
export const turnsBeforeAsListed = (forest: Pick<Forest, 'nodes'>, turn: Node): Node[] =>
  inOrder(forest.nodes).asListed
    ? turnsBefore(forest, turn)
    : recordsOf(forest.nodes).filter(({ number }) => number < turn.number);

/**
 * Turns from `number` up to but excluding `end`, in chronological order. The cost depends on what is found and on what
 * changed since all turns were last listed, not on the total.
 */
export const turnsFrom = ({ nodes }: Pick<Forest, 'nodes'>, number: number, end = Number.POSITIVE_INFINITY): Node[] => {
  const written = last === null ? null : writtenIds(last.nodes, nodes);
  const { turns } = last === null || written === null ? inOrder(nodes) : last;
  const known = turns.slice(placeOf(turns, number), placeOf(turns, end));
  if (written === null || written.size === 0) return known;
  const now = [...written]
    .flatMap((id) => nodes[id] ?? [])
    .filter((node) => node.number >= number && node.number < end);
  return [...known.filter(({ id }) => !written.has(id)), ...now].sort(byNumber);
};

/** How many of the given turns, in chronological order, have a smaller number. */
export const placeOf = (turns: readonly Node[], number: number): number =>
  placeWhere(0, turns.length, (at) => (turns[at] as Node).number < number);

/**
 * The numbers of the turns sent before a turn, except some, as runs of first and last. The cost depends on what is left
 * out, not on the total.
 */
export const runsWithout = (
  forest: Pick<Forest, 'nodes'>,
  { number: end }: Node,
  without: ReadonlySet<number>,
): [first: number, last: number][] => {
  const turns = turnsInOrder(forest);
  const runs: [number, number][] = [];
  const addRuns = (from: number, to: number): void => {
    if (from >= to) return;
    const [first, last] = [(turns[from] as Node).number, (turns[to - 1] as Node).number];
    if (last - first === to - 1 - from) {
      const run = runs.at(-1);
      if (run !== undefined && first === run[1] + 1) run[1] = last;
      else runs.push([first, last]);
      return;
    }
    // Numbers in between are missing because turns are gone.
    const middle = (from + to) >> 1;
    addRuns(from, middle);
    addRuns(middle, to);
  };
  let from = 0;
  for (const number of [...without].filter((one) => one < end).sort((a, b) => a - b)) {
    const place = placeOf(turns, number);
    addRuns(from, place);
    from = turns[place]?.number === number ? place + 1 : place;
  }
  addRuns(from, placeOf(turns, end));
  return runs;
};

/** Filters the records of a table, in insertion order; efficient if only a few of them pass. */
const keptFilter = <T>(passes: (record: T) => boolean): ((table: Table<T>) => readonly T[]) => {
  let known: { readonly of: Table<T>; readonly found: readonly T[] } | null = null;
  return (table) => {
    const was = known?.of;
    const written = was === undefined ? null : writtenIds(was, table);
    const isOne = (record: T | undefined): boolean => record !== undefined && passes(record);
    const stays = written !== null && ![...written].some((id) => isOne(was?.[id]) || isOne(table[id]));
    const found = known !== null && stays ? known.found : recordsOf(table).filter(passes);
    known = { of: table, found };
    return found;
  };
};

/** Turns that the person wants in every context. */
export const pinnedTurns: (nodes: Forest['nodes']) => readonly Node[] = keptFilter(({ pinned }: Node) => pinned);

/** Turns that need something from off their path. */
export const referringTurns: (nodes: Forest['nodes']) => readonly Node[] = keptFilter(
  ({ references }: Node) => references.length > 0,
);
