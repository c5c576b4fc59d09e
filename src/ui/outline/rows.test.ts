import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEntries, fold, frozen } from '../../domain/apply.ts';
import { emptyForest, type Forest } from '../../domain/forest.ts';
import { idsOf, sizeOf } from '../../domain/table.ts';
import { Life, lives } from '../../domain/testing/random-life.ts';
import {
  expandedFor,
  keysAbove,
  type OutlineRow,
  type OutlineState,
  outlined,
  parentRow,
  placeOfRow,
  rowName,
} from './rows.ts';

const NONE = new Set<string>();
const outlineRows = (forest: Forest, collapsed: ReadonlySet<string>) => outlined(forest, collapsed, null).rows;
const brief = (row: OutlineRow) =>
  `${row.level}.${row.position}/${row.siblings} ${row.kind === 'topic' ? 'T' : row.node.number}`;

/** 1 ─ 2 ─ 3, with 4 ─ 5 forked from 1, and 6 as its own topic. */
const small = () => {
  const life = new Life();
  const one = life.say(null);
  const two = life.say(one);
  life.say(two);
  const four = life.say(one);
  const five = life.say(four);
  life.say(null);
  return { life, forest: life.forest, one, five };
};

test('a branch is a run of siblings and forks nest under the turn they hang from', () => {
  const rows = outlineRows(small().forest, NONE);
  expect(rows.map(brief)).toEqual([
    '1.1/2 T',
    '2.1/3 1',
    '3.1/2 4',
    '3.2/2 5',
    '2.2/3 2',
    '2.3/3 3',
    '1.2/2 T',
    '2.1/1 6',
  ]);
  expect(rows.filter((row) => row.kind === 'turn' && row.forks).map(brief)).toEqual(['3.1/2 4']);
});

test('what is collapsed hides what is under it, and the keys above a turn bring it back', () => {
  const { forest, one, five } = small();
  const topic = forest.nodes[one]?.treeId as string;
  expect(outlineRows(forest, new Set([topic])).map(brief)).toEqual(['1.1/2 T', '1.2/2 T', '2.1/1 6']);
  const collapsed = new Set([topic, one]);
  for (const key of keysAbove(forest, five)) collapsed.delete(key);
  expect(outlineRows(forest, collapsed).some((row) => row.key === five)).toBe(true);
});

test('what hides a turn is expanded when it is to be shown; what is collapsed above it afterwards stays so', () => {
  const { forest, one, five } = small();
  const [first, second] = idsOf(forest.trees) as [string, string];
  const shown = expandedFor(forest, { outlineCollapsed: [first, second, one], outlineShown: one }, five);
  expect(shown).toEqual({ outlineCollapsed: [second], outlineShown: five });
  const collapsed = { outlineCollapsed: [first], outlineShown: five };
  expect(expandedFor(forest, collapsed, five)).toBeNull();
  expect(expandedFor(forest, collapsed, one)).toEqual({ outlineCollapsed: [], outlineShown: one });
  const { outlineCollapsed } = { outlineCollapsed: [second] };
  expect(expandedFor(forest, { outlineCollapsed, outlineShown: five }, one)?.outlineCollapsed).toBe(outlineCollapsed);
});

test('a path of 20,000 turns stays on one level', () => {
  const life = new Life();
  let last = life.say(null);
  // The undo history is not under test here, and grows with every turn.
  for (let turn = 2; turn <= 20_000; turn++) {
    last = life.say(last);
    life.forest.history.past.length = 0;
  }
  const rows = outlineRows(life.forest, NONE);
  expect(rows.length).toBe(20_001);
  expect(Math.max(...rows.map((row) => row.level))).toBe(2);
});

test('any forest: every turn has one row, and levels, places and set sizes agree with the rows shown', () => {
  fc.assert(
    fc.property(lives, fc.array(fc.nat({ max: 1000 })), (moves, picks) => {
      const life = new Life();
      for (const move of moves) life.live(move);
      const all = outlineRows(life.forest, NONE);
      expect(all.filter((row) => row.kind === 'turn').length).toBe(sizeOf(life.forest.nodes));

      const expandable = all.filter((row) => row.expanded !== null);
      const collapsed = new Set(picks.flatMap((pick) => expandable[pick % expandable.length]?.key ?? []));
      const rows = outlineRows(life.forest, collapsed);
      expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
      const families = new Map<number, OutlineRow[]>();
      for (const [index, row] of rows.entries()) {
        const parent = parentRow(rows, index);
        families.set(parent, [...(families.get(parent) ?? []), row]);
      }
      for (const [parent, family] of families) {
        const above = rows[parent];
        expect(family.map((row) => row.position)).toEqual(family.map((_, index) => index + 1));
        expect(family.every((row) => row.siblings === family.length)).toBe(true);
        expect(family.every((row) => row.level === (above?.level ?? 0) + 1)).toBe(true);
        expect(above?.expanded ?? true).toBe(true);
      }
      for (const id of idsOf(life.forest.nodes)) {
        const open = new Set(collapsed);
        for (const key of keysAbove(life.forest, id)) open.delete(key);
        expect(outlineRows(life.forest, open).some((row) => row.key === id)).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

test('in a topic that a turn comes to, rows that show the same are the same', () => {
  const { life, forest } = small();
  const before = outlined(frozen(fold(life.entries)), NONE, null);
  const taken = life.entries.length;
  life.say(idsOf(forest.nodes).at(-1) ?? null);
  const now = outlined(applyEntries(before.forest, life.entries.slice(taken)), NONE, before);
  expect(now.rows.slice(0, 6).every((row, at) => row === before.rows[at])).toBe(true);
  expect(now.rows.slice(6).map(brief)).toEqual(['1.2/2 T', '2.1/2 6', '2.2/2 7']);
});

test('the rows of a forest that goes on are those made anew, and topics that were not touched keep theirs', () => {
  fc.assert(
    fc.property(lives, (moves) => {
      const life = new Life();
      let forest = frozen(emptyForest());
      let taken = 0;
      let going: OutlineState | null = null;
      for (const move of moves) {
        life.live(move);
        forest = applyEntries(forest, life.entries.slice(taken));
        taken = life.entries.length;
        const collapsed: ReadonlySet<string> = going?.collapsed ?? new Set();
        going = outlined(forest, collapsed, going);
        const anew = outlineRows(fold(life.entries), collapsed);
        expect(going.rows.map((row) => ({ ...row, name: rowName(row), node: null, tree: null }))).toEqual(
          anew.map((row) => ({ ...row, name: rowName(row), node: null, tree: null })),
        );
        const found: OutlineState = going;
        expect(going.rows.map(({ key }) => placeOfRow(found, key))).toEqual([...going.rows.keys()]);
      }
    }),
    { numRuns: 100 },
  );
});
