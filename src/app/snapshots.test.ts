import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from '../domain/apply.ts';
import { Life, lives } from '../domain/testing/random-life.ts';
import { Snapshots } from './snapshots.ts';

test('any moment of any log is what folding up to it gives, in any order of asking, while the log grows', () => {
  fc.assert(
    fc.property(
      lives,
      lives,
      fc.array(fc.nat({ max: 5000 }), { minLength: 5, maxLength: 20 }),
      (first, then, asked) => {
        const life = new Life();
        const snapshots = new Snapshots();
        for (const moves of [first, then]) {
          for (const move of moves) life.live(move);
          const entries = [...life.entries];
          for (const at of asked) {
            const count = at % (entries.length + 1);
            expect(snapshots.at(entries, count)).toEqual(fold(entries, count));
          }
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('another log is not mistaken for the one before', () => {
  const snapshots = new Snapshots();
  const [one, other] = [new Life(), new Life()];
  one.say(null, 'one');
  other.say(null, 'other');
  snapshots.at(one.entries, 2);
  expect(Object.values(snapshots.at(other.entries, 2).nodes)[0]?.message).toBe('other');
});
