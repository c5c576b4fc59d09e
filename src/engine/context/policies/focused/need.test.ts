import { expect, test } from 'vitest';
import type { Node } from '../../../../domain/forest.ts';
import { pathTo } from '../../../../domain/queries.ts';
import { recordsOf } from '../../../../domain/table.ts';
import { bareHost } from '../../../testing/bare-host.ts';
import type { RetrievedTurn } from '../../policy.ts';
import { type NeedEvidence, needFeaturesOf, needsByModel, needsByRule, withFarRecall, withRetrieved } from './need.ts';

const known = async (...messages: string[]): Promise<NeedEvidence & { readonly turns: readonly Node[] }> => {
  const host = bareHost();
  for (const message of messages) await host.send(message);
  const { forest } = host.life;
  const turns = recordsOf(forest.nodes);
  const node = turns.at(-1) as Node;
  return { forest, node, turns, before: pathTo(forest, node.id).slice(0, -1), retrieved: [], chances: new Map() };
};

const hit = (node: Node, score: number): RetrievedTurn => ({
  nodeId: node.id,
  score,
  lexical: score,
  vector: null,
  rareShared: ['zanzibar'],
  passages: [{ part: 'reply', from: 0, to: 5, score }],
});

const at = <T>(items: readonly T[], index: number): T => items.at(index) as T;

for (const [name, needsOf] of [
  ['the rule', needsByRule],
  ['the fitted model', needsByModel],
] as const) {
  test(`by ${name} the last reply is needed most, and what is off the path hardly without evidence`, async () => {
    const of = await known('#a one', '#b two', 'three', 'four', 'five');
    const needs = needsOf(of);
    const reply = (turn: number) => needs.of(at(of.turns, turn).id).reply;
    expect(reply(3)).toBeGreaterThan(reply(2));
    expect(reply(2)).toBeGreaterThan(reply(0));
    expect(reply(0)).toBeLessThan(0.1);
    expect(needs.of(at(of.turns, 3).id).why).toContainEqual({ reason: 'last-exchange' });
  });

  test(`by ${name} nothing is the last exchange of a topic that the message opens`, async () => {
    const of = await known('#a one', '#b two');
    const first = at(of.turns, 0);
    const needs = needsOf({ ...of, retrieved: [hit(first, 0.9)] });
    expect(needs.of(first.id).why.map(({ reason }) => reason)).toEqual(['same-words']);
  });

  test(`by ${name} words in common and a doubt add to need, and say so`, async () => {
    const of = await known('#a one', '#b two', 'three');
    const first = at(of.turns, 0);
    const plain = needsOf(of).of(first.id).reply;
    const found = needsOf({ ...of, retrieved: [hit(first, 0.9)] }).of(first.id);
    expect(found.reply).toBeGreaterThan(plain);
    expect(found.why).toContainEqual({ reason: 'same-words', words: ['zanzibar'] });
    const doubted = needsOf({
      ...of,
      chances: new Map([
        [first.id, 0.6],
        [at(of.turns, 1).id, 0.4],
      ]),
    }).of(first.id);
    expect(doubted.reply).toBeGreaterThan(plain);
    expect(doubted.why).toContainEqual({ reason: 'unsure' });
  });
}

test.each(['?', '？', '؟'])('a turn that ends with %s asks', async (mark) => {
  const of = await known(`#a one${mark}`, 'two');
  expect(needFeaturesOf(of)(at(of.turns, 0), 'message')).toMatchObject({ asks: 1 });
});

test('the path is gone through a few times for a message, and not again for each of its turns', async () => {
  const of = await known(...Array.from({ length: 40 }, (_, i) => (i === 0 ? '#a one' : `turn ${i}`)));
  let looked = 0;
  const before = new Proxy(of.before, {
    get: (path, key, receiver) => {
      if (typeof key === 'string' && /^\d+$/.test(key)) looked += 1;
      return Reflect.get(path, key, receiver);
    },
  });
  const retrieved = of.before.map((node) => hit(node, 0.5));
  const needs = needsByModel({ ...of, before, retrieved });
  expect([...needs.ids].map(needs.of)).toEqual([...needs.ids].map(needsByModel({ ...of, retrieved }).of));
  expect(looked).toBeLessThan(6 * of.before.length);
});

test('where a budget is there to be filled, what is found counts for more', async () => {
  const of = await known('#a one', '#b two', 'three');
  const first = at(of.turns, 0);
  const found = { ...of, retrieved: [hit(first, 0.9)] };
  const needs = needsByRule(found);
  expect(withRetrieved(needs, found).of(first.id).reply).toBeGreaterThan(needs.of(first.id).reply);
});

test('the longer the history, the more is needed of what lies far back and says the same; a short one leaves need as it is', async () => {
  const of = await known('#a one', '#b two', 'three');
  const evidence = { ...of, retrieved: [hit(at(of.turns, 0), 0.7)] };
  const needs = needsByModel(evidence);
  const replyIn = (tokens: number) => withFarRecall(needs, evidence, tokens).of(at(of.turns, 0).id).reply;
  expect(replyIn(500)).toBe(needs.of(at(of.turns, 0).id).reply);
  expect(replyIn(10_000)).toBeGreaterThan(replyIn(500));
  expect(replyIn(100_000)).toBeGreaterThan(replyIn(10_000));
  const notFound = at(of.turns, 1).id;
  expect(withFarRecall(needs, evidence, 100_000).of(notFound).reply).toBeCloseTo(needs.of(notFound).reply);
});
