import { produce } from 'immer';
import { apply } from '../domain/apply.ts';
import type { Entry } from '../domain/events.ts';
import { emptyForest, type Forest } from '../domain/forest.ts';

/** Entries between two forests that are kept. From the nearest, any moment is this many entries away at most. */
const STRIDE = 250;

/**
 * The forest at any moment of a log, at once: forests along the way are kept, and share with each other what is the
 * same. Of one log at a time; one that only grew keeps what there is.
 */
export class Snapshots {
  #first: Entry | undefined;
  #kept: Forest[] = [emptyForest()];

  at(entries: readonly Entry[], count: number): Forest {
    if (entries[0] !== this.#first) {
      this.#first = entries[0];
      this.#kept = [emptyForest()];
    }
    while (this.#kept.length <= Math.floor(count / STRIDE)) {
      const from = (this.#kept.length - 1) * STRIDE;
      this.#kept.push(after(this.#kept.at(-1) as Forest, entries, from, from + STRIDE));
    }
    const nearest = Math.floor(count / STRIDE);
    return after(this.#kept[nearest] as Forest, entries, nearest * STRIDE, count);
  }
}

const after = (forest: Forest, entries: readonly Entry[], from: number, to: number): Forest =>
  produce(forest, (draft) => {
    for (const entry of entries.slice(from, to)) apply(draft, entry);
  });
