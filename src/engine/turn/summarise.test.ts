import { expect, test } from 'vitest';
import type { SummaryInput } from '../ports.ts';
import { bareHost } from '../testing/bare-host.ts';
import { firstWords, gate } from '../testing/plain-models.ts';

test('a summariser is told the digest of the turn that a turn goes on from, whatever came between', async () => {
  const asked: SummaryInput[] = [];
  const summarise = {
    ...firstWords,
    summarise: async (turn: SummaryInput) => {
      asked.push(turn);
      return firstWords.summarise(turn);
    },
  };
  const host = bareHost({ summarise });
  for (const message of ['#trip one', '#code two', '#trip three']) await host.send(message);
  expect(asked.map(({ message, before }) => [message, before])).toEqual([
    ['#trip one', undefined],
    ['#code two', undefined],
    ['#trip three', 'The user said: #trip one'],
  ]);
});

test('a turn that is hidden again while another is summarised reaches no model, and none is summarised twice', async () => {
  const asked: string[] = [];
  const begun = gate();
  const goOn = gate();
  const summarise = {
    ...firstWords,
    summarise: async (turn: SummaryInput) => {
      asked.push(turn.message);
      begun.open();
      await goOn.opened;
      return firstWords.summarise(turn);
    },
  };
  const { life, engine } = bareHost({ summarise });
  const [one, two, three] = ['one', 'two', 'three'].map((message) => life.say(null, message));
  const hide = (hidden: boolean, ...nodeIds: (string | undefined)[]) =>
    life.do({
      type: 'record',
      step: life.id(),
      event: { type: 'turns-hidden', nodeIds: nodeIds.filter((id) => id !== undefined), hidden },
    });
  hide(true, one, two, three);
  const before = { ...life.forest, nodes: { ...life.forest.nodes } };
  hide(false, one, two, three);
  const all = [engine.catchUp(new AbortController().signal), engine.catchUpSince(before as typeof life.forest)];
  await begun.opened;
  hide(true, two);
  goOn.open();
  await Promise.all(all);
  expect(asked).toEqual(['one', 'three']);
});

test('a turn without a summary is summarised once it is no longer hidden', async () => {
  const { life, engine } = bareHost();
  const id = life.say(null, 'door code 4711');
  const hide = (hidden: boolean) =>
    life.do({ type: 'record', step: life.id(), event: { type: 'turns-hidden', nodeIds: [id], hidden } });
  const signal = new AbortController().signal;
  hide(true);
  await engine.catchUp(signal);
  expect(life.forest.nodes[id]?.summary).toBeNull();
  hide(false);
  await engine.catchUp(signal);
  expect(life.forest.nodes[id]?.summary?.text).toBe('The user said: door code 4711');
});
