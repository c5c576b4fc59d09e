import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LongList } from './long-list.ts';

test('whatever is added and replaced, it holds what an array would, and every list before stays what it was', () => {
  const change = fc.record({ at: fc.nat(), item: fc.integer(), many: fc.nat(90), replaces: fc.boolean() });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      let list = LongList.of<number>();
      let plain: readonly number[] = [];
      const kept: { list: LongList<number>; plain: readonly number[] }[] = [];
      for (const { at, item, many, replaces } of changes) {
        const place = at % (plain.length || 1);
        const changed = replaces && plain.length > 0;
        const added = Array.from({ length: many }, (_, i) => item + i);
        list = changed ? list.with(place, item) : list.and(...added);
        plain = changed ? plain.with(place, item) : [...plain, ...added];
        kept.push({ list, plain });
      }
      for (const then of kept) {
        expect([...then.list]).toEqual(then.plain);
        expect(then.list.length).toBe(then.plain.length);
        expect(then.list.at(then.plain.length - 1)).toBe(then.plain.at(-1));
        expect(then.list.at(then.plain.length)).toBeUndefined();
      }
    }),
  );
});

test('it goes on from any list before, past each size at which it grows a level', () => {
  let list = LongList.of<number>();
  for (let i = 0; i < 33_000; i++) list = list.and(i);
  const [one, other] = [list.and(-1), list.and(-2)];
  expect([one.at(33_000), other.at(33_000), list.length]).toEqual([-1, -2, 33_000]);
  for (const at of [0, 31, 32, 1023, 1024, 32_767, 32_768, 32_999]) expect(one.at(at)).toBe(at);
});

test('what is not there cannot be replaced', () => {
  expect(() => LongList.of('a').with(1, 'b')).toThrow('1 is no place in a list of 1');
});
