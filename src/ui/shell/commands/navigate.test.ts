import fc from 'fast-check';
import { expect, test } from 'vitest';
import { initialState } from '../../../app/state.ts';
import { fold } from '../../../domain/apply.ts';
import { idsOf } from '../../../domain/table.ts';
import { lookUps } from '../../../domain/testing/plain-forest.ts';
import { Life, lives } from '../../../domain/testing/random-life.ts';
import type { Command } from '../../commands/command.ts';
import { turnCommands } from './chat-commands.ts';
import { goCommands, nextFork, previousFork, rootFrom, sibling, tipFrom } from './go-commands.ts';

/** 1 ─ 2 ─ 3 ─ 4, with 5 ─ 6 forked from 2, and 7 as its own topic. */
const small = () => {
  const life = new Life();
  const one = life.say(null);
  const two = life.say(one);
  const three = life.say(two);
  const four = life.say(three);
  const five = life.say(two);
  const six = life.say(five);
  const seven = life.say(null);
  return { forest: life.forest, one, two, three, four, five, six, seven };
};

test('forks are gone to up and down the branch', () => {
  const { forest, one, two, four, six } = small();
  expect(nextFork(forest, one)).toBe(two);
  expect(nextFork(forest, two)).toBeNull();
  expect(previousFork(forest, four)).toBe(two);
  expect(previousFork(forest, six)).toBe(two);
  expect(previousFork(forest, two)).toBeNull();
});

test('the sibling is that of the nearest turn above which has one; topics stand beside each other', () => {
  const { forest, one, three, four, five, six, seven } = small();
  expect(sibling(forest, four, 1)).toBe(five);
  expect(sibling(forest, six, -1)).toBe(three);
  expect(sibling(forest, six, 1)).toBeNull();
  expect(sibling(forest, one, 1)).toBe(seven);
  expect(sibling(forest, seven, -1)).toBe(one);
  expect(sibling(forest, seven, 1)).toBeNull();
});

test('root and tip are the ends of the topic and of the branch', () => {
  const { forest, one, three, four, five, six } = small();
  expect(rootFrom(forest, six)).toBe(one);
  expect(rootFrom(forest, one)).toBeNull();
  expect(tipFrom(forest, three)).toBe(four);
  expect(tipFrom(forest, five)).toBe(six);
  expect(tipFrom(forest, four)).toBeNull();
});

test('in any forest every way leads to another turn that is there', () => {
  fc.assert(
    fc.property(lives, (moves) => {
      const life = new Life();
      for (const move of moves) life.live(move);
      const { forest } = life;
      for (const id in forest.nodes) {
        for (const to of [
          previousFork(forest, id),
          nextFork(forest, id),
          sibling(forest, id, 1),
          sibling(forest, id, -1),
          rootFrom(forest, id),
          tipFrom(forest, id),
        ]) {
          if (to !== null) expect(forest.nodes[to] !== undefined && to !== id).toBe(true);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('what is done with everything below hundreds of turns passes each of them a few times', () => {
  const life = new Life();
  const first = life.say(null);
  for (let at = 1, id = first; at < 500; at++) id = life.say(id);
  const start = initialState({} as never, 'memory');
  const all = idsOf(life.forest.nodes);
  const session = { ...start.session, selectedId: first, selection: all };
  for (const command of ['select-under', 'hide-all'] as const) {
    let meant: readonly string[] = [];
    const take = (ids: readonly string[]) => {
      meant = ids;
    };
    const actions = { selectMany: take, hideTurns: take } as never;
    const { run } = [...goCommands, ...turnCommands].find(({ id }) => id === command) as Command;
    const cost = lookUps(life.forest, (forest) => run({ actions, state: () => ({ ...start, forest, session }) }));
    expect(meant).toEqual(all);
    expect(cost).toBeLessThan(10 * all.length);
  }
});

test('at a moment that does not have the selected turn yet, one goes from the active turn of then', () => {
  const life = new Life();
  const one = life.say(null);
  life.say(one);
  const past = { count: life.entries.length, forest: fold(life.entries) };
  const three = life.say(life.say(one));
  const start = initialState({} as never, 'memory');
  const state = {
    ...start,
    phase: 'ready' as const,
    forest: life.forest,
    session: { ...start.session, selectedId: three, selection: [three] },
  };
  const refusal = (command: string, past: typeof start.past) =>
    goCommands.find(({ id }) => id === command)?.unless?.({ ...state, past });
  expect(refusal('root', null)).toBeNull();
  expect(refusal('root', past)).toBeNull();
  expect(refusal('tip', past)).toContain('last turn');
});
