import { expect, test } from 'vitest';
import { summarisedHistory } from './summarised-history.ts';
import { handTools, saidAt } from './testing/hand-tools.ts';

test('all but the newest two turns are in one summary, which is revised turn by turn', async () => {
  const { tools, condensed } = handTools('x');
  let history = summarisedHistory.empty;
  for (const [i, message] of ['a', 'b', 'c', 'd'].entries())
    history = await summarisedHistory.take(history, saidAt(i + 1, message), tools);
  expect(condensed.map(({ texts }) => texts)).toEqual([['User: a'], ['User: a', 'User: b']]);
  const query = { number: 5, at: 0, message: 'e', vector: new Float32Array() };
  expect((await summarisedHistory.recall(history, query, tools)).items).toEqual([
    { cell: 'summary', name: 'summary', text: 'User: a+User: b', from: ['t1', 't2'], score: null },
    { cell: 't3', name: 'turn 3', text: 'User: c', from: ['t3'], score: null, whole: true },
    { cell: 't4', name: 'turn 4', text: 'User: d', from: ['t4'], score: null, whole: true },
  ]);
});
