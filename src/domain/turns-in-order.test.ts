import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEntries, frozen } from './apply.ts';
import { emptyForest, type Forest } from './forest.ts';
import { recordsOf } from './table.ts';
import { Life, lives } from './testing/random-life.ts';
import {
  pinnedTurns,
  referringTurns,
  runsWithout,
  turnsBefore,
  turnsBeforeAsListed,
  turnsFrom,
  turnsInOrder,
} from './turns-in-order.ts';

const expectAll = (forest: Forest) => {
  const listed = recordsOf(forest.nodes);
  const inOrder = listed.toSorted((a, b) => a.number - b.number);
  const some = inOrder[inOrder.length >> 1]?.number ?? 0;
  // Before all turns are asked for, and after.
  expect(turnsFrom(forest, some, some + 3)).toEqual(
    inOrder.filter(({ number }) => number >= some && number < some + 3),
  );
  expect(turnsInOrder(forest)).toEqual(inOrder);
  expect(pinnedTurns(forest.nodes)).toEqual(listed.filter(({ pinned }) => pinned));
  expect(referringTurns(forest.nodes)).toEqual(listed.filter(({ references }) => references.length > 0));
  const turn = inOrder[inOrder.length >> 1];
  if (turn === undefined) return;
  expect(turnsBefore(forest, turn)).toEqual(inOrder.filter(({ number }) => number < turn.number));
  expect(turnsBeforeAsListed(forest, turn)).toEqual(listed.filter(({ number }) => number < turn.number));
  const before = inOrder.filter(({ number }) => number < turn.number).map(({ number }) => number);
  for (const every of [1, 2, 5, 100]) {
    const without = new Set(before.filter((_, at) => at % every === every - 1));
    const runs = runsWithout(forest, turn, without);
    const numbers = runs.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
    expect(numbers).toEqual(before.filter((number) => !without.has(number)));
    expect(runs.every(([first], at) => at === 0 || first > (runs[at - 1]?.[1] ?? 0) + 1)).toBe(true);
  }
  expect(turnsFrom(forest, turn.number)).toEqual(inOrder.filter(({ number }) => number >= turn.number));
};

test('turns stay in order, and those that are looked for are found, whatever happened since they were last asked for', () => {
  fc.assert(
    fc.property(lives, fc.infiniteStream(fc.nat(5)), (moves, skips) => {
      const life = new Life();
      for (const move of moves) life.live(move);
      let forest = frozen(emptyForest());
      const seen: Forest[] = [];
      for (const entry of life.entries) {
        forest = applyEntries(forest, [entry]);
        // Not after each entry: more may have happened in between. Now and then it goes back to an earlier forest.
        const skip = skips.next().value;
        if (skip > 2) continue;
        seen.push(forest);
        expectAll(forest);
        if (skip === 0) expectAll(seen[seen.length >> 1] as Forest);
      }
    }),
    { numRuns: 150 },
  );
});

test('what is still written to is read as it is', () => {
  const life = new Life();
  const first = life.say(null);
  expectAll(life.forest);
  life.say(first);
  expectAll(life.forest);
});
