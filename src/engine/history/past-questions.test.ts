import { expect, test } from 'vitest';
import { fold } from '../../domain/apply.ts';
import { nodeOf } from '../../domain/queries.ts';
import type { Embedder } from '../ports.ts';
import { bareHost } from '../testing/bare-host.ts';
import { bagEmbedder } from '../testing/plain-models.ts';
import { importTurn, sortedImport, sortIntoTopics } from './testing/engine-life.ts';

test('a turn’s questions are those of when it was decided, whatever has changed since', async () => {
  const host = bareHost();
  const first = await host.send('#trip by train');
  const second = await host.send('hotels');
  const other = await host.send('#code in python');
  await host.send('#trip and then');
  host.life.move(second, other);

  const questions = await host.engine.questionsAbout(host.life.entries, other, first);
  expect(questions?.topic.question.message).toBe('#code in python');
  expect(questions?.topic.question.topics.map(({ title }) => title)).toEqual(['#trip by train']);
  expect(questions?.topic.question.path.map(({ nodeId }) => nodeId)).toEqual([first, second]);
  expect(questions?.topic.target).toBe(questions?.topic.question.topics[0]?.treeId);
});

test('hidden turns are in no question, as when it was decided; a hidden parent is the turn shown in its place', async () => {
  const host = bareHost();
  const first = await host.send('#trip by train');
  const hidden = await host.send('hotels');
  host.life.do({ type: 'record', step: 's', event: { type: 'turns-hidden', nodeIds: [hidden], hidden: true } });
  const third = await host.send('museums');
  const questions = await host.engine.questionsAbout(host.life.entries, third, hidden);
  expect(questions?.topic.question.path.map(({ nodeId }) => nodeId)).toEqual([first]);
  expect(questions?.topic.target).toBe(nodeOf(host.life.forest, first).treeId);
});

test('to open a topic was one answer, to go on in one another', async () => {
  const host = bareHost();
  const first = await host.send('#trip by train');
  const second = await host.send('hotels');
  expect((await host.engine.questionsAbout(host.life.entries, second, null))?.topic.target).toBeNull();
  expect(await host.engine.questionsAbout(host.life.entries, second, null)).toMatchObject({ branch: null });
  const stayed = await host.engine.questionsAbout(host.life.entries, second, first);
  expect(stayed?.topic.question.topics[0]?.active).toBe(true);
  expect(stayed?.topic.target).toBe(stayed?.topic.question.topics[0]?.treeId);
});

test('the branch is asked about within the topic that the person names', async () => {
  const host = bareHost();
  const first = await host.send('#trip sea coast boat island');
  await host.send('train hotels');
  await host.send('museums');
  const fork = await host.send('sea coast boat instead');
  const questions = await host.engine.questionsAbout(host.life.entries, fork, first);
  expect(questions?.branch).toMatchObject({ parentId: first, question: { forkPoint: { nodeId: first } } });
});

test('a place that the person chose beforehand answers what the decider would have been asked', async () => {
  const host = bareHost();
  const first = await host.send('#trip by train');
  await host.send('#code in python');
  const chosen = await host.send('hotels', undefined, { kind: 'under', nodeId: first, chosen: true });
  const { label, decision } = nodeOf(host.life.forest, chosen);
  expect(decision).toMatchObject({ by: 'person', topic: 'switch-topic' });
  expect(label).toMatchObject({ person: { parentId: first }, beforehand: true });
  expect(label?.engine.parentId).not.toBe(first);
  const questions = await host.engine.questionsAbout(host.life.entries, chosen, first);
  expect(questions?.topic.target).toBe(nodeOf(host.life.forest, first).treeId);
  expect(questions?.topic.question.topics.map(({ active }) => active)).toEqual([false, true]);
});

test('a place that followed from what the person did is no label, and teaches nothing', async () => {
  const host = bareHost();
  const first = await host.send('#trip by train');
  await host.send('#code in python');
  const gone = await host.send('hotels', undefined, { kind: 'under', nodeId: first });
  expect(nodeOf(host.life.forest, gone).label).toBeNull();
  expect(await host.engine.questionsAbout(host.life.entries, gone, first)).toBeNull();
});

test('a turn of a conversation that is not open any more is compared with its own', async () => {
  const { life, send } = bareHost();
  const first = await send('#trip by train');
  const second = await send('hotels');
  const entries = [...life.entries];
  await send('from elsewhere');
  const texts: string[] = [];
  const embed: Embedder = {
    ...bagEmbedder,
    embed: (given) => {
      texts.push(...given);
      return bagEmbedder.embed(given);
    },
  };
  const { engine } = bareHost({ embed }, {}, life);
  const before = (count: number) => fold(entries, count);
  expect(await engine.questionsAbout(entries, second, first, before, fold(entries))).not.toBeNull();
  expect(texts.join()).toContain('#trip by train');
  expect(texts.join()).not.toContain('elsewhere');
});

test('there is nothing to learn where nothing was decided, or the place was not there yet', async () => {
  const host = bareHost();
  const first = await host.send('#trip one');
  const second = await host.send('two');
  expect(await host.engine.questionsAbout(host.life.entries, first, null)).toBeNull();
  expect(await host.engine.questionsAbout(host.life.entries, first, second)).toBeNull();
  expect(await host.engine.questionsAbout(host.life.entries, 'nobody', null)).toBeNull();
});

test('of an import that was sorted into topics, the questions are about these', async () => {
  const host = bareHost();
  const [first = '', second = '', third = '', , fifth = ''] = await sortedImport(host, [
    '#boat one',
    'two',
    '#code three',
    'four',
    '#boat five',
  ]);
  host.life.do({ type: 'confirm', nodeId: fifth, at: 0, step: 's' });
  const { forest } = host.life;
  const asked = await host.engine.questionsAbout(host.life.entries, fifth, second);
  expect(asked?.topic.target).toBe(nodeOf(forest, first).treeId);
  const active = asked?.topic.question.topics.filter((topic) => topic.active).map(({ treeId }) => treeId);
  expect(active).toEqual([nodeOf(forest, third).treeId]);
  host.life.do({ type: 'undo' });
  host.life.do({ type: 'undo' });
  const unsorted = await host.engine.questionsAbout(host.life.entries, fifth, second);
  expect(unsorted?.topic.question.topics).toHaveLength(1);
});

test('a sorted turn was asked about with its own path alone; where that cannot be told any more, nothing is learned', async () => {
  const host = bareHost();
  const { life, engine } = host;
  const first = importTurn(life, null, '#boat one');
  const second = importTurn(life, first, 'two');
  const edited = importTurn(life, first, 'two, edited');
  const third = importTurn(life, second, '#code three');
  const fourth = importTurn(life, third, '#boat four');
  await sortIntoTopics(host);
  const asked = await engine.questionsAbout(life.entries, fourth, second);
  const [boat] = asked?.topic.question.topics.filter(({ treeId }) => treeId === asked.topic.target) ?? [];
  expect(boat?.turns.map(({ id }) => id)).toEqual([first, second]);
  expect(await engine.questionsAbout(life.entries, fourth, edited)).toBeNull();

  const another = bareHost();
  const root = importTurn(another.life, null, '#boat one');
  const below = importTurn(another.life, root, '#tent two');
  another.life.do({ type: 'delete', nodeIds: [importTurn(another.life, below, 'three')], alone: false, step: 's' });
  await sortIntoTopics(another);
  expect(await another.engine.questionsAbout(another.life.entries, below, null)).toBeNull();
});
