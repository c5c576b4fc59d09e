import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from '../../domain/apply.ts';
import { Entry } from '../../domain/entry.ts';
import type { Forest } from '../../domain/forest.ts';
import { violations } from '../../domain/invariants.ts';
import { nodeOf } from '../../domain/queries.ts';
import { idsOf, recordsOf } from '../../domain/table.ts';
import { Life, lives } from '../../domain/testing/random-life.ts';
import { bareHost } from '../testing/bare-host.ts';
import { asSorted } from './sort-topics.ts';
import { importTurn, sortedImport, sortIntoTopics } from './testing/engine-life.ts';

const MESSAGES = ['#boat one', 'two', '#code three', 'four', '#boat five'];
const noBreath = async () => undefined;

/** Where everything is. */
const placesIn = ({ nodes, trees, branches, active, turnCount }: Forest) => ({
  nodes: recordsOf(nodes).map(({ id, parentId, treeId, branchId, decision }) => [
    id,
    parentId,
    treeId,
    branchId,
    decision,
  ]),
  trees: recordsOf(trees)
    .map(({ id, rootId, title, titledBy }) => [id, rootId, title, titledBy].join())
    .sort(),
  branches: recordsOf(branches)
    .map(({ id, headId, treeId }) => [id, headId, treeId].join())
    .sort(),
  active: active?.nodeId,
  turnCount,
});

test('a log as sorted places each turn at once where the sorting put it, in a topic of its title', async () => {
  const host = bareHost();
  const [first, second, third, fourth, fifth] = await sortedImport(host, MESSAGES);
  const sorted = await asSorted(host.life.entries, noBreath);
  expect(sorted.map((entry) => Entry.parse(JSON.parse(JSON.stringify(entry))))).toEqual(sorted);
  expect(placesIn(fold(sorted))).toEqual(placesIn(host.life.forest));
  const placed = sorted.flatMap(({ event }) => (event.type === 'turn-placed' ? [event] : []));
  expect(placed.map(({ nodeId, placement }) => [nodeId, placement.parentId])).toEqual([
    [first, null],
    [second, first],
    [third, null],
    [fourth, third],
    [fifth, second],
  ]);
  expect(placed.map(({ decision }) => decision.by)).toEqual(['import', 'engine', 'engine', 'engine', 'engine']);
  const upToThird = fold(
    sorted.slice(
      0,
      sorted.findIndex(({ event }) => 'nodeId' in event && event.nodeId === fourth),
    ),
  );
  const { treeId } = nodeOf(upToThird, third ?? '');
  expect(upToThird.trees[treeId]?.title).toBe(host.life.forest.trees[treeId]?.title);
});

test('a sorting that was undone does not count, and one that came after edits of its turns stays where it is', async () => {
  const undone = bareHost();
  await sortedImport(undone, MESSAGES);
  undone.life.do({ type: 'undo' });
  expect(await asSorted(undone.life.entries, noBreath)).toBe(undone.life.entries);
  undone.life.do({ type: 'redo' });
  expect(await asSorted(undone.life.entries, noBreath)).not.toBe(undone.life.entries);

  const edited = bareHost();
  const first = importTurn(edited.life, null, '#boat one');
  const second = importTurn(edited.life, first, 'two');
  const third = importTurn(edited.life, second, '#code three');
  edited.life.move(third, first);
  importTurn(edited.life, third, '#tent four');
  await sortIntoTopics(edited);
  expect(await asSorted(edited.life.entries, noBreath)).not.toBe(edited.life.entries);
  const another = bareHost();
  const root = importTurn(another.life, null, '#boat one');
  const below = importTurn(another.life, root, '#tent two');
  another.life.do({ type: 'delete', nodeIds: [importTurn(another.life, below, 'three')], alone: false, step: 's' });
  await sortIntoTopics(another);
  expect(nodeOf(another.life.forest, below).parentId).toBeNull();
  expect(await asSorted(another.life.entries, noBreath)).toBe(another.life.entries);
});

test('whatever was done before and after a sorting, everything comes to where it is', async () => {
  let changed = 0;
  await fc.assert(
    fc.asyncProperty(lives, async (moves) => {
      const life = new Life();
      for (const move of moves) life.live(move);
      const sorted = await asSorted(life.entries, noBreath);
      if (sorted !== life.entries) changed += 1;
      const forest = fold(sorted);
      expect(violations(forest)).toEqual([]);
      expect(placesIn(forest)).toEqual(placesIn(life.forest));
      expect(idsOf(forest.pending)).toEqual(idsOf(life.forest.pending));
      expect(await asSorted(sorted, noBreath)).toBe(sorted);
    }),
    { numRuns: 300 },
  );
  expect(changed).toBeGreaterThan(10);
});
