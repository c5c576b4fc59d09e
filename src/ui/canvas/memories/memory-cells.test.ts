import { expect, test } from 'vitest';
import type { RoleState } from '../../../app/model-control.ts';
import { readyRoles } from '../../../app/testing/plain-app.ts';
import type { MemoryAtTurn } from '../../../engine/context/policy.ts';
import { NO_COST } from '../../../engine/text/token-cache.ts';
import { smallForest } from '../testing/small-forest.ts';
import {
  aboveRecalled,
  isTree,
  memoryBefore,
  memoryModels,
  memoryRows,
  openCells,
  recalledRows,
} from './policy-structure.tsx';

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

test('what was recalled is a list of its own, wherever it stands in the tree', () => {
  const recalling = { ...tree, recall: { items: [item('b', 0.9), item('a11', 0.7)], skipped: [] } };
  expect(recalledRows(recalling)).toMatchObject([
    { cell: { id: 'a11' }, level: 1, open: null, place: 1, siblings: 2 },
    { cell: { id: 'b' }, level: 1, open: null, place: 2, siblings: 2 },
  ]);
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

test('what a later turn recalls is seen, too, and what a person has folded stays so', () => {
  const many = Array.from({ length: 60 }, (_, at) => cell(`c${at}`, null));
  const large = { ...tree, cells: [...tree.cells, ...many] };
  const later = { ...large, recall: { items: [item('b1', 0.9)], skipped: [] } };
  expect([...openCells(large, new Map())]).toEqual(['a1', 'a']);
  expect([...openCells(later, new Map())]).toEqual(['b']);
  const own = new Map([
    ['a', false],
    ['b', true],
  ]);
  expect([...openCells(later, own)]).toEqual(['a']);
  expect(openCells(tree, own).has('b')).toBe(false);
});

test('a memory that was made for a turn that is not there is not shown under another', () => {
  const forest = smallForest({ a: null, b: 'a' });
  const [a, b] = [forest.nodes.a, forest.nodes.b];
  if (a === undefined || b === undefined) throw new Error('no turns');
  expect(memoryBefore(forest, b, { of: 'a', memory: 'what went wrong' })).toEqual({
    before: a,
    memory: 'what went wrong',
  });
  expect(memoryBefore(forest, b, { of: 'gone', memory: 'what went wrong' })).toEqual({ before: b, memory: null });
});

test('another summariser or embedder makes another memory, once it is ready or lost; a loading or busy one does not', () => {
  const by = (role: 'summarise' | 'embed' | 'decide', change: Partial<RoleState>) =>
    memoryModels({ models: { ...readyRoles, [role]: { ...readyRoles[role], ...change } } });
  const before = memoryModels({ models: readyRoles });
  for (const role of ['summarise', 'embed'] as const) {
    expect(by(role, { name: 'Qwen', state: 'loading' })).toBe(before);
    const ready = by(role, { name: 'Qwen', answering: 'Qwen' });
    expect(ready).not.toBe(before);
    expect(by(role, { name: 'Qwen', answering: 'Qwen', state: 'busy' })).toBe(ready);
    expect(by(role, { name: 'Qwen', state: 'failed' })).toBe(before);
  }
  expect(by('decide', { name: 'Qwen', answering: 'Qwen' })).toBe(before);
});
