import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { commonPrefix, PrefixCache, requestText } from './prefix-cache.ts';

test('a common prefix ends where the texts differ', () => {
  const text = fc.string({ maxLength: 40 });
  fc.assert(
    fc.property(text, text, text, (begin, one, other) => {
      const length = commonPrefix(begin + one, begin + other);
      expect(length).toBeGreaterThanOrEqual(begin.length);
      expect((begin + one).slice(0, length)).toBe((begin + other).slice(0, length));
      const [next, after] = [(begin + one)[length], (begin + other)[length]];
      expect(next === undefined || after === undefined || next !== after).toBe(true);
    }),
  );
});

const request = (...contents: string[]) =>
  requestText(
    contents.map((content, at) => ({
      role: at === 0 ? ('system' as const) : at % 2 === 1 ? ('user' as const) : ('assistant' as const),
      content,
    })),
  );

test('a plain chat reads only the new message: the reply is in the cache already', () => {
  const cache = new PrefixCache(1);
  expect(cache.keptBy(request('S', 'a'))).toBeNull();
  cache.hold(request('S', 'a'), 'b');
  const next = request('S', 'a', 'b', 'c');
  expect(cache.keptBy(next)).toBe(1);
  expect(cache.prefixOf(next)).toBe(request('S', 'a', 'b').length);
});

test('a change at the front loses what stands behind it; a cache of several finds an older request again', () => {
  const [one, two] = [new PrefixCache(1), new PrefixCache(2)];
  const before = request('S', 'long enough to matter');
  for (const cache of [one, two]) {
    cache.hold(before, null);
    cache.hold(request('T', 'another'), null);
  }
  expect(one.prefixOf(before)).toBe(commonPrefix(request('T'), request('S')));
  expect(two.prefixOf(before)).toBe(before.length);
  two.hold('x', null);
  two.hold('y', null);
  expect(two.prefixOf(before)).toBe(0);
});
