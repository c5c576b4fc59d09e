import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEntries, fold, frozen } from './apply.ts';
import type { Decision, Trace } from './decision.ts';
import { type Entry, LOG_VERSION } from './entry.ts';
import type { Forest, Node } from './forest.ts';
import { HandledCounts } from './handled-counts.ts';
import { Blocks } from './long-list.ts';
import { contextOf, replyOf } from './queries.ts';
import {
  changedNode,
  type Head,
  isSummarised,
  storableForest as keepInParts,
  lacksSummary,
  openReplies,
  type Rows,
  restoredForest,
  type StorableForest,
  surelySaySame,
} from './stored-forest.ts';
import { recordsOf } from './table.ts';
import { plainForest } from './testing/plain-forest.ts';
import { Life, lives } from './testing/random-life.ts';
import { syntheticLog } from './testing/synthetic-forest.ts';

const toKeep = (forest: Forest): StorableForest => whole(keepInParts(forest));

const whole = <T>(parts: Generator<undefined, T>): T => {
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return value;
  }
};

/** The stored form of a forest, read back from text block by block, as a storage does. */
const kept = (forest: Forest): { readonly forest: Forest; readonly rows: Rows } => {
  const { head, rows } = toKeep(forest);
  const read = <T>({ length, at }: { readonly length: number; at(index: number): T }) => {
    const texts = Array.from({ length: Math.ceil(length / 3) }, (_, block) =>
      JSON.stringify(Array.from({ length: Math.min(3, length - 3 * block) }, (__, i) => at(3 * block + i))),
    );
    const ends = texts.map((_, block) => Math.min(length, 3 * (block + 1)));
    return new Blocks<T>(ends, (block) => JSON.parse(texts[block] as string), 2);
  };
  const stored: Rows = {
    texts: read(rows.texts),
    details: read(rows.details),
    overviews: read(rows.overviews),
    steps: read(rows.steps),
  };
  return { forest: whole(restoredForest(JSON.parse(JSON.stringify(head)) as Head, stored)), rows: stored };
};

const json = (forest: Forest): unknown => JSON.parse(JSON.stringify(plainForest(forest)));

const aLife = (moves: Parameters<Life['live']>[0][]): Life => {
  const life = new Life();
  for (const move of moves) life.live(move);
  return life;
};

const goneOn = (forest: Forest, entries: readonly Entry[], by: number): Forest => {
  let now = forest;
  for (let at = 0; at < entries.length; at += by) now = applyEntries(now, entries.slice(at, at + by));
  return now;
};

test('a kept forest is the fold of its log, at any moment, and lists its turns in the same order', () => {
  fc.assert(
    fc.property(lives, fc.nat({ max: 1000 }), (moves, at) => {
      const { entries } = aLife(moves);
      const then = frozen(fold(entries, at % (entries.length + 1)));
      const { forest } = kept(then);
      expect(json(forest)).toEqual(json(then));
      expect(recordsOf(forest.nodes).map(({ id }) => id)).toEqual(recordsOf(then.nodes).map(({ id }) => id));
      expect(recordsOf(forest.nodes).map(openReplies)).toEqual(recordsOf(then.nodes).map(openReplies));
      expect(recordsOf(forest.nodes).map(isSummarised)).toEqual(recordsOf(then.nodes).map(isSummarised));
      expect(recordsOf(forest.nodes).map(lacksSummary)).toEqual(recordsOf(then.nodes).map(lacksSummary));
    }),
    { numRuns: 300 },
  );
});

test('what happens to a kept forest, undoing and redoing all included, is what happens to the fold', () => {
  fc.assert(
    fc.property(lives, fc.nat({ max: 1000 }), fc.integer({ min: 1, max: 20 }), (moves, at, by) => {
      const life = aLife(moves);
      const moment = at % (life.entries.length + 1);
      for (let undone = 0; undone < 500 && life.do({ type: 'undo' }).ok; undone++);
      for (let redone = 0; redone < 500 && life.do({ type: 'redo' }).ok; redone++);
      const { forest } = kept(frozen(fold(life.entries, moment)));
      expect(json(goneOn(forest, life.entries.slice(moment), by))).toEqual(json(life.forest));
      // The stored forest stays the same, whatever is built on it.
      expect(json(forest)).toEqual(json(fold(life.entries, moment)));
    }),
    { numRuns: 200 },
  );
});

test('when turns had been handled is known again of what was kept, also of turns that are gone', () => {
  fc.assert(
    fc.property(lives, fc.nat({ max: 1000 }), fc.nat({ max: 1000 }), (moves, at, kept) => {
      const { entries } = aLife(moves);
      const then = kept % (entries.length + 1);
      const handled = new HandledCounts(new HandledCounts());
      handled.take(entries, at % (then + 1));
      const next = new HandledCounts(handled);
      next.take(entries, then);
      const ids = recordsOf(fold(entries, then).nodes).map(({ id }) => id);
      const again = HandledCounts.ofKept(JSON.parse(JSON.stringify(whole(next.toKeep(ids)))), ids);
      for (const [at, id] of ids.entries()) {
        expect([again.countOf(id, at), again.countOf(id, at + 1)]).toEqual([next.countOf(id), next.countOf(id)]);
      }
      again.take(entries);
      const from = new HandledCounts();
      from.take(entries);
      expect(new Map(again.toJSON().counts)).toEqual(new Map(from.toJSON().counts));
      expect({ ...again.toJSON(), counts: [] }).toEqual({ ...from.toJSON(), counts: [] });
    }),
    { numRuns: 200 },
  );
});

test('one that went on and is kept again has the rows that did not change', () => {
  fc.assert(
    fc.property(lives, fc.nat({ max: 1000 }), (moves, at) => {
      const { entries } = aLife(moves);
      const moment = at % (entries.length + 1);
      const first = kept(frozen(fold(entries, moment)));
      const now = applyEntries(first.forest, entries.slice(moment));
      const again = toKeep(now);
      for (const kind of ['texts', 'details', 'overviews', 'steps'] as const) {
        for (let index = 0; index < again.rows[kind].length; index++) {
          if (!again.isKept(kind, index, first.rows)) continue;
          expect(JSON.stringify(again.rows[kind].at(index))).toBe(JSON.stringify(first.rows[kind].at(index)));
        }
      }
      expect(json(kept(now).forest)).toEqual(json(fold(entries)));
    }),
    { numRuns: 200 },
  );
  const entries = syntheticLog(50, 3);
  const first = kept(frozen(fold(entries)));
  const again = toKeep(applyEntries(first.forest, syntheticLog(60, 3).slice(entries.length)));
  const isKept = (kind: keyof Rows) =>
    Array.from({ length: again.rows[kind].length }, (_, index) => again.isKept(kind, index, first.rows));
  expect(isKept('texts')).toEqual(Array.from({ length: 60 }, (_, index) => index < 50));
  expect(isKept('details')).toEqual(Array.from({ length: 60 }, (_, index) => index < 50));
  expect(isKept('steps')).toEqual(Array.from({ length: 60 }, (_, index) => index < 50));
});

test.each(['before', null])('a turn that was decided again is kept with its new trace, instead of %j', (before) => {
  const entries = [...syntheticLog(50, 3)];
  const decide = (nodeId: string, step: string | null): Entry => {
    const trace = step === null ? null : ({ path: [step] } as Partial<Trace> as Trace);
    const decision: Decision = { topic: 'continue-topic', branch: null, by: 'engine', trace };
    const event: Entry['event'] = { type: 'turn-decided', nodeId, decision };
    return { v: LOG_VERSION, seq: entries.length + 1, at: 0, step: null, event };
  };
  entries.push(decide('n7', before));
  entries.push(decide('n8', 'unchanged'));
  const first = kept(frozen(fold(entries)));
  const now = applyEntries(first.forest, [decide('n7', 'after')]);
  const again = toKeep(now);
  expect(again.isKept('details', 6, first.rows)).toBe(false);
  expect(again.isKept('texts', 6, first.rows)).toBe(true);
  expect(again.isKept('details', 7, first.rows)).toBe(true);
  expect(kept(now).forest.nodes.n7?.decision.trace).toEqual({ path: ['after'] });
});

test('what was said is read when it is asked for, and not before', () => {
  const { head, rows } = toKeep(frozen(fold(syntheticLog(40, 5))));
  const read: number[] = [];
  const texts: Rows['texts'] = {
    length: rows.texts.length,
    at: (index) => {
      read.push(index);
      return rows.texts.at(index);
    },
  };
  const forest = whole(restoredForest(head, { ...rows, texts }));
  const goesOn = applyEntries(forest, syntheticLog(41, 5).slice(syntheticLog(40, 5).length));
  expect(recordsOf(goesOn.nodes).filter(isSummarised).length).toBe(41);
  expect(recordsOf(goesOn.nodes).filter(lacksSummary)).toEqual([]);
  expect(read).toEqual([]);
  const [one, other] = [forest.nodes.n7 as Node, goesOn.nodes.n7 as Node];
  expect(surelySaySame(one, other)).toBe(true);
  expect(surelySaySame(one, changedNode(one, { pinned: true }))).toBe(true);
  expect(surelySaySame(one, forest.nodes.n8 as Node)).toBe(false);
  expect(surelySaySame(one, frozen(fold(syntheticLog(40, 5))).nodes.n7 as Node)).toBe(false);
  expect(read).toEqual([]);
  expect(forest.nodes.n7?.message).toBe(rows.texts.at(6).message);
  expect(read).toEqual([6]);
});

test('that nothing is known of what was sent for a turn, as in an import, is found out without reading it', () => {
  const entries = syntheticLog(40, 5).map((entry): Entry => {
    const { event } = entry;
    const isImported = event.type === 'reply-started' && Number(event.nodeId.slice(1)) <= 30;
    return isImported ? { ...entry, event: { ...event, context: null } } : entry;
  });
  const { head, rows } = toKeep(frozen(fold(entries)));
  const read: number[] = [];
  const reading = <T>({ length, at }: { readonly length: number; at(index: number): T }) => ({
    length,
    at: (index: number) => {
      read.push(index);
      return at(index);
    },
  });
  const forest = whole(restoredForest(head, { ...rows, texts: reading(rows.texts), details: reading(rows.details) }));
  const turns = recordsOf(forest.nodes);
  expect(turns.slice(0, 30).map(contextOf)).toEqual(turns.slice(0, 30).map(() => null));
  expect(read).toEqual([]);
  expect(turns.slice(30).map((node) => contextOf(node) ?? 'none')).toEqual(
    turns.slice(30).map((node) => replyOf(node)?.context),
  );
  // Nor once it has gone on, and is stored and read again.
  const again = toKeep(applyEntries(forest, syntheticLog(41, 5).slice(entries.length)));
  read.length = 0;
  const later = whole(restoredForest(again.head, rows));
  expect(later.nodes.n7 && contextOf(later.nodes.n7)).toBeNull();
  expect(read).toEqual([]);
  // A forest that was stored before this was noted is read.
  const older = { ...head, nodes: { ...head.nodes, known: head.nodes.known.map((bits) => bits & 3) } };
  const before = whole(restoredForest(older, rows));
  expect(recordsOf(before.nodes).map(contextOf)).toEqual(turns.map(contextOf));
});
