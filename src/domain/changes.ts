import type { Forest } from './forest.ts';

/** Where in the forest: a key, or a table and a record, or a field of a record. */
export type Path = readonly [string] | readonly [string, string] | readonly [string, string, string];

/** A value that was replaced. `from` is undefined where nothing stood. */
export interface Change {
  readonly path: Path;
  readonly from: unknown;
}

type Bag = Record<string, unknown>;

const holderOf = (forest: Forest, path: Path): { bag: Bag; key: string } | null => {
  let bag: Bag = forest as unknown as Bag;
  for (const key of path.slice(0, -1)) {
    const next = bag[key];
    if (next === undefined) return null;
    bag = next as Bag;
  }
  return { bag, key: path[path.length - 1] as string };
};

/** Puts a value in its place and returns what it takes to put the old one back. */
export const replace = (forest: Forest, path: Path, value: unknown): Change => {
  const holder = holderOf(forest, path);
  // A field of a record that is gone: nothing to write, nothing to restore.
  if (holder === null) return { path, from: undefined };
  const { bag, key } = holder;
  const from = bag[key];
  if (value === undefined) delete bag[key];
  else bag[key] = value;
  return { path, from };
};

/** Reverts changes, last first, and returns the changes that bring them back. */
export const revert = (forest: Forest, changes: readonly Change[]): Change[] =>
  [...changes].reverse().map((change) => replace(forest, change.path, change.from));
