import { after, fold, settled } from '../domain/apply.ts';
import type { Entry } from '../domain/entry.ts';
import { emptyForest, type Forest } from '../domain/forest.ts';
import { HandledCounts } from '../domain/handled-counts.ts';
import { foldInParts } from '../engine/history/fold-in-parts.ts';
import type { KeptMoment } from '../engine/storage.ts';

/** Entries of a log that takes longer to fold than to open from a moment that was kept of it. */
export const VERY_LONG = 20_000;

/** Entries between two forests that are kept for good, in a log that is not long, … */
const STRIDE = 64;
/** … and how many such there are at the most: in a longer log they stand further apart. */
const MOST_KEPT = 150;
/**
 * Entries between two forests that are kept around the moment last asked for. What lies before one of them is the same
 * object from moment to moment, so that what shows it need not be drawn again: of the turns on the screen two or three
 * are, not half of them.
 */
const STEP = 16;
/** Entries from the end of a log of which the forest before is kept when it is opened: from now one goes back first. */
const LATEST = 512;

/** Entries that nobody notices being applied: of a log of no more than these any moment is near … */
const NEAR = 5_000;
/** … and of a longer one, which may have to be unpacked besides, those before which a forest is known so many entries earlier. */
const AT_HAND = 200;

/** Entries that are applied between two breaths where a forest is kept of each part. */
const PART_OF_WAY = 256;

/** Forests that are being made at a time: who travels leaves the one for another, and may come back. */
const MOST_WAYS = 4;

interface Moment {
  readonly count: number;
  readonly forest: Forest;
}

const BEGINNING: Moment = { count: 0, forest: settled(emptyForest()) };

/**
 * The forest at any moment of a log, at once: forests along the way are kept, and share with each other what is the
 * same. Of one log at a time; one that only grew keeps what there is.
 */
export class Snapshots {
  #first: Entry | undefined;
  /** In order of time; the first is empty. */
  #kept: Moment[] = [BEGINNING];
  /** When turns had been handled, as far as that was kept with the log. */
  #handled: HandledCounts | null = null;
  /** The steps from the kept forest that stands before the moment last asked for, as far as they were needed. */
  #near: { readonly begin: number; readonly steps: Forest[] } = { begin: -1, steps: [] };
  /** How far the forests to be kept next have been made, by the moments they go on from. */
  readonly #ways = new Map<number, Moment>();

  /**
   * The forest of a log that is opened, from the moment that was kept of it if there is one; `handled`: when its turns had been handled, as
   * far as that came to be known by the way.
   */
  async open(
    entries: readonly Entry[],
    kept: KeptMoment | null,
    breathe: () => Promise<void>,
  ): Promise<{ readonly forest: Forest; readonly handled: HandledCounts | null }> {
    const count = entries.length - LATEST;
    if (kept === null && count < LATEST) return { forest: settled(fold(entries)), handled: null };
    const from = kept ?? (await foldedMoment(entries, count, breathe));
    this.#begin(entries);
    this.#kept = [BEGINNING, from];
    this.#handled = from.handled;
    return { forest: after(from.forest, entries.slice(from.count)), handled: from.handled };
  }

  /** A moment to open a log from the next time: so far before its end that one can go back from there. */
  lately(entries: readonly Entry[]): KeptMoment {
    this.#begin(entries);
    const count = Math.max(0, entries.length - LATEST);
    const before = this.#kept.findLast((moment) => moment.count <= count) as Moment;
    const handled = new HandledCounts(this.#handled);
    handled.take(entries, count);
    return { count, forest: after(before.forest, entries.slice(before.count, count)), handled };
  }

  at(entries: readonly Entry[], count: number): Forest {
    this.#begin(entries);
    const begin = this.#keptBefore(entries, count);
    const step = Math.floor((count - begin.count) / STEP);
    this.#makeSteps(entries, begin, step);
    return after(this.#near.steps[step] as Forest, entries.slice(begin.count + step * STEP, count));
  }

  /** Whether a moment is near enough to one of which there is a forest to be made at once. */
  isNear(entries: readonly Entry[], count: number): boolean {
    this.#begin(entries);
    const begin = this.#lastBefore(count);
    const far = count - begin.count;
    if (entries.length <= NEAR) return far <= Math.max(NEAR, strideOf(entries));
    const stepped = this.#near.begin === begin.count && far < strideOf(entries);
    return far - (stepped ? (this.#near.steps.length - 1) * STEP : 0) <= AT_HAND;
  }

  /** Goes a part of the way to a moment, until it is near: to the last of the forests that are kept before it, and from there in steps. */
  approach(entries: readonly Entry[], count: number): void {
    if (this.isNear(entries, count)) return;
    const begin = this.#lastBefore(count);
    if (count - begin.count >= strideOf(entries)) return this.#goOn(entries, begin);
    const made = this.#near.begin === begin.count ? this.#near.steps.length - 1 : 0;
    const step = Math.floor((count - begin.count) / STEP);
    this.#makeSteps(entries, begin, Math.min(step, made + PART_OF_WAY / STEP));
  }

  /** Goes a part of the way to the next of the forests that are kept along a log; false where there are all of them. */
  makeNext(entries: readonly Entry[]): boolean {
    this.#begin(entries);
    const every = strideOf(entries);
    const before = this.#kept.find(({ count }, at) => (this.#kept[at + 1]?.count ?? entries.length) - count > every);
    if (before === undefined) return false;
    this.#goOn(entries, before);
    return true;
  }

  #lastBefore(count: number): Moment {
    return this.#kept.findLast((moment) => moment.count <= count) as Moment;
  }

  /** Makes the steps from a kept forest up to that one, where there are none yet. */
  #makeSteps(entries: readonly Entry[], begin: Moment, step: number): void {
    if (this.#near.begin !== begin.count) this.#near = { begin: begin.count, steps: [begin.forest] };
    const { steps } = this.#near;
    while (steps.length <= step) {
      const from = begin.count + (steps.length - 1) * STEP;
      steps.push(after(steps.at(-1) as Forest, entries.slice(from, from + STEP)));
    }
  }

  /** Makes a part of the forest that is kept after another. */
  #goOn(entries: readonly Entry[], before: Moment): void {
    const end = before.count + strideOf(entries);
    const way = this.#ways.get(before.count);
    const from = way !== undefined && way.count < end ? way : before;
    const count = Math.min(end, from.count + PART_OF_WAY);
    const made = { count, forest: after(from.forest, entries.slice(from.count, count)) };
    this.#ways.delete(before.count);
    if (count === end) return this.#keep(made);
    this.#ways.set(before.count, made);
    const [oldest] = this.#ways.keys();
    if (this.#ways.size > MOST_WAYS) this.#ways.delete(oldest as number);
  }

  #keep(moment: Moment): void {
    if (this.#kept.length > 2 * MOST_KEPT) this.#kept = this.#kept.filter((_, at) => at % 2 === 0);
    this.#kept.splice(this.#kept.findLastIndex(({ count }) => count <= moment.count) + 1, 0, moment);
  }

  #begin(entries: readonly Entry[]): void {
    if (entries[0] === this.#first) return;
    this.#first = entries[0];
    this.#kept = [BEGINNING];
    this.#handled = null;
    this.#near = { begin: -1, steps: [] };
    this.#ways.clear();
  }

  /** The last kept moment that is no further before this one than they are apart; made where there is none yet. */
  #keptBefore(entries: readonly Entry[], count: number): Moment {
    const every = strideOf(entries);
    let before = this.#lastBefore(count);
    while (count - before.count >= every) {
      const next = before.count + every;
      before = { count: next, forest: after(before.forest, entries.slice(before.count, next)) };
      this.#keep(before);
    }
    return before;
  }
}

/** The moment after so many entries of a log, as it would have been kept. */
const foldedMoment = async (
  entries: readonly Entry[],
  count: number,
  breathe: () => Promise<void>,
): Promise<KeptMoment> => {
  const handled = new HandledCounts();
  const forest = settled(await foldInParts(entries, breathe, count, (entry) => void handled.takeNext(entry)));
  return { count, forest, handled };
};

const strideOf = ({ length }: readonly Entry[]): number => Math.max(STRIDE, Math.ceil(length / MOST_KEPT));
