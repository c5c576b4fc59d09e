import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Blocks, copyOf, grown, longList } from './long-list.ts';

const SOME = fc.array(fc.nat(), { maxLength: 30 });

/** Read in blocks of three, of which two stay cached; made of objects, which are created anew at each read. */
const sourceOf = (numbers: readonly number[]) => {
  const ends: number[] = [];
  for (let end = 0; end < numbers.length; ) {
    end = Math.min(numbers.length, end + 3);
    ends.push(end);
  }
  return new Blocks(ends, (block) => numbers.slice(3 * block, 3 * block + 3).map((number) => ({ number })), 2);
};

const boxed = (numbers: readonly number[]) => numbers.map((number) => ({ number }));

test('to who reads it, it is an array', () => {
  fc.assert(
    fc.property(SOME, SOME, SOME, fc.integer({ min: -40, max: 90 }), fc.integer({ min: -40, max: 90 }), (...given) => {
      const [old, newer, added, from, to] = given;
      const plain = boxed([...old, ...newer]);
      const long = longList(sourceOf(old), boxed(newer));
      expect(long).toEqual(plain);
      expect(Array.isArray(long)).toBe(true);
      expect([...long]).toEqual(plain);
      expect(long.length).toBe(plain.length);
      expect(long.at(from)).toEqual(plain.at(from));
      expect(long[from]).toEqual(plain[from]);
      expect(long.slice(from, to)).toEqual(plain.slice(from, to));
      expect(long.findLastIndex(({ number }) => number % 3 === 0)).toBe(
        plain.findLastIndex(({ number }) => number % 3 === 0),
      );
      expect([...long.entries()]).toEqual([...plain.entries()]);
      expect(long.toReversed()).toEqual(plain.toReversed());
      expect(long.concat(boxed(added))).toEqual(plain.concat(boxed(added)));
      expect(JSON.stringify(long)).toBe(JSON.stringify(plain));
      expect(grown(long, boxed(added))).toEqual([...plain, ...boxed(added)]);
      expect(long).toEqual(plain);
      expect(long[0]).toBe(long[0]);
    }),
  );
});

test('a copy is written to as any array, and what it was copied from stays', () => {
  const change = fc.oneof(
    fc.record({ kind: fc.constant('push' as const), value: fc.nat() }),
    fc.record({ kind: fc.constant('pop' as const), value: fc.nat() }),
    fc.record({ kind: fc.constant('last' as const), value: fc.nat() }),
    fc.record({ kind: fc.constant('length' as const), value: fc.nat({ max: 3 }) }),
  );
  fc.assert(
    fc.property(SOME, SOME, fc.array(change, { maxLength: 60 }), (old, newer, changes) => {
      const plain = boxed([...old, ...newer]);
      const before = longList(sourceOf(old), boxed(newer));
      const long = copyOf(before);
      const same = [...plain];
      for (const { kind, value } of changes) {
        if (kind === 'push') expect(long.push({ number: value })).toBe(same.push({ number: value }));
        if (kind === 'pop') expect(long.pop()).toEqual(same.pop());
        if (kind === 'last' && same.length > 0) {
          long[long.length - 1] = { number: value };
          same[same.length - 1] = { number: value };
        }
        if (kind === 'length') {
          long.length = Math.max(0, long.length - value);
          same.length = Math.max(0, same.length - value);
        }
        expect(long).toEqual(same);
      }
      expect(before).toEqual(plain);
    }),
  );
});

test('along the list each block is read once', () => {
  const read: number[] = [];
  const blocks = new Blocks(
    [3, 6, 9],
    (block) => {
      read.push(block);
      return [0, 1, 2].map((at) => 3 * block + at);
    },
    2,
  );
  expect([...longList(blocks, [9])]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(read).toEqual([0, 1, 2]);
});
