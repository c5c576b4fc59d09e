import { describe, expect, test } from 'vitest';
import type { Context } from '../../domain/context.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { standingOf, standingsOf } from './standing.ts';
import { smallForest } from './testing/small-forest.ts';

const forest = smallForest({ a: null, p: null, q: null, b: 'a' });

const withContext = (): Forest => {
  const segments: Context['segments'] = [{ kind: 'overview', overviewId: 'o', tokens: 1 }];
  const context: Context = { policy: 'x', segments, tokens: 1, fullHistoryTokens: 1, unit: 'x' };
  const reply = {
    id: 'r',
    text: '',
    state: 'done',
    model: 'x',
    at: 0,
    failure: null,
    context,
    timings: [],
    usage: null,
  } as const;
  const node: Node = { ...(forest.nodes.b as Node), replies: [reply], replyId: 'r' };
  const lines = [{ kind: 'topic' as const, treeId: 'p', nodeIds: ['p'], text: '', tokens: 1 }];
  return {
    ...forest,
    nodes: { ...forest.nodes, b: node },
    overviews: { o: { id: 'o', branchId: 'b-a', lines } },
  };
};

describe('standings', () => {
  test('before any context is known, what is off the path is not set further back', () => {
    const standings = standingsOf(forest);
    expect(['a', 'b', 'p', 'q'].map((id) => standingOf(standings, id))).toEqual(['path', 'path', 'summary', 'summary']);
  });
  test('follow the overview that was sent', () => {
    const standings = standingsOf(withContext());
    expect(['a', 'b', 'p', 'q'].map((id) => standingOf(standings, id))).toEqual([
      'path',
      'path',
      'summary',
      'left-out',
    ]);
  });
  test('an empty forest has none', () => {
    expect(standingsOf(smallForest({}))).toEqual({ path: new Set(), summarised: null });
  });
});
