import { apply } from '../../domain/apply.ts';
import type { Entry } from '../../domain/entry.ts';
import { emptyForest, type Forest } from '../../domain/forest.ts';

/** Entries that are applied within a millisecond or two. */
const PART = 500;

/** As `fold`, but between parts the page can breathe. `onEntry` is told of each entry, and how many stand before it. */
export const foldInParts = async (
  entries: readonly Entry[],
  breathe: () => Promise<void>,
  count = entries.length,
  onEntry?: (entry: Entry, before: number) => void,
): Promise<Forest> => {
  const forest = emptyForest();
  // One by one: of a packed log a slice would be unpacked at once.
  for (let at = 0; at < count; at++) {
    if (at % PART === 0) await breathe();
    const entry = entries[at] as Entry;
    apply(forest, entry);
    onEntry?.(entry, at);
  }
  return forest;
};
