import { describe, expect, test } from 'vitest';
import type { Context, Overview } from '../../domain/context.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { type Standing, standingOf, standingsOf } from './standing.ts';
import { smallForest } from './testing/small-forest.ts';

// The active turn is c: a, b, c.
const forest = smallForest({ a: null, p: null, q: null, b: 'a', c: 'b' });

const turn = (nodeId: string, more: object = {}) => ({
  kind: 'turn' as const,
  nodeId,
  replyId: null,
  replyLength: 0,
  tokens: 1,
  ...more,
});
const message = { kind: 'message' as const, nodeId: 'c', tokens: 1 };

const answeredFrom = (segments: Context['segments'], lines: Overview['lines'] = []): Forest => {
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
  const node: Node = { ...(forest.nodes.c as Node), replies: [reply], replyId: 'r' };
  return { ...forest, nodes: { ...forest.nodes, c: node }, overviews: { o: { id: 'o', branchId: 'b-a', lines } } };
};

const inWords = (of: Forest): Record<string, Standing> => {
  const standings = standingsOf(of);
  return Object.fromEntries(Object.keys(of.nodes).map((id) => [id, standingOf(of, standings, id)]));
};

describe('standings', () => {
  test('before any context is known, what is off the path is not set further back', () => {
    expect(inWords(forest)).toEqual({ a: 'full', b: 'full', c: 'full', p: 'summary', q: 'summary' });
  });
  test('follow the overview that was sent', () => {
    const lines = [{ kind: 'topic' as const, treeId: 'p', nodeIds: ['p'], text: '', tokens: 1 }];
    const sent = answeredFrom([{ kind: 'overview', overviewId: 'o', tokens: 1 }, turn('a'), turn('b'), message], lines);
    expect(inWords(sent)).toEqual({ a: 'full', b: 'full', c: 'full', p: 'summary', q: 'left-out' });
  });
  test('a turn of another topic that was sent in full (pinned, referred to, unsure) is in the context', () => {
    const sent = answeredFrom([turn('q', { unsure: true }), turn('a'), turn('b'), message]);
    expect(inWords(sent)).toMatchObject({ q: 'full', p: 'left-out' });
  });
  test('the oldest turns of a long path are summaries, or not there at all', () => {
    const summary = { kind: 'turn-summary' as const, nodeId: 'b', text: '', tokens: 1 };
    const sent = answeredFrom([{ kind: 'path-left-out', turns: 1, text: '', tokens: 1 }, summary, message]);
    expect(inWords(sent)).toMatchObject({ a: 'left-out', b: 'summary', c: 'full' });
    expect(standingsOf(sent).path).toEqual(new Set(['a', 'b', 'c']));
  });
  test('a policy without a tree sends what came last, wherever it hangs', () => {
    const sent = answeredFrom([turn('q'), turn('b'), message]);
    expect(inWords(sent)).toEqual({ a: 'left-out', b: 'full', c: 'full', p: 'left-out', q: 'full' });
  });
  test('a hidden turn is hidden, though it was sent before', () => {
    const sent = answeredFrom([turn('a'), turn('b'), message]);
    const b = { ...(sent.nodes.b as Node), hidden: true };
    expect(inWords({ ...sent, nodes: { ...sent.nodes, b } }).b).toBe('hidden');
  });
  test('an empty forest has none', () => {
    expect(standingsOf(smallForest({}))).toEqual({ path: new Set(), full: new Set(), summarised: null });
  });
});
