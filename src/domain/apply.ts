import { Draft, freezeTables, WritableParts } from './changes.ts';
import type { Entry } from './entry.ts';
import { kindOf } from './event-kinds.ts';
import { emptyForest, type Forest } from './forest.ts';

/**
 * Applies one log entry to a forest, in place. Expects entries that `handle` accepted. Output that a model still
 * delivers for a turn undone in the meantime changes nothing. For `own`, see `Draft`.
 */
export const apply = (forest: Forest, { event, step, at }: Entry, own: WritableParts | null = null): void => {
  const { apply: write, undoable = true } = kindOf(event);
  const recorded = step === null || !undoable ? null : { id: step, type: event.type };
  write(new Draft(forest, recorded, own), event, { at, step });
};

/** The forest after the first `count` entries (all, if left out). */
export const fold = (entries: readonly Entry[], count = entries.length): Forest => {
  const forest = emptyForest();
  for (const entry of count < entries.length ? entries.slice(0, count) : entries) apply(forest, entry);
  return forest;
};

/** Marks a forest as no longer written to and returns it; use `applyEntries` to continue from it. */
export const frozen = (forest: Forest): Forest => {
  freezeTables(forest);
  return forest;
};

/** Returns the forest after some more entries. The previous one is left unchanged, shares unchanged data with it, and must not be written to. */
export const applyEntries = (forest: Forest, entries: readonly Entry[]): Forest => {
  if (entries.length === 0) return forest;
  const growing = new GrowingForest(forest);
  for (const entry of entries) growing.add(entry);
  return growing.done();
};

/** Does the same entry by entry: a forest per part on the way would copy what the earlier ones have changed again and again. */
export class GrowingForest {
  readonly #forest: Forest;
  readonly #own: WritableParts;

  constructor(forest: Forest) {
    this.#forest = { ...forest };
    this.#own = new WritableParts(this.#forest);
  }

  add(entry: Entry): void {
    apply(this.#forest, entry, this.#own);
  }

  /** The forest, to which nothing can be added any more. */
  done(): Forest {
    this.#own.freeze();
    return this.#forest;
  }
}
