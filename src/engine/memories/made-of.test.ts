import { expect, test } from 'vitest';
import { type ItemSources, sourceTurns } from './memory.ts';

test('turns stand in the order of the texts that they came by, each once', () => {
  const a = { turn: 'a', before: [] };
  const b = { turn: 'b', before: [a] };
  const c = { turn: 'c', before: [a] };
  expect(sourceTurns({ turn: 'd', before: [c, b] })).toEqual(['a', 'c', 'b', 'd']);
  expect(sourceTurns(a)).toEqual(['a']);
});

test('a text that was revised ten thousand times has ten thousand turns', () => {
  let whole: ItemSources = { turn: 't0', before: [] };
  for (let n = 1; n < 10_000; n++) whole = { turn: `t${n}`, before: [whole, whole] };
  expect(sourceTurns(whole)).toEqual(Array.from({ length: 10_000 }, (_, n) => `t${n}`));
});
