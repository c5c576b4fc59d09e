import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { fold } from '../apply.ts';
import { Entry } from '../entry.ts';
import { violations } from '../invariants.ts';
import { idsOf, recordsOf, sizeOf } from '../table.ts';
import { syntheticLog } from './synthetic-forest.ts';

describe('syntheticLog', () => {
  test('folds to a valid forest with as many turns as asked for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 120 }), fc.integer(), (turns, seed) => {
        const forest = fold(syntheticLog(turns, seed));
        expect(violations(forest)).toEqual([]);
        expect(idsOf(forest.nodes)).toHaveLength(turns);
      }),
      { numRuns: 60 },
    );
  });

  test('passes the schema of the log, without gaps', () => {
    const log = syntheticLog(40, 1);
    expect(z.parse(z.array(Entry), log)).toEqual(log);
    expect(log.map((entry) => entry.seq)).toEqual(log.map((_, index) => index + 1));
  });

  test('is the same for the same seed, and a longer log starts with the shorter', () => {
    const short = syntheticLog(50, 3);
    expect(syntheticLog(80, 3).slice(0, short.length)).toEqual(short);
    expect(syntheticLog(50, 4)).not.toEqual(short);
  });

  test('has topics, forks and returns', () => {
    const forest = fold(syntheticLog(300, 1));
    const decisions = recordsOf(forest.nodes).map((node) => node.decision);
    expect(sizeOf(forest.trees)).toBeGreaterThan(10);
    expect(decisions.some((decision) => decision.topic === 'switch-topic')).toBe(true);
    expect(decisions.some((decision) => decision.branch === 'create-branch')).toBe(true);
    expect(decisions.some((decision) => decision.branch === 'switch-branch')).toBe(true);
  });
});
