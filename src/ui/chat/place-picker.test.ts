import fuzzysort from 'fuzzysort';
import { expect, test } from 'vitest';
import { fold, frozen } from '../../domain/apply.ts';
import type { NodeId } from '../../domain/forest.ts';
import { nodeOf } from '../../domain/queries.ts';
import { idsOf, recordsOf } from '../../domain/table.ts';
import { doneInSteps, reopened, resultOf } from '../../domain/testing/plain-forest.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { syntheticLog } from '../../domain/testing/synthetic-forest.ts';
import { PLACE_KEYS, type Places, placeGroups, rowDetail, rowWords, targetOf, turnsFound } from './place-picker.tsx';

/** A trip of three turns in a row, then a garden, which is active. */
const talk = () => {
  const life = new Life();
  const one = life.say(null, 'plan a week in Lisbon');
  const two = life.say(one, 'is Alfama quiet');
  const three = life.say(two, 'day trips to Sintra');
  const garden = life.say(null, 'tomatoes turn yellow');
  const water = life.say(garden, 'I water them daily');
  for (const [nodeId, title] of [
    [one, 'Lisbon week'],
    [garden, 'Yellow tomatoes'],
  ] as const) {
    const { treeId } = nodeOf(life.forest, nodeId);
    life.do({ type: 'record', step: life.id(), event: { type: 'topic-titled', treeId, title, by: 'person' } });
  }
  return { life, ids: { one, two, three, garden, water } };
};

const placesFor = (places: Places, query: string) =>
  placeGroups(places, query, resultOf(turnsFound(places.forest, query)));
const shown = (life: Life, query: string, more: Partial<Places> = {}) =>
  placesFor({ forest: life.forest, target: null, near: new Map(), ...more }, query).flatMap(({ heading, rows }) =>
    rows.map((row) => [heading, row.kind === 'turn' ? `${row.node.number}` : rowWords(row), rowDetail(row)]),
  );
const targetsOf = (life: Life, query: string) =>
  placesFor({ forest: life.forest, target: null, near: new Map() }, query).flatMap(({ rows }) => rows.map(targetOf));
const under = (nodeId: NodeId) => ({ kind: 'under', nodeId, chosen: true });

test('first stand going on here and a new topic, then the other topics, then the turns before', () => {
  const { life } = talk();
  expect(shown(life, '')).toEqual([
    ['The next message', 'Continue here', 'after turn 5'],
    ['The next message', 'New topic', ''],
    ['Other topics', 'Lisbon week', 'after turn 3'],
    ['Earlier in this topic', '4', 'new branch'],
  ]);
});

test('each leads to its place, as the person’s choice', () => {
  const { life, ids } = talk();
  expect(targetsOf(life, '')).toEqual([
    under(ids.water),
    { kind: 'new-topic', chosen: true },
    under(ids.three),
    under(ids.garden),
  ]);
});

test('what is chosen can be left to Coppice again, by one key like the others', () => {
  const { life } = talk();
  const rows = placesFor({ forest: life.forest, target: { kind: 'new-topic' }, near: new Map() }, '')[0]?.rows ?? [];
  expect(rows.map(({ kind }) => PLACE_KEYS[kind])).toEqual(['.', '+', 'Backspace']);
  expect(rows.map(targetOf).at(-1)).toBeNull();
});

test('a few letters find topics by title and turns by message; a number finds its turn first', () => {
  const { life } = talk();
  expect(shown(life, 'lisb').slice(0, 2)).toEqual([
    ['Other topics', 'Lisbon week', 'after turn 3'],
    ['Turns', '1', 'new branch'],
  ]);
  expect(shown(life, 'sintra')).toEqual([['Turns', '3', 'continues']]);
  expect(shown(life, 'turn 2')[0]).toEqual(['Turns', '2', 'new branch']);
  expect(shown(life, 'new')[0]).toEqual(['The next message', 'New topic', '']);
  expect(shown(life, 'zzqx')).toEqual([]);
});

test('in a long conversation turns are found in steps, none of which reads many messages', () => {
  const { forest, reads } = reopened(frozen(fold(syntheticLog(1000, 3))));
  const { result, counts } = doneInSteps(turnsFound(forest, 'the'), () => reads.texts);
  expect(counts.length).toBeGreaterThan(5);
  expect(Math.max(...counts)).toBeLessThan(400);
  const all = recordsOf(forest.nodes).map(({ id, message }) => ({ id, words: message.slice(0, 240) }));
  const best = fuzzysort.go('the', all, { key: 'words', limit: 12, threshold: 0.45 }).map(({ score }) => score);
  const scoreOf = (key: string) =>
    fuzzysort.go(
      'the',
      all.filter(({ id }) => id === key),
      { key: 'words', threshold: 0 },
    )[0]?.score;
  expect(result.map(({ key }) => scoreOf(key))).toEqual(best);
});

test('hidden turns are no places', () => {
  const { life, ids } = talk();
  life.do({ type: 'record', step: life.id(), event: { type: 'turns-hidden', nodeIds: [ids.three], hidden: true } });
  expect(shown(life, 'sintra')).toEqual([]);
});

test('the nearest topics come first where that is known', () => {
  const { life } = talk();
  const third = life.say(null, 'learn the guitar');
  life.say(null, 'something else');
  const near = new Map([
    [nodeOf(life.forest, third).treeId, 0.2],
    [idsOf(life.forest.trees)[0] as string, 0.6],
  ]);
  const topics = shown(life, '', { near }).filter(([heading]) => heading === 'Other topics');
  expect(topics.map(([, , detail]) => detail)).toEqual(['after turn 3', 'after turn 6', 'after turn 5']);
});
