import { produce } from 'immer';
import { apply } from '../domain/apply.ts';
import type { Entry } from '../domain/events.ts';
import { emptyForest, type Forest } from '../domain/forest.ts';

/** Entries between two forests that are kept for good. */
const STRIDE = 250;
/**
 * Entries between two forests that are kept around the moment last asked for. What lies before one of them is the same
 * object from moment to moment, so that what shows it need not be drawn again: of 40 turns on the screen three or four
 * are, not half of them.
 */
const STEP = 25;

/**
 * The forest at any moment of a log, at once: forests along the way are kept, and share with each other what is the
 * same. Of one log at a time; one that only grew keeps what there is.
 */
export class Snapshots {
  #first: Entry | undefined;
  #kept: Forest[] = [emptyForest()];
  /** The steps from the kept forest that stands before the moment last asked for, as far as they were needed. */
  #near: { readonly stride: number; readonly steps: Forest[] } = { stride: -1, steps: [] };

  at(entries: readonly Entry[], count: number): Forest {
    if (entries[0] !== this.#first) {
      this.#first = entries[0];
      this.#kept = [emptyForest()];
      this.#near = { stride: -1, steps: [] };
    }
    const stride = Math.floor(count / STRIDE);
    extend(this.#kept, entries, 0, STRIDE, stride);
    if (this.#near.stride !== stride) this.#near = { stride, steps: [this.#kept[stride] as Forest] };
    const { steps } = this.#near;
    const begin = stride * STRIDE;
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
