import { Draft } from './changes.ts';
import type { Entry } from './entry.ts';
import { kindOf } from './event-kinds.ts';
import { emptyForest, type Forest } from './forest.ts';

/**
 * Applies one entry of the log to a draft, in place: a replay folds a plain object, a live commit
 * wraps it in Immer. Expects entries that `handle` let through. What a model still delivers for a
 * turn that has been undone meanwhile changes nothing. `copies`: see `Draft`.
 */
export const apply = (forest: Forest, { event, step, at }: Entry, { copies = false } = {}): void => {
  const { apply: write, undoable = true } = kindOf(event);
  const recorded = step === null || !undoable ? null : { id: step, type: event.type };
  write(new Draft(forest, recorded, copies), event, { at, step });
};

/** The forest after the first `count` entries (all, if left out). */
export const fold = (entries: readonly Entry[], count = entries.length): Forest => {
  const forest = emptyForest();
  for (const entry of entries.slice(0, count)) apply(forest, entry);
  return forest;
};
