import type { Remembered } from '../../engine/context/policy.ts';
import type { Cell, Recalled } from '../../engine/memories/memory.ts';

/** A cell where it stands in what is shown of its memory. */
export interface MemoryRow {
  readonly cell: Cell;
  /** Counts from 1. */
  readonly level: number;
  /** null where nothing hangs from it. */
  readonly open: boolean | null;
  /** What was recalled of it for the turn. */
  readonly recalled: Recalled | null;
  /** It was passed over with all below it. */
  readonly skipped: boolean;
  /** Its place among its siblings, from 1, and how many they are. */
  readonly place: number;
  readonly siblings: number;
}

/** Whether some hang from others. */
export const isTree = ({ cells }: Remembered): boolean => cells.some(({ parent }) => parent !== null);

/** The cells above those that were recalled: opened, they show these. */
export const aboveRecalled = ({ cells, recall }: Remembered): Set<string> => {
  const parents = new Map(cells.map(({ id, parent }) => [id, parent]));
  const above = new Set<string>();
  for (const { cell } of recall.items) {
    for (let at = parents.get(cell) ?? null; at !== null && !above.has(at); at = parents.get(at) ?? null) above.add(at);
  }
  return above;
};

/** The rows that are seen, from the top; below a cell only where it is open. */
export const memoryRows = ({ cells, recall }: Remembered, open: ReadonlySet<string>): MemoryRow[] => {
  const there = new Set(cells.map(({ id }) => id));
  const below = new Map<string | null, Cell[]>();
  for (const cell of cells) {
    const parent = cell.parent !== null && there.has(cell.parent) ? cell.parent : null;
    const own = below.get(parent);
    if (own === undefined) below.set(parent, [cell]);
    else own.push(cell);
  }
  const recalled = new Map(recall.items.map((item) => [item.cell, item]));
  const skipped = new Set(recall.skipped);
  const under = (parent: string | null, level: number): MemoryRow[] =>
    (below.get(parent) ?? []).flatMap((cell, at, siblings) => {
      const isOpen = below.has(cell.id) ? open.has(cell.id) : null;
      const row: MemoryRow = {
        cell,
        level,
        open: isOpen,
        recalled: recalled.get(cell.id) ?? null,
        skipped: skipped.has(cell.id),
        place: at + 1,
        siblings: siblings.length,
      };
      return isOpen === true ? [row, ...under(cell.id, level + 1)] : [row];
    });
  return under(null, 1);
};
