import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedIds, freezeTable, idsOf, layered, listedTable, recordsOf, sizeOf, type Table, write } from './table.ts';
import { plainTable } from './testing/plain-forest.ts';

type Step = { readonly kind: 'write' | 'remove' | 'branch' | 'back'; readonly id: number };

const steps = fc.array(
  fc.record<Step>({ kind: fc.constantFrom('write', 'write', 'write', 'remove', 'branch', 'back'), id: fc.nat(400) }),
  { maxLength: 900 },
);

const settledTable = <T>(table: Table<T>): Table<T> => {
  freezeTable(table);
  return table;
};

test('a table that is branched off again and again holds what a plain object would, and leaves the others as they were', () => {
  fc.assert(
    fc.property(steps, (all) => {
      let table = layered<number>(settledTable({}));
      let plain: Record<string, number> = {};
      const before: [Table<number>, Record<string, number>][] = [];
      all.forEach(({ kind, id }, at) => {
        const key = `n${id}`;
        if (kind === 'write') {
          write(table, key, at);
          plain[key] = at;
        } else if (kind === 'remove') {
          write(table, key, undefined);
          delete plain[key];
        } else {
          freezeTable(table);
          before.push([table, { ...plain }]);
          if (kind === 'back') [table, plain] = before[id % before.length] as [Table<number>, Record<string, number>];
          table = layered(table);
          plain = { ...plain };
        }
      });
      const last = [table, plain] as const;
      for (const [one, expected] of [...before, last]) {
        freezeTable(table);
        const changed = Object.keys({ ...expected, ...plain }).filter((id) => expected[id] !== plain[id]);
        const told = changedIds(one, table);
        if (told !== null) expect(told.toSorted()).toEqual(changed.sort());
        expect(plainTable(one)).toEqual(expected);
        expect(sizeOf(one)).toBe(Object.keys(expected).length);
        expect(recordsOf(one)).toEqual(Object.values(expected));
        expect(idsOf(one)).toEqual(Object.keys(expected));
        for (const id of Object.keys(expected)) expect(one[id]).toBe(expected[id]);
      }
    }),
    { numRuns: 150 },
  );
});

test('records stay in the order in which they came, also of a large table that grows by one', () => {
  let table: Table<number> = {};
  for (let at = 0; at < 500; at++) write(table, `n${at}`, at);
  freezeTable(table);
  for (let at = 500; at < 3_000; at++) {
    table = layered(table);
    write(table, `n${at}`, at);
    if (at % 7 === 0) write(table, `n${at - 400}`, at - 400);
    freezeTable(table);
  }
  expect(recordsOf(table)).toEqual(Array.from({ length: 3_000 }, (_, at) => at));
});

test('a table of what is at hand is as one that was written record by record', () => {
  const made = listedTable(['b', 'a', 'c'], [2, 1, 3]);
  expect([idsOf(made), recordsOf(made), sizeOf(made)]).toEqual([['b', 'a', 'c'], [2, 1, 3], 3]);
  const later = layered(made);
  write(later, 'd', 4);
  write(later, 'a', undefined);
  freezeTable(later);
  expect([idsOf(later), recordsOf(later), sizeOf(later)]).toEqual([['b', 'c', 'd'], [2, 3, 4], 3]);
  expect(changedIds(made, later)).toEqual(['d', 'a']);
});

test('what is still written to is listed as it is', () => {
  const table = layered<number>(settledTable({ a: 1 }));
  expect(sizeOf(table)).toBe(1);
  write(table, 'b', 2);
  expect(recordsOf(table)).toEqual([1, 2]);
  const plain: Table<number> = {};
  expect(sizeOf(plain)).toBe(0);
  write(plain, 'a', 1);
  expect(sizeOf(plain)).toBe(1);
  expect(idsOf(plain)).toEqual(['a']);
});

test('for a change near its end, the ids of a large table are not gone through', () => {
  const ids = Array.from({ length: 5_000 }, (_, at) => `n${at}`);
  let read = 0;
  const watched = new Proxy(ids, {
    get: (all, at) => {
      read += 1;
      return Reflect.get(all, at);
    },
  });
  const base = listedTable(
    watched,
    ids.map((_, at) => at),
  );
  let table = layered(base);
  read = 0;
  write(table, 'n4990', -1);
  freezeTable(table);
  expect(recordsOf(table)[4_990]).toBe(-1);
  expect(read).toBeLessThan(50);
  // Many at its beginning cost one more search and an index, not a search each.
  table = layered(base);
  for (let at = 0; at < 90; at++) write(table, `n${at}`, -at);
  freezeTable(table);
  expect(recordsOf(table)).toEqual(ids.map((_, at) => (at < 90 ? -at : at)));
  expect(read).toBeLessThan(5 * ids.length);
});
