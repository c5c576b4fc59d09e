import { applyEntries, fold, frozen, GrowingForest } from '../domain/apply.ts';
import type { Entry } from '../domain/entry.ts';
import { emptyForest, type Forest } from '../domain/forest.ts';
import { HandledCounts } from '../domain/handled-counts.ts';
import { clamp } from '../domain/numbers.ts';
import { foldInParts } from '../engine/history/fold-in-parts.ts';
import type { ForestSnapshot } from '../engine/storage.ts';

/** Number of entries from which folding a log takes longer than opening it from a saved moment. */
export const VERY_LONG = 20_000;

/** Entries between two permanent snapshots, in a log that is not long, … */
const STRIDE = 64;
/** … and how many there are at most: in a longer log they are further apart. */
const MOST_KEPT = 150;
/**
 * Entries between two snapshots around the most recently requested moment. State before a snapshot is shared
 * between moments, so views of it need not be redrawn: two or three of the turns on the screen are, instead of half
 * of them.
 */
const STEP = 16;
/** How many entries before the end of a log a snapshot is kept when it is opened, since going back starts from now. */
const LATEST = 512;

/** Number of entries that can be applied unnoticed: in a log no longer than this every moment is near … */
const NEAR = 5_000;
/** … while in a longer one, which may also need unpacking, a moment is near only within this many entries of a known forest. */
const AT_HAND = 200;

/** Maximum strides between snapshots on the way to a far moment: each costs more than the entries of several strides. */
const LEAP = 16;

/** Entries applied between two yields. */
const PART_OF_WAY = 256;

/** Maximum number of moments approached at once: a user moving through time leaves one for another and may come back. */
const MOST_WAYS = 4;

interface Snapshot {
  readonly count: number;
  readonly forest: Forest;
}

/** A snapshot in the making: `count` entries have been applied. */
interface Way {
  count: number;
  readonly forest: GrowingForest;
}

const BEGINNING: Snapshot = { count: 0, forest: frozen(emptyForest()) };

/**
 * Provides the forest at any moment of a log without delay: snapshots along the way are kept and share their common
 * structure. Handles one log at a time; when a log has only grown, its snapshots are kept.
 */
export class Snapshots {
  #first: Entry | undefined;
  /** Oldest first; the first one is the empty forest. */
  #kept: Snapshot[] = [BEGINNING];
  /** When turns had been handled, as far as stored with the log. */
  #handled: HandledCounts | null = null;
  /** The steps from the snapshots before the most recently requested moments, as far as they were needed, by where they begin. */
  readonly #near = new Map<number, Forest[]>();
  /** Progress towards the next snapshots, by the moments between which they lie. */
  readonly #ways = new Map<string, Way>();
  /** Moments of logs that have not been opened yet. */
  readonly #ready = new WeakMap<readonly Entry[], ForestSnapshot>();

  /** Returns the forest of a log that is about to be stored. Opened next, it is not folded again. */
  async forestToStore(entries: readonly Entry[], breathe: () => Promise<void>): Promise<Forest> {
    const moment = await foldedMoment(entries, Math.max(0, entries.length - LATEST), breathe);
    this.#ready.set(entries, moment);
    return applyEntries(moment.forest, entries.slice(moment.count));
  }

  /**
   * Returns the forest of a log being opened, starting from its saved moment if there is one; `handled`: when its
   * turns had been handled, as far as that is known.
   */
  async open(
    entries: readonly Entry[],
    kept: ForestSnapshot | null,
    breathe: () => Promise<void>,
  ): Promise<{ readonly forest: Forest; readonly handled: HandledCounts | null }> {
    // A conversation begun from another may share entries with it, the first one included.
    this.#reset(entries);
    const count = entries.length - LATEST;
    if (kept === null && count < LATEST) return { forest: frozen(fold(entries)), handled: null };
    const from = kept ?? this.#ready.get(entries) ?? (await foldedMoment(entries, count, breathe));
    // Meanwhile, another one may have been looked at.
    this.#reset(entries);
    this.#kept = [BEGINNING, from];
    this.#handled = from.handled;
    return { forest: applyEntries(from.forest, entries.slice(from.count)), handled: from.handled };
  }

  /** Returns a moment to open the log from next time: far enough before its end to go back from there. */
  lately(entries: readonly Entry[]): ForestSnapshot {
    this.#begin(entries);
    const count = Math.max(0, entries.length - LATEST);
    const before = this.#kept.findLast((moment) => moment.count <= count) as Snapshot;
    const handled = new HandledCounts(this.#handled);
    handled.take(entries, count);
    return { count, forest: applyEntries(before.forest, entries.slice(before.count, count)), handled };
  }

  at(entries: readonly Entry[], count: number): Forest {
    this.#begin(entries);
    const begin = this.#keptBefore(entries, count);
    const step = Math.floor((count - begin.count) / STEP);
    const steps = this.#stepsUntil(entries, begin, step);
    return applyEntries(steps[step] as Forest, entries.slice(begin.count + step * STEP, count));
  }

  /** Whether a moment is close enough to a known forest to be computed at once. */
  isNear(entries: readonly Entry[], count: number): boolean {
    this.#begin(entries);
    const begin = this.#lastBefore(count);
    const far = count - begin.count;
    if (entries.length <= NEAR) return far <= Math.max(NEAR, strideOf(entries));
    const stepped = far < strideOf(entries) ? this.#stepsMade(begin) * STEP : 0;
    return far - stepped <= AT_HAND;
  }

  /** Makes partial progress towards a moment, until it is near: to the last permanent snapshot before it, and from there in steps. */
  approach(entries: readonly Entry[], count: number): void {
    if (this.isNear(entries, count)) return;
    const begin = this.#lastBefore(count);
    const strides = Math.floor((count - begin.count) / strideOf(entries));
    if (strides > 0) return this.#goOn(entries, begin, clamp(strides - 2, 1, LEAP));
    const step = Math.floor((count - begin.count) / STEP);
    this.#stepsUntil(entries, begin, Math.min(step, this.#stepsMade(begin) + PART_OF_WAY / STEP));
  }

  /** Makes partial progress towards the next permanent snapshot along a log; returns false once all of them exist. */
  makeNext(entries: readonly Entry[]): boolean {
    this.#begin(entries);
    const every = strideOf(entries);
    const before = this.#kept.find(({ count }, at) => (this.#kept[at + 1]?.count ?? entries.length) - count > every);
    if (before === undefined) return false;
    this.#goOn(entries, before, 1);
    return true;
  }

  #lastBefore(count: number): Snapshot {
    return this.#kept.findLast((moment) => moment.count <= count) as Snapshot;
  }

  #stepsMade({ count }: Snapshot): number {
    return (this.#near.get(count)?.length ?? 1) - 1;
  }

  /** Returns the steps from a snapshot, creating those missing up to step `step`. */
  #stepsUntil(entries: readonly Entry[], begin: Snapshot, step: number): readonly Forest[] {
    const steps = this.#near.get(begin.count) ?? [begin.forest];
    while (steps.length <= step) {
      const from = begin.count + (steps.length - 1) * STEP;
      steps.push(applyEntries(steps.at(-1) as Forest, entries.slice(from, from + STEP)));
    }
    keepLatest(this.#near, begin.count, steps);
    return steps;
  }

  /** Makes partial progress towards the snapshot some strides after `before`. */
  #goOn(entries: readonly Entry[], before: Snapshot, strides: number): void {
    const end = before.count + strides * strideOf(entries);
    const key = `${before.count} ${end}`;
    const way = this.#ways.get(key) ?? { count: before.count, forest: new GrowingForest(before.forest) };
    this.#ways.delete(key);
    for (const until = Math.min(end, way.count + PART_OF_WAY); way.count < until; way.count++) {
      way.forest.add(entries[way.count] as Entry);
    }
    if (way.count === end) return this.#keep({ count: end, forest: way.forest.done() });
    keepLatest(this.#ways, key, way);
  }

  #keep(moment: Snapshot): void {
    if (this.#kept.length > 2 * MOST_KEPT) this.#kept = this.#kept.filter((_, at) => at % 2 === 0);
    this.#kept.splice(this.#kept.findLastIndex(({ count }) => count <= moment.count) + 1, 0, moment);
  }

  #begin(entries: readonly Entry[]): void {
    if (entries[0] !== this.#first) this.#reset(entries);
  }

  #reset(entries: readonly Entry[]): void {
    this.#first = entries[0];
    this.#kept = [BEGINNING];
    this.#handled = null;
    this.#near.clear();
    this.#ways.clear();
  }

  /** Returns the last snapshot within one stride before `count`, creating the missing ones. */
  #keptBefore(entries: readonly Entry[], count: number): Snapshot {
    const every = strideOf(entries);
    let before = this.#lastBefore(count);
    while (count - before.count >= every) {
      const next = before.count + every;
      before = { count: next, forest: applyEntries(before.forest, entries.slice(before.count, next)) };
      this.#keep(before);
    }
    return before;
  }
}

/** Computes the moment after `count` entries of a log, as it would have been saved. */
const foldedMoment = async (
  entries: readonly Entry[],
  count: number,
  breathe: () => Promise<void>,
): Promise<ForestSnapshot> => {
  const handled = new HandledCounts();
  const forest = frozen(await foldInParts(entries, breathe, count, (entry) => void handled.takeNext(entry)));
  return { count, forest, handled };
};

/** Puts a value last, and drops the first when there are too many. */
const keepLatest = <K, V>(map: Map<K, V>, key: K, value: V): void => {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST_WAYS) map.delete(oldest as K);
};

const strideOf = ({ length }: readonly Entry[]): number => Math.max(STRIDE, Math.ceil(length / MOST_KEPT));
