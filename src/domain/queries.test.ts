import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { conversationTitle, endOf, isAncestor, nodeOf, outermost } from './queries.ts';
import { idsOf } from './table.ts';
import { lookUps } from './testing/plain-forest.ts';
import { Life, lives } from './testing/random-life.ts';

test('a conversation that is named after a message is not named after half an emoji', () => {
  const life = new Life();
  life.send(`${'x'.repeat(59)}😀 and so on`);
  expect(conversationTitle(life.forest)).toBe('x'.repeat(59));
});

test('a branch is gone on with from its last turn that is not hidden', () => {
  const life = new Life();
  const first = life.say(null);
  const second = life.say(first);
  const third = life.say(second);
  const hide = (nodeId: string, hidden: boolean) => {
    const event = { type: 'turns-hidden' as const, nodeIds: [nodeId], hidden };
    return life.do({ type: 'record', event, step: life.id() });
  };
  const ends = () => [first, second, third].map((id) => endOf(life.forest, nodeOf(life.forest, id)).id);
  expect(ends()).toEqual([third, third, third]);
  hide(third, true);
  expect(ends()).toEqual([second, second, third]);
  hide(first, true);
  hide(second, true);
  expect(ends()).toEqual([first, second, third]);
  hide(third, false);
  expect(ends()).toEqual([third, third, third]);
});

test('of any turns chosen, in any order, the outermost are those below none of the others', () => {
  fc.assert(
    fc.property(lives, fc.array(fc.nat(), { maxLength: 30 }), (moves, picks) => {
      const life = new Life();
      for (const move of moves) life.live(move);
      const there = idsOf(life.forest.nodes);
      // Also turns that were deleted meanwhile, and some twice.
      const chosen = picks.map((pick) => there[pick % (there.length + 2)] ?? 'gone');
      const isThere = (id: string) => life.forest.nodes[id] !== undefined;
      const isBelow = (id: string) => chosen.some((other) => isThere(other) && isAncestor(life.forest, other, id));
      expect(outermost(life.forest, chosen)).toEqual(chosen.filter((id) => isThere(id) && !isBelow(id)));
    }),
    { numRuns: 300 },
  );
});

test('of thousands of turns, the outermost are found by passing each turn once', () => {
  const life = new Life();
  let parentId: string | null = null;
  for (let number = 0; number < 1000; number++) {
    // Topics of a hundred turns.
    parentId = life.say(number % 100 === 0 ? null : parentId);
  }
  const chosen = idsOf(life.forest.nodes).filter((_, at) => at % 100 >= 50);
  const few = chosen.filter((_, at) => at % 50 === 0);
  expect(outermost(life.forest, chosen)).toEqual(few);
  expect(lookUps(life.forest, (forest) => outermost(forest, chosen))).toBeLessThanOrEqual(2000);
});
