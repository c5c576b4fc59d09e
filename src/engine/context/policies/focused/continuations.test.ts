import { expect, test } from 'vitest';
import type { Node } from '../../../../domain/forest.ts';
import { nodeOf } from '../../../../domain/queries.ts';
import { recordsOf } from '../../../../domain/table.ts';
import { bareHost } from '../../../testing/bare-host.ts';
import { tagDecider } from '../../../testing/plain-models.ts';
import { type Continuations, chancesOf, continuationFeatures, continuationsOf } from './continuations.ts';

/** Decides by tags with confidence 0.7, and gives 0.2 to continuing the active topic. */
const unsure = () => {
  const tags = tagDecider();
  return {
    ...tags,
    topic: async (...asked: Parameters<typeof tags.topic>) => {
      const answer = await tags.topic(...asked);
      const active = asked[0].topics.find((topic) => topic.active)?.treeId ?? null;
      const goesOn = { action: 'continue-topic' as const, target: active, confidence: 0.2 };
      return { ...answer, confidence: 0.7, alternatives: answer.action === 'continue-topic' ? [] : [goesOn] };
    },
  };
};

const conversation = async (...messages: string[]) => {
  const host = bareHost({ decide: unsure() });
  for (const message of messages) await host.send(message);
  const { forest } = host.life;
  const last = recordsOf(forest.nodes).at(-1) as Node;
  return { host, forest, last, continuations: continuationsOf(forest, last) };
};

const messagesOf = (continuations: Continuations | null) => continuations?.turns.map(({ node }) => node.message);

test('a message may go on from the turns of the topic it was put in and of the one that was active', async () => {
  const { continuations } = await conversation('#a one', 'two', '#b three', '#c four', '#b five');
  expect(messagesOf(continuations)).toEqual(['#b three', '#c four']);
  const [there, here] = continuations?.turns ?? [];
  expect(there).toMatchObject({ isTip: true, steps: 0, here: false, topicChance: 0.7 });
  expect(here).toMatchObject({ isTip: true, here: true, topicChance: 0.2 });
});

test('of a topic, its tip and what is above it are known', async () => {
  const { continuations } = await conversation('#a one', 'two', 'three', '#b four');
  expect(continuations?.turns.map(({ node, isTip, steps }) => [node.message, isTip, steps])).toEqual([
    ['#a one', false, 2],
    ['two', false, 1],
    ['three', true, 0],
  ]);
  expect(continuations?.newTopicChance).toBe(0.7);
});

test('a turn is weighed as when it was sent, whatever followed it since', async () => {
  const { host, last, continuations } = await conversation('#a one', 'two', '#b three', '#a four');
  for (let turn = 0; turn < 20; turn++) await host.send(turn % 2 === 0 ? `#a turn ${turn}` : `#b turn ${turn}`);
  const later = continuationsOf(host.life.forest, nodeOf(host.life.forest, last.id));
  expect(messagesOf(continuations)).toEqual(['#a one', 'two', '#b three']);
  expect(later).toEqual({
    ...continuations,
    turns: continuations?.turns.map((turn) => ({ ...turn, node: nodeOf(host.life.forest, turn.node.id) })),
  });
});

test('nothing is doubted that the person said, or has spoken of since, or of which no alternatives are told', async () => {
  const { host, last } = await conversation('#a one', '#b two');
  host.life.do({ type: 'confirm', nodeId: last.id, at: 0, step: 'right' });
  expect(continuationsOf(host.life.forest, nodeOf(host.life.forest, last.id))).toBeNull();
  expect(continuationsOf(host.life.forest, { ...last, decision: { ...last.decision, by: 'person' } })).toBeNull();
  const plain = bareHost();
  const id = await plain.send('#a one');
  expect(continuationsOf(plain.life.forest, nodeOf(plain.life.forest, id))).toBeNull();
});

test('a topic that is surely new begins with nothing from elsewhere', async () => {
  const { forest, last } = await conversation('#a one', '#b two');
  const { trace } = last.decision;
  const sure = (confidence: number) => {
    const topic = { ...trace?.topic, answer: { ...trace?.topic.answer, confidence } };
    return { ...last, decision: { ...last.decision, trace: { ...trace, topic } } } as Node;
  };
  expect(messagesOf(continuationsOf(forest, sure(0.9)))).toEqual(['#a one']);
  expect(continuationsOf(forest, sure(0.95))).toBeNull();
});

const chancesFor = async (message: string, nearReply: (node: Node) => number | null = () => null) => {
  const { forest, continuations } = await conversation('#a zanzibar', '#b lemons', '#c three');
  const all = continuations as Continuations;
  const near = () => 0.1;
  const features = continuationFeatures(message, all, near, (id) => nearReply(nodeOf(forest, id)));
  const chances = chancesOf(features);
  return Object.fromEntries(all.turns.map(({ node }, at) => [node.message, chances[at] as number]));
};

test('chances add up to 1 with that of a new topic, and rise with words in common and with a near reply', async () => {
  const { continuations } = await conversation('#a zanzibar', '#b lemons', '#c three');
  const features = continuationFeatures(
    'so',
    continuations as Continuations,
    () => null,
    () => null,
  );
  expect(chancesOf(features)).toHaveLength((continuations?.turns.length ?? 0) + 1);
  expect(chancesOf(features).reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9);

  const plain = (await chancesFor('and the other one'))['#b lemons'] as number;
  expect((await chancesFor('and the lemons'))['#b lemons']).toBeGreaterThan(plain);
  const byReply = await chancesFor('and the other one', ({ message }) => (message === '#b lemons' ? 0.8 : 0.1));
  expect(byReply['#b lemons']).toBeGreaterThan(plain);
});

test('where nothing is compared, words do not speak either', async () => {
  const { continuations } = await conversation('#a zanzibar', '#b lemons');
  const of = (message: string) =>
    continuationFeatures(
      message,
      continuations as Continuations,
      () => null,
      () => null,
    );
  expect(of('zanzibar')[0]).toEqual(of('lemons')[0]);
});
