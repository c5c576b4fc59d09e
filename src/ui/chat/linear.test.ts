import { describe, expect, test } from 'vitest';
import { activePath, nodeOf, pathTo } from '../../domain/queries.ts';
import { crumbsOf, linear } from './linear.ts';
import { forestOf } from './testing/small-forest.ts';

/** Turns as numbers, gaps as words. */
const read = (forest: ReturnType<typeof forestOf>, tip?: string) =>
  linear(forest, tip === undefined ? activePath(forest) : pathTo(forest, tip)).map((item) =>
    item.kind === 'turn'
      ? item.node.number
      : item.kind === 'gap'
        ? item.words
        : `hidden ${item.nodes.map(({ number }) => number)}`,
  );

describe('the path as a conversation', () => {
  test('turns that follow each other have nothing between them', () => {
    expect(read(forestOf([[null], [1], [2]]))).toEqual([1, 2, 3]);
  });

  test('a topic in between is named', () => {
    const forest = forestOf([[null], [1], [null], [3], [2]]);
    expect(read(forest)).toEqual([1, 2, '2 turns on Topic 3 are another topic', 5]);
    expect(linear(forest, activePath(forest))[2]).toMatchObject({ topic: 't3', lastId: 'n4' });
  });

  test('several topics, other branches, and both', () => {
    expect(read(forestOf([[null], [null], [null], [1]]))).toEqual([1, '2 turns are on 2 other topics', 4]);
    expect(read(forestOf([[null], [1], [2], [1]]))).toEqual([1, '2 turns are on another branch', 4]);
    expect(read(forestOf([[null], [1], [null], [1]]))).toEqual([1, '2 turns are on other branches and topics', 4]);
  });

  test('what was before the path and after it counts too', () => {
    expect(read(forestOf([[null], [null]]))).toEqual(['1 turn on Topic 1 is another topic', 2]);
    expect(read(forestOf([[null], [1], [2]]), 'n1')).toEqual([1, '2 later turns go on from here']);
    expect(read(forestOf([[null], [1], [1]]), 'n2')).toEqual([1, 2, '1 later turn is on another branch']);
  });

  test('hidden turns that follow each other are one line', () => {
    const forest = forestOf([[null], [1], [2], [3], [4]]);
    for (const id of ['n2', 'n3', 'n5']) forest.nodes[id] = { ...nodeOf(forest, id), hidden: true };
    expect(read(forest)).toEqual([1, 'hidden 2,3', 4, 'hidden 5']);
  });

  test('an empty forest reads as nothing', () => {
    expect(read(forestOf([]))).toEqual([]);
  });
});

const crumbs = (turns: Parameters<typeof forestOf>[0]) => {
  const forest = forestOf(turns);
  const found = crumbsOf(forest, activePath(forest));
  return found === null ? null : [found.topic.title, found.hidden, ...found.forks.map((node) => node.number)];
};

test('a path reads as its topic and its last forks', () => {
  expect(crumbs([])).toBeNull();
  expect(crumbs([[null], [1]])).toEqual(['Topic 1', 0]);
  expect(crumbs([[null], [1], [1], [3], [3]])).toEqual(['Topic 1', 0, 3, 5]);
  expect(crumbs([[null], [1], [1], [3], [3], [5], [5]])).toEqual(['Topic 1', 1, 5, 7]);
});
