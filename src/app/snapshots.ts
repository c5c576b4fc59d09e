import { produce } from 'immer';
import { apply } from '../domain/apply.ts';
import type { Entry } from '../domain/events.ts';
import { emptyForest, type Forest } from '../domain/forest.ts';

/** Entries between two forests that are kept for good, in a log that is not long, … */
const STRIDE = 64;
/** … and how many such there are at the most: in a longer log they stand further apart. Each is a list of all turns. */
const MOST_KEPT = 150;
/**
 * Entries between two forests that are kept around the moment last asked for. What lies before one of them is the same
 * object from moment to moment, so that what shows it need not be drawn again: of the turns on the screen two or three
 * are, not half of them.
 */
const STEP = 16;

/**
 * The forest at any moment of a log, at once: forests along the way are kept, and share with each other what is the
 * same. Of one log at a time; one that only grew keeps what there is.
 */
export class Snapshots {
  #first: Entry | undefined;
  #stride = STRIDE;
  #kept: Forest[] = [emptyForest()];
  /** The steps from the kept forest that stands before the moment last asked for, as far as they were needed. */
  #near: { readonly begin: number; readonly steps: Forest[] } = { begin: -1, steps: [] };

  at(entries: readonly Entry[], count: number): Forest {
    if (entries[0] !== this.#first) {
      this.#first = entries[0];
      this.#stride = STRIDE;
      this.#kept = [emptyForest()];
      this.#near = { begin: -1, steps: [] };
    }
    while (entries.length / this.#stride > MOST_KEPT) {
      this.#stride *= 2;
      this.#kept = this.#kept.filter((_, place) => place % 2 === 0);
    }
    const place = Math.floor(count / this.#stride);
    const begin = place * this.#stride;
    extend(this.#kept, entries, 0, this.#stride, place);
    if (this.#near.begin !== begin) this.#near = { begin, steps: [this.#kept[place] as Forest] };
    const { steps } = this.#near;
    const step = Math.floor((count - begin) / STEP);
    extend(steps, entries, begin, STEP, step);
    return after(steps[step] as Forest, entries, begin + step * STEP, count);
  }
}

/** Adds forests to those at `begin`, `begin + every`, … until there is one at `begin + last * every`. */
const extend = (forests: Forest[], entries: readonly Entry[], begin: number, every: number, last: number): void => {
  while (forests.length <= last) {
    const from = begin + (forests.length - 1) * every;
    forests.push(after(forests.at(-1) as Forest, entries, from, from + every));
  }
};

const after = (forest: Forest, entries: readonly Entry[], from: number, to: number): Forest =>
  produce(forest, (draft) => {
    for (const entry of entries.slice(from, to)) apply(draft, entry);
  });
