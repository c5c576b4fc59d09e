import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from '../domain/apply.ts';
import type { Entry } from '../domain/entry.ts';
import { HandledCounts } from '../domain/handled-counts.ts';
import { idsOf, sizeOf } from '../domain/table.ts';
import { plainForest } from '../domain/testing/plain-forest.ts';
import { Life } from '../domain/testing/random-life.ts';
import { Snapshots } from './snapshots.ts';

/** A long life; each turn adds two entries. */
const long = (turns: number) => {
  const life = new Life();
  let last: string | null = null;
  for (let turn = 0; turn < turns; turn++) last = life.say(turn % 40 === 0 ? null : last);
  return life.entries;
};
const entries = long(320);

/** Compares forests of thousands of turns; a matcher that can describe differences takes seconds for each. */
const isAsFolded = (snapshots: Snapshots, log: readonly Entry[], count: number): boolean =>
  isDeepStrictEqual(plainForest(snapshots.at(log, count)), fold(log, count));

test('any moment, asked for in any order, is the fold of what was before it', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: entries.length }), { maxLength: 12 }), (counts) => {
      const snapshots = new Snapshots();
      for (const count of counts) expect(isAsFolded(snapshots, entries, count), `after ${count}`).toBe(true);
    }),
    { numRuns: 10 },
  );
});

test('a log so long that kept forests move further apart has the same moments as before', () => {
  const snapshots = new Snapshots();
  const grown = long(5_000);
  const moments = [200, 9_000, 640, 9_599];
  for (const count of moments) snapshots.at(grown.slice(0, 9_600), count);
  for (const count of [...moments, grown.length - 3])
    expect(isAsFolded(snapshots, grown, count), `after ${count}`).toBe(true);
});

test('another log is not mistaken for the one before', () => {
  const snapshots = new Snapshots();
  snapshots.at(entries, 400);
  const other = long(30);
  expect(plainForest(snapshots.at(other, 40))).toEqual(fold(other, 40));
});

test('a log that is opened is not mistaken for one that begins with the same entries', async () => {
  const snapshots = new Snapshots();
  snapshots.at(entries, entries.length);
  const other = entries.map((entry, at): Entry => {
    const { event } = entry;
    return at > 0 && event.type === 'message-sent' ? { ...entry, event: { ...event, message: 'another' } } : entry;
  });
  await snapshots.open(other, null, async () => undefined);
  expect(isAsFolded(snapshots, other, 200)).toBe(true);
});

test('turns of long before are the same objects from one moment to the next', () => {
  const snapshots = new Snapshots();
  const [one, two] = [snapshots.at(entries, 466), snapshots.at(entries, 474)];
  const ids = idsOf(one.nodes);
  const same = ids.filter((id) => one.nodes[id] === two.nodes[id]);
  expect(same.length).toBeGreaterThan(ids.length - 15);
});

test('a log that is opened is folded whole, and its moments are those of the fold', async () => {
  const grown = long(1_200);
  const snapshots = new Snapshots();
  expect(
    isDeepStrictEqual(plainForest((await snapshots.open(grown, null, async () => undefined)).forest), fold(grown)),
  ).toBe(true);
  for (const count of [grown.length - 3, grown.length - 700, 5])
    expect(isAsFolded(snapshots, grown, count), `after ${count}`).toBe(true);
  while (snapshots.makeNext(grown));
  for (const count of [1_000, 1_001, grown.length])
    expect(isAsFolded(snapshots, grown, count), `after ${count}`).toBe(true);
});

test('when turns had been handled is known of a log that was folded as it was opened', async () => {
  const grown = long(1_200);
  const { handled } = await new Snapshots().open(grown, null, async () => undefined);
  const next = new HandledCounts(handled);
  next.take(grown);
  const whole = new HandledCounts();
  whole.take(grown);
  expect(next.toJSON()).toEqual(whole.toJSON());
});

test('a log that is opened from a kept moment has the moments of the fold, before and after it', async () => {
  const log = long(1_200);
  const from = new Snapshots();
  await from.open(log.slice(0, 1_600), null, async () => undefined);
  const kept = from.lately(log.slice(0, 1_600));
  const snapshots = new Snapshots();
  expect(
    isDeepStrictEqual(plainForest((await snapshots.open(log, kept, async () => undefined)).forest), fold(log)),
  ).toBe(true);
  for (const count of [log.length - 3, kept.count, kept.count - 1, 5]) {
    expect(isAsFolded(snapshots, log, count), `after ${count}`).toBe(true);
  }
  const whole = new HandledCounts();
  whole.take(log);
  const next = new HandledCounts(snapshots.lately(log).handled);
  next.take(log);
  expect(next.toJSON()).toEqual(whole.toJSON());
});

test('whoever goes to moments of a long log in parts, also to several at a time, has the moments of the fold', () => {
  const log = long(4_000);
  const count = fc.integer({ min: 0, max: log.length });
  fc.assert(
    fc.property(fc.array(count, { minLength: 1, maxLength: 3 }), (counts) => {
      const snapshots = new Snapshots();
      for (const wanted of counts) {
        for (let part = 0; part < 2_000 && !snapshots.isNear(log, wanted); part++) {
          for (const one of counts) if (one !== wanted && part % 3 === 0) snapshots.approach(log, one);
          snapshots.makeNext(log);
          snapshots.approach(log, wanted);
          snapshots.approach(log, wanted);
        }
        expect(snapshots.isNear(log, wanted)).toBe(true);
        expect(isAsFolded(snapshots, log, wanted), `after ${wanted}`).toBe(true);
      }
    }),
    { numRuns: 6 },
  );
});

test('what is far is approached until it is near', () => {
  const log = long(4_000);
  const snapshots = new Snapshots();
  let times = 0;
  while (!snapshots.isNear(log, 7_500)) {
    snapshots.approach(log, 7_500);
    times += 1;
  }
  expect(times).toBeGreaterThan(1);
  expect(isAsFolded(snapshots, log, 7_500)).toBe(true);
  snapshots.approach(log, 7_500);
  expect(snapshots.isNear(log, 7_500)).toBe(true);
});

test('two moments of a log whose snapshots are far apart are both reached, though they are approached in turn', () => {
  const [sent, placed] = long(1) as [Entry, Entry];
  const log = [sent, placed];
  while (log.length < 120_000)
    log.push({ ...sent, seq: log.length + 1, event: { type: 'conversation-titled', title: `${log.length}` } });
  const snapshots = new Snapshots();
  const moments = [700, 1_500];
  for (let part = 0; part < 50; part++) for (const count of moments) snapshots.approach(log, count);
  expect(moments.map((count) => snapshots.isNear(log, count))).toEqual([true, true]);
  for (const count of moments) expect(isAsFolded(snapshots, log, count)).toBe(true);
});

test('a log that was folded to store it is not folded again to open it', async () => {
  const snapshots = new Snapshots();
  const log = long(600);
  const read: number[] = [];
  const counted = new Proxy(log, {
    get: (target, key) => {
      if (typeof key === 'string' && /^\d+$/.test(key)) read.push(Number(key));
      return Reflect.get(target, key);
    },
  });
  expect(sizeOf((await snapshots.forestToStore(counted, async () => undefined)).nodes)).toBe(600);
  // The one that is open meanwhile is still looked at.
  expect(isAsFolded(snapshots, entries, 200)).toBe(true);
  read.length = 0;
  const { forest } = await snapshots.open(counted, null, async () => undefined);
  expect(read.filter((at) => at > 0 && at < 600)).toEqual([]);
  expect(plainForest(forest)).toEqual(fold(log));
  expect(isAsFolded(snapshots, log, 200)).toBe(true);
});

test('what is about to be stored has the turns that are left of it, also if it is short', async () => {
  const snapshots = new Snapshots();
  const turnsOf = async (log: readonly Entry[]) =>
    sizeOf((await snapshots.forestToStore(log, async () => undefined)).nodes);
  expect(await turnsOf([])).toBe(0);
  expect(await turnsOf(entries.slice(0, 300))).toBe(150);
});
