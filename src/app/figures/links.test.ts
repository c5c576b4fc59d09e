import { expect, test } from 'vitest';
import { type LinkedTurn, linkCounts, threadsOf } from './partitions.ts';

const turn = (parent: LinkedTurn['parent'], placement = 'continue-branch', furtherParents: number[] = []) => ({
  parent,
  placement,
  furtherParents,
});

test('links of several parents, and turns that one alone labelled', () => {
  const one = [turn('new-topic'), turn(0), turn(1, 'continue-branch', [0]), null, turn('elsewhere')];
  const other = [turn('new-topic'), turn(0, 'create-branch'), turn(0), turn(2), turn('new-topic')];
  expect(linkCounts(one, other)).toEqual({ turns: 4, both: 3, one: 5, other: 4, parents: 2, labelled: 1 });
});

test('threads follow the first parent, over gaps', () => {
  expect(threadsOf([turn('new-topic'), turn('new-topic'), turn(0), turn(1, '', [2]), turn('elsewhere')])).toEqual([
    0, 1, 0, 1, 4,
  ]);
  expect(threadsOf([turn('new-topic'), null, turn(1), turn(2)])).toEqual([0, null, 1, 1]);
});
