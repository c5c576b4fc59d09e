import { expect, test } from 'vitest';
import type { MemoryAtTurn } from '../../../engine/context/policy.ts';
import { NO_COST } from '../../../engine/text/token-cache.ts';
import { aboveRecalled, isTree, memoryRows } from './policy-structure.tsx';

const cell = (id: string, parent: string | null) => ({ id, parent, name: id, text: id, from: [] });
const item = (of: string, score: number | null) => ({ cell: of, name: of, text: of, from: [], score });

const tree: MemoryAtTurn = {
  cells: [cell('a', null), cell('a1', 'a'), cell('a11', 'a1'), cell('b', null), cell('b1', 'b')],
  recall: { items: [item('a11', 0.7)], skipped: ['b'] },
  cost: NO_COST,
};

test('what was recalled is seen at once, and what is folded is not', () => {
  const rows = memoryRows(tree, aboveRecalled(tree));
  expect(rows.map(({ cell: { id }, level, open }) => [id, level, open])).toEqual([
    ['a', 1, true],
    ['a1', 2, true],
    ['a11', 3, null],
    ['b', 1, false],
  ]);
  expect(rows[2]?.recalled?.score).toBe(0.7);
  expect(rows[3]).toMatchObject({ skipped: true, recalled: null, place: 2, siblings: 2 });
  expect(isTree(tree)).toBe(true);
});

test('slots are a list, and a cell whose parent is gone stands at the top', () => {
  const slots: MemoryAtTurn = {
    cells: [cell('s1', null), cell('s2', null)],
    recall: { items: [item('s2', null)] },
    cost: NO_COST,
  };
  expect(isTree(slots)).toBe(false);
  expect(memoryRows(slots, new Set()).map(({ recalled }) => recalled !== null)).toEqual([false, true]);
  const torn: MemoryAtTurn = { cells: [cell('x', 'nobody')], recall: { items: [item('nobody', 1)] }, cost: NO_COST };
  expect(memoryRows(torn, aboveRecalled(torn)).map(({ level }) => level)).toEqual([1]);
});
