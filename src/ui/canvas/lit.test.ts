import { expect, test } from 'vitest';
import { litBy } from './lit.ts';

test('what a decision looked at is lit: the turns by their similarity, the fork point, the topic it went to', () => {
  const lit = litBy({
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
