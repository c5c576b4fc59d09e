import { expect, test } from 'vitest';
import type { Context } from '../../../domain/context.ts';
import type { PolicyContext } from '../../../engine/history/compare-contexts.ts';
import { smallForest } from '../testing/small-forest.ts';
import { contextScene } from './context-scene.ts';

// The message is c; q is another topic.
const forest = smallForest({ a: null, q: null, b: 'a', c: 'b' });
const turn = (nodeId: string) => ({ kind: 'turn' as const, nodeId, replyId: null, replyLength: 0, tokens: 1 });

const of = (policy: string, segments: Context['segments']): PolicyContext => ({
  policy,
  sent: false,
  context: { policy, segments, tokens: 1, fullHistoryTokens: 1, unit: 'x' },
  forest,
  withoutSimilarity: null,
});

test('a policy that goes by the forest is drawn as the forest, with what it sends forward', () => {
  const segments: Context['segments'] = [
    { kind: 'turn-summary', nodeId: 'a', text: '', tokens: 1 },
    turn('b'),
    { kind: 'message', nodeId: 'c', tokens: 1 },
  ];
  const { scene, cards, forward } = contextScene(of('context-agent', segments), 1.4);
  expect(scene.layout.trees.map(({ tree }) => tree.ids)).toEqual([['a', 'b', 'c'], ['q']]);
  expect([...cards.values()].map(({ name, strength, note }) => [name, strength, note])).toEqual([
    ['Turn 1', 'quiet', 'summary'],
    ['Turn 2', 'back', 'left out'],
    ['Turn 3', 'forward', 'in full'],
    ['Turn 4', 'forward', 'the message'],
  ]);
  expect(forward).toEqual(['b', 'c']);
});

test('one that knows no tree is drawn as a run of turns in order of time', () => {
  const { scene, cards } = contextScene(of('truncation', [turn('b'), { kind: 'message', nodeId: 'c', tokens: 1 }]), 4);
  expect(scene.layout.trees.map(({ tree }) => tree.ids)).toEqual([['a', 'q', 'b', 'c']]);
  expect(cards.get('q')).toMatchObject({ strength: 'back', order: forest.trees.q?.order });
});
