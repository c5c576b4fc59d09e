import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold, frozen } from '../../domain/apply.ts';
import type { Context, Overview } from '../../domain/context.ts';
import type { Target } from '../../domain/decision.ts';
import type { Forest, Node, PendingTurn } from '../../domain/forest.ts';
import { replyOf } from '../../domain/queries.ts';
import { changedNode } from '../../domain/stored-forest.ts';
import { idsOf, recordsOf, withRecord } from '../../domain/table.ts';
import { doneInSteps, reopened, resultOf } from '../../domain/testing/plain-forest.ts';
import { syntheticLog } from '../../domain/testing/synthetic-forest.ts';
import { nearestIds } from './find-cards.ts';
import { boxOf, cardOf, layoutForest } from './layout.ts';
import {
  type ContextState,
  coloursOf,
  drawnReferences,
  ghostOf,
  highlightOf,
  mostTokens,
  standingOf,
  standingsOf,
} from './scene.ts';
import { madeUpForest, smallForest } from './testing/small-forest.ts';

// The active turn is c, so the path is a, b, c.
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

const inWords = (of: Forest): Record<string, ContextState> => {
  const standings = standingsOf(of);
  return Object.fromEntries(idsOf(of.nodes).map((id) => [id, standingOf(of, standings, id)]));
};

test('turns are read once to be coloured by tokens, in steps, and drawing reads none', () => {
  const { forest: long, reads } = reopened(frozen(fold(syntheticLog(500, 3))));
  const standings = standingsOf(long);
  reads.details = 0;
  const { result: most, counts } = doneInSteps(mostTokens(long), () => reads.details);
  expect(Math.max(...counts)).toBeLessThan(100);
  const tokensOf = (node: Node) => replyOf(node)?.context?.tokens ?? 0;
  const all = recordsOf(long.nodes).map((node) => ({ id: node.id, tokens: tokensOf(node) }));
  expect(most).toBe(Math.max(...all.map(({ tokens }) => tokens)));
  expect(most).toBeGreaterThan(0);

  reads.details = 0;
  const colours = coloursOf(long, standings, 'tokens', most);
  const ofTokens = (tokens: number) => colours.of(all.find((one) => one.tokens === tokens)?.id ?? '', 0);
  for (const { id, tokens } of all) expect(colours.of(id, 0)).toBe(ofTokens(tokens));
  expect(ofTokens(most)).toBe(ofTokens(0) + 4);
  const sample = all.find(({ tokens }) => tokens > 0.4 * most && tokens < 0.6 * most);
  expect(sample && colours.of(sample.id, 0)).toBe(ofTokens(0) + 2);

  // A turn that has changed is all that is read again.
  const [first] = recordsOf(long.nodes);
  const changed = withRecord(long.nodes, first?.id ?? '', changedNode(first as Node, { pinned: true }));
  expect(resultOf(mostTokens({ ...long, nodes: changed }))).toBe(most);
  expect(reads.details).toBeLessThanOrEqual(1);
});

describe('standings', () => {
  test('before any context is known, what is off the path is not set further back', () => {
    expect(inWords(forest)).toEqual({ a: 'full', b: 'full', c: 'full', p: 'summary', q: 'summary' });
  });
  test('follow the overview that was sent', () => {
    const lines = [{ kind: 'topic' as const, treeId: 'p', nodeIds: ['p'], text: '', tokens: 1 }];
    const sent = answeredFrom([{ kind: 'overview', overviewId: 'o', tokens: 1 }, turn('a'), turn('b'), message], lines);
    expect(inWords(sent)).toEqual({ a: 'full', b: 'full', c: 'full', p: 'summary', q: 'left-out' });
  });
  test('a turn that a line of the overview only counts is not in the context', () => {
    const line = { kind: 'topic' as const, treeId: 'p', nodeIds: ['p', 'q'], text: '', tokens: 1 };
    const overview = { kind: 'overview' as const, overviewId: 'o', tokens: 1 };
    const sent = (listed: object) => inWords(answeredFrom([overview, message], [{ ...line, ...listed }]));
    expect(sent({ listed: ['q'] })).toMatchObject({ p: 'left-out', q: 'summary' });
    // As stored by older versions, or where all are listed.
    expect(sent({})).toMatchObject({ p: 'summary', q: 'summary' });
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

test('what a decision looked at is lit: the turns by their similarity, the fork point, the topic it went to', () => {
  const lit = highlightOf({
    topic: { rule: 'asked', answer: null, target: 'tree', candidates: [] },
    fork: {
      theta: 0.6,
      point: 'b',
      candidates: [
        { nodeId: 'a', similarity: 0.2 },
        { nodeId: 'b', similarity: 0.7 },
      ],
    },
  });
  expect([...lit.near]).toEqual([
    ['a', 0.2],
    ['b', 0.7],
  ]);
  expect(lit).toMatchObject({ point: 'b', target: 'tree' });
});

const plain = smallForest({ r: null, a: 'r', b: 'a', x: null });
const x = { ...(plain.nodes.x as Node), references: [{ to: 'b', as: 'path', by: 'person' }] } as Node;
const referring: Forest = { ...plain, nodes: { ...plain.nodes, x } };
const ends = (collapsed: string[], near: string[] | null = null) =>
  drawnReferences(
    referring,
    layoutForest(referring, null, { collapsed: new Set(collapsed), near: near === null ? null : new Set(near) }),
  ).map(({ from, to }) => [from, to]);

test('a reference goes from card to card, or to the card that its end is folded into', () => {
  expect(ends([])).toEqual([['x', 'b']]);
  expect(ends(['r'])).toEqual([['x', 'r']]);
});

test('nothing is drawn to a topic that is not shown', () => {
  expect(ends([], ['x'])).toEqual([]);
});

const waiting = (target: Target | null): PendingTurn => ({
  id: 'x',
  number: 9,
  message: 'Well?',
  at: 0,
  step: 's',
  given: null,
  target,
});

describe('ghostOf', () => {
  test('waits right under an active tip', () => {
    const forest = smallForest({ a: null, b: 'a' });
    const layout = layoutForest(forest, null);
    const tip = cardOf(layout, forest.nodes.b);
    if (tip === null) throw new Error('the tip has no card');
    const { box, from } = ghostOf(forest, layout, waiting(null));
    expect(from).toEqual(boxOf(tip));
    expect(box.x).toBe(boxOf(tip).x);
    expect(box.y).toBeGreaterThan(boxOf(tip).y);
  });
  test('waits under the card that the active turn, or the one to continue from, is folded into', () => {
    const forest = smallForest({ x: null, y: 'x', r: null, a: 'r', b: 'a', z: null });
    const active = { treeId: 'r', branchId: 'b-r', nodeId: 'b' };
    const layout = layoutForest(forest, null, { collapsed: new Set(['r', 'x']), near: null });
    const cardFor = (id: string) => {
      const card = cardOf(layout, forest.nodes[id]);
      return card === null ? null : boxOf(card);
    };
    expect(cardFor('b')).toBeNull();
    const { box, from } = ghostOf({ ...forest, active }, layout, waiting(null));
    expect(from).toEqual(cardFor('r'));
    expect(box.x).toBe(from?.x);
    const { from: chosen } = ghostOf({ ...forest, active }, layout, waiting({ kind: 'under', nodeId: 'y' }));
    expect(chosen).toEqual(cardFor('x'));
  });
  test('waits beside the last topic where it is to open one', () => {
    const forest = smallForest({ a: null, b: 'a' });
    const layout = layoutForest(forest, null);
    const { box, from } = ghostOf(forest, layout, waiting({ kind: 'new-topic' }));
    expect(from).toBeNull();
    expect(box.x).toBeGreaterThan(layout.width);
  });
  test('has a place in an empty forest', () => {
    const forest = smallForest({});
    expect(ghostOf(forest, layoutForest(forest, null), waiting(null)).from).toBeNull();
  });
  test('never lies on a card', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer(), fc.nat(), (turns, seed, at) => {
        const forest = madeUpForest(turns, seed);
        const layout = layoutForest(forest, null);
        const { box } = ghostOf(forest, layout, waiting({ kind: 'under', nodeId: `n${(at % turns) + 1}` }));
        expect(nearestIds(layout, box, 1)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
