import { describe, expect, test } from 'vitest';
import type { Forest, Node } from '../../domain/forest.ts';
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
});
