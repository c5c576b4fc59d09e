import { expect, test } from 'vitest';
import type { Forest } from '../../domain/forest.ts';
import { isAncestor, nodeOf, pathTo, tipOf } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { ForestIndexCache } from '../vectors/forest-index.ts';
import { VectorTable } from '../vectors/vector-table.ts';
import { branchPlaces } from './branch.ts';
import { ComparedMessage } from './compared-message.ts';
import { retrieve, shownPath } from './question-views.ts';

const LONG = 300;
const AXES = 4;

/** A long path with a two-turn fork after every tenth turn. */
const longLife = () => {
  const life = new Life();
  const path: string[] = [];
  const forks: string[] = [];
  for (let i = 0; i < LONG; i++) path.push(life.say(path.at(-1) ?? null));
  for (let i = 10; i < LONG - 10; i += 10) forks.push(life.say(life.say(path[i] as string)));
  return { life, path, forks };
};

const axis = (at: number): Float32Array => Float32Array.from({ length: AXES }, (_, i) => (i === at % AXES ? 1 : 0));

const tableOf = (forest: Forest): VectorTable => {
  const table = new VectorTable(AXES);
  for (const { id, number } of recordsOf(forest.nodes)) table.set(id, axis(number));
  return table;
};

/** A life changes its forest in place; what is cached for a forest relies on it not changing. */
const momentOf = ({ forest }: Life): Forest => structuredClone(forest);

test('places are told as the forest has them, from any turn, with what is kept from message to message', () => {
  const { life, path, forks } = longLife();
  const table = tableOf(life.forest);
  const index = new ForestIndexCache(table);
  const check = (forest: Forest, currentId: string) => {
    const current = nodeOf(forest, currentId);
    const near = new ComparedMessage('', axis(1), table, '', index);
    near.indexOf(forest);
    const places = branchPlaces(forest, current, near, retrieve(forest, current.treeId, near));
    const walked = pathTo(forest, currentId).map(({ id }) => id);
    for (const { action, from, steps, setAside, nearest } of places) {
      const at = walked.indexOf(from.nodeId);
      if (action === 'create-branch') {
        expect(steps).toBe(at < 0 ? null : walked.length - 1 - at);
        expect(steps !== null).toBe(isAncestor(forest, from.nodeId, currentId));
        expect(setAside?.nodeId).toBe(at < 0 ? undefined : walked[at + 1]);
      } else {
        expect(from.node).toBe(tipOf(forest, nodeOf(forest, nearest?.nodeId ?? '')));
      }
    }
    return places.map(({ action, from }) => `${action} ${from.nodeId}`);
  };
  const [root, tip, fork] = [path[0] as string, path.at(-1) as string, forks.at(-1) as string];
  expect(check(momentOf(life), tip)).toContain(`create-branch ${root}`);
  expect(check(momentOf(life), tip)).toContain(`switch-branch ${fork}`);
  for (const id of [root, path[150] as string, ...forks]) check(momentOf(life), id);

  const longer = life.say(fork);
  table.set(longer, axis(0));
  expect(check(momentOf(life), tip)).toContain(`switch-branch ${longer}`);
  life.do({ type: 'undo' });
  const shorter = momentOf(life);
  expect(shorter.nodes[longer]).toBeUndefined();
  expect(check(shorter, tip)).toContain(`switch-branch ${fork}`);
  life.move(fork, path[20] as string);
  check(momentOf(life), tip);
  check(momentOf(life), fork);
});

test('of a very long path a question shows the root and the last turns, a shorter one as it is', () => {
  const { life, path } = longLife();
  const forest = momentOf(life);
  const near = new ComparedMessage('', axis(1), tableOf(forest));
  const shown = (id: string | null) => shownPath(forest, id, near).map(({ nodeId }) => nodeId);
  const last = shown(path.at(-1) as string);
  expect(last[0]).toBe(path[0]);
  expect(last.slice(1)).toEqual(path.slice(1 - last.length));
  expect(last.length).toBeLessThan(LONG);
  expect(shown(path[20] as string)).toEqual(path.slice(0, 21));
  expect(shown(path[0] as string)).toEqual([path[0]]);
  expect(shown(null)).toEqual([]);
});
