import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Forest, Node } from '../../domain/forest.ts';
import { isAncestor, nodesOf } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { lookUps } from '../../domain/testing/plain-forest.ts';
import { Life, lives } from '../../domain/testing/random-life.ts';
import { correctionTargets } from './correction-menu.tsx';
import { decision, forestOf, tracedTo } from './testing/small-forest.ts';

const targetsOf = (forest: Forest, number: number) => {
  const found = correctionTargets(forest, forest.nodes[`n${number}`] as Node);
  return {
    ...found,
    here: found.here?.number ?? null,
    forks: found.forks.map((fork) => fork.node.number),
    topics: found.topics.map((tree) => tree.title),
  };
};

describe('where a turn can be moved', () => {
  test('"here" is the turn that was active when it was sent', () => {
    expect(targetsOf(forestOf([[null], [1], [null]]), 3).here).toBe(2);
    expect(targetsOf(forestOf([[null], [1], [2]]), 3).here).toBeNull();
  });

  test('the trace says which topic was active, where it is known', () => {
    const branch = tracedTo(decision('continue-topic', 'create-branch'), 'n1', 0.7);
    expect(targetsOf(forestOf([[null], [1], [null], [1, branch]]), 4).here).toBe(2);
  });

  test('retrieved turns come first, then the newest; never its own family or parent', () => {
    const branch = tracedTo(decision('continue-topic', 'create-branch'), 'n1', 0.7);
    const forest = forestOf([[null], [1], [2], [2, branch], [4]]);
    expect(targetsOf(forest, 4).forks).toEqual([1, 3]);
  });

  test('other topics, the most recent first; a root cannot become a new topic again', () => {
    const forest = forestOf([[null], [null], [null], [1]]);
    expect(targetsOf(forest, 3)).toMatchObject({ newTopic: false, topics: ['Topic 1', 'Topic 2'] });
  });

  test('under any turn of the topic that is neither in its family nor its parent', () => {
    fc.assert(
      fc.property(lives, (moves) => {
        const life = new Life();
        for (const move of moves) life.live(move);
        const { forest } = life;
        for (const node of recordsOf(forest.nodes)) {
          const { here, forks } = correctionTargets(forest, node);
          const isPossible = ({ id }: Node) =>
            id !== node.id && id !== node.parentId && !isAncestor(forest, node.id, id);
          expect(here === null || isPossible(here)).toBe(true);
          const before = recordsOf(forest.nodes).filter(({ number }) => number < node.number);
          const topicId = before.sort((a, b) => a.number - b.number).at(-1)?.treeId ?? node.treeId;
          const expected = nodesOf(forest, topicId).filter(isPossible).reverse();
          expect(forks.map((fork) => fork.node.id)).toEqual(expected.map(({ id }) => id));
        }
      }),
      { numRuns: 150 },
    );
  });

  test('each turn of a long topic is passed a few times, not once for every other', () => {
    const forest = forestOf(Array.from({ length: 500 }, (_, at) => [at === 0 ? null : at]));
    const targets = (counted: Forest) => correctionTargets(counted, forest.nodes.n250 as Node);
    expect(targets(forest).forks).toHaveLength(248);
    expect(lookUps(forest, targets)).toBeLessThan(3000);
  });
});
