import type { Segment } from '../../../domain/context.ts';
import type { Forest } from '../../../domain/forest.ts';
import type { MemoryThen } from '../../../engine/history/memory-then.ts';
import type { Cell, Recalled } from '../../../engine/memories/memory.ts';
import { counted } from '../../parts/format.ts';
import { groupName, treeName } from './group-words.ts';
import type { Picture, PictureCard } from './picture.ts';
import { type Group, placeGroups } from './place-groups.ts';
import { orderOf, topicsOf } from './topics-of.ts';
import { whyCell } from './why-words.ts';

/**
 * A memory as it was before a turn: each of its cells a card, hanging from the one it hangs from there; without a tree
 * in rows, in the order in which the memory keeps them. What was recalled stands forward. `sent` are the segments of the
 * turn's context, where they are known: not all that was recalled may have had room. `aspect` is the pane's shape.
 */
export const memoryScene = (memory: MemoryThen, sent: readonly Segment[] | null, aspect: number): Picture => {
  const { cells, recall, forest } = memory;
  const groups = groupsOf(memory);
  const cards = cardsOf(memory, sent);
  const there = new Set(cells.map(({ id }) => id));
  return {
    scene: placeGroups(
      groups.map((group) => headed(group, forest)),
      aspect,
    ),
    cards,
    forward: recall.items.flatMap(({ cell }) => (there.has(cell) ? [cell] : [])),
  };
};

interface CellGroup {
  readonly cells: readonly Cell[];
  readonly as: 'tree' | 'rows';
  /** Null where it goes by its topic. */
  readonly title: string | null;
}

/** Trees, and then what stands alone; without any tree, what goes by the same name. */
const groupsOf = ({ cells }: MemoryThen): CellGroup[] => {
  const rootOf = rootsOf(cells);
  const trees = new Map<string, Cell[]>();
  for (const cell of cells) {
    const root = rootOf.get(cell.id) as string;
    const own = trees.get(root);
    if (own === undefined) trees.set(root, [cell]);
    else own.push(cell);
  }
  const all = [...trees.values()];
  const grown = all.filter((own) => own.length > 1);
  if (grown.length === 0) return byName(cells);
  const alone = all.filter((own) => own.length === 1).flat();
  const branching = grown.map((own): CellGroup => ({ cells: own, as: 'tree', title: treeName(own[0]?.name ?? '') }));
  return alone.length === 0 ? branching : [...branching, { cells: alone, as: 'rows', title: 'On their own' }];
};

const byName = (cells: readonly Cell[]): CellGroup[] => {
  const groups = new Map<string, Cell[]>();
  for (const cell of cells) {
    const name = groupName(cell.name);
    const own = groups.get(name);
    if (own === undefined) groups.set(name, [cell]);
    else own.push(cell);
  }
  return [...groups].map(([title, own]) => ({ cells: own, as: 'rows', title }));
};

/** Of each cell the one at its top. Parents come first; a cell whose parent is gone stands at the top itself. */
const rootsOf = (cells: readonly Cell[]): Map<string, string> => {
  const rootOf = new Map<string, string>();
  for (const { id, parent } of cells) rootOf.set(id, parent === null ? id : (rootOf.get(parent) ?? id));
  return rootOf;
};

const headed = ({ cells, as, title }: CellGroup, forest: Forest): Group => {
  const first = cells[0] as Cell;
  const topics = topicsOf(forest, first.from);
  const others = topics.length > 1 ? ` and ${counted(topics.length - 1, 'other')}` : '';
  const named = forest.trees[topics[0] ?? '']?.title ?? first.name;
  return {
    id: `of ${first.id}`,
    title: title ?? `${named}${others}`,
    heading: {
      note: title === null ? counted(first.from.length, 'turn') : counted(cells.length, 'piece'),
      plain: title !== null,
    },
    order: orderOf(forest, first.from),
    pieces: cells,
    as,
  };
};

const cardsOf = (memory: MemoryThen, sent: readonly Segment[] | null): Map<string, PictureCard> => {
  const { cells, recall, forest } = memory;
  const items = new Map<string, Recalled[]>();
  for (const item of recall.items) items.set(item.cell, [...(items.get(item.cell) ?? []), item]);
  const skipped = new Set(recall.skipped);
  const cards = new Map<string, PictureCard>();
  // Parents come first, so what is below a skipped cell finds it skipped.
  const passed = new Set<string>();
  const shared = sharedNames(memory);
  for (const cell of cells) {
    const { id, parent, text, from } = cell;
    const own = items.get(id) ?? [];
    const below = parent !== null && passed.has(parent);
    if (skipped.has(id) || below) passed.add(id);
    const became = whyCell(own, { skipped: skipped.has(id), below, hadRoom: own.some((item) => hadRoom(item, sent)) });
    cards.set(id, {
      id,
      name: called(cell, forest, shared),
      number: numbered(cell, forest),
      words: text,
      from,
      order: orderOf(forest, from),
      ...became,
    });
  }
  return cards;
};

/** Names that stand over a group in its heading, and need not stand on each of its cards. */
const sharedNames = (memory: MemoryThen): ReadonlySet<string> =>
  new Set(
    groupsOf(memory).flatMap(({ cells, title }) => {
      const name = cells[0]?.name ?? '';
      const same = cells.length > 1 && cells.every((cell) => cell.name === name);
      return same && title === groupName(name) ? [name] : [];
    }),
  );

/** A cell's own name, with the turn that it is made of or how many they are, where that does not say it. */
const called = ({ name, from }: Cell, forest: Forest, shared: ReadonlySet<string>): string => {
  const number = from.length === 1 ? forest.nodes[from[0] ?? '']?.number : undefined;
  const turns = number === undefined ? counted(from.length, 'turn') : `turn ${number}`;
  if (shared.has(name) || name === 'turn') return turns;
  return /\bturns?\b/.test(name) ? name : `${name}, ${turns}`;
};

const numbered = ({ from }: Cell, forest: Forest): string => {
  if (from.length !== 1) return from.length === 0 ? '' : `×${from.length}`;
  return String(forest.nodes[from[0] ?? '']?.number ?? '');
};

/** Whether something recalled is in the context; true where that is not known. */
const hadRoom = ({ text }: Recalled, sent: readonly Segment[] | null): boolean =>
  sent === null || sent.some((segment) => segment.kind === 'memory' && segment.text.endsWith(text));
