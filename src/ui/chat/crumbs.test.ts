import { expect, test } from 'vitest';
import { activePath } from '../../domain/queries.ts';
import { crumbsOf } from './crumbs.ts';
import { forestOf } from './testing/small-forest.ts';

const read = (turns: Parameters<typeof forestOf>[0]) => {
  const forest = forestOf(turns);
  const crumbs = crumbsOf(forest, activePath(forest));
  return crumbs === null ? null : [crumbs.topic.title, crumbs.hidden, ...crumbs.forks.map((node) => node.number)];
};

test('a path reads as its topic and its last forks', () => {
  expect(read([])).toBeNull();
  expect(read([[null], [1]])).toEqual(['Topic 1', 0]);
  expect(read([[null], [1], [1], [3], [3]])).toEqual(['Topic 1', 0, 3, 5]);
  expect(read([[null], [1], [1], [3], [3], [5], [5]])).toEqual(['Topic 1', 1, 5, 7]);
});
