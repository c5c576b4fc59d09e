import { apply } from '../../domain/apply.ts';
import type { Entry } from '../../domain/entry.ts';
import { emptyForest, type Forest } from '../../domain/forest.ts';

/** Entries that can be applied within a millisecond or two. */
const PART = 500;

/** Calls `onEntry` with each entry and the number of entries before it, and lets the page breathe between parts. */
export const readInParts = async (
  entries: readonly Entry[],
  breathe: () => Promise<void>,
  onEntry: (entry: Entry, before: number) => void,
  count = entries.length,
): Promise<void> => {
  // One by one: slicing a packed log would unpack the slice all at once.
  for (let at = 0; at < count; at++) {
    if (at % PART === 0) await breathe();
    onEntry(entries[at] as Entry, at);
  }
};

/** Like `fold`, but in parts, as above. */
export const foldInParts = async (
  entries: readonly Entry[],
  breathe: () => Promise<void>,
  count = entries.length,
  onEntry?: (entry: Entry, before: number) => void,
): Promise<Forest> => {
  const forest = emptyForest();
  const read = (entry: Entry, before: number): void => {
    apply(forest, entry);
    onEntry?.(entry, before);
  };
  await readInParts(entries, breathe, read, count);
  return forest;
};

/** Like `map`, but lets the page breathe between entries. One by one: going through a packed log at once would unpack all of it. */
export const mapInParts = async <T, U>(
  list: readonly T[],
  change: (one: T) => U,
  breathe: () => Promise<void>,
): Promise<U[]> => {
  const changed: U[] = [];
  for (const one of list) {
    await breathe();
    changed.push(change(one));
  }
  return changed;
};
