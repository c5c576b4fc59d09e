import type { LabelledDialogue } from './labelled-dialogue.ts';

/** Shortest message that tells one dialogue from another, in characters. */
const TELLING = 24;

export const telling = (message: string): boolean => message.length >= TELLING;

/** 32 bits of a message (FNV-1a): enough to recognise one, too little to read it. */
export const hashOf = (message: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < message.length; at++) hash = Math.imul(hash ^ message.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

export const FOLDS = 5;

/** Sets of few trees, which the conversations that are measured are put together from. */
const TREES: readonly string[] = ['cast2022', 'oasst'];

type Grouped = Pick<LabelledDialogue, 'set' | 'group' | 'groups'>;

/** The folds of the cross-validation that leave a dialogue out, because they leave out a dialogue it has texts of. */
export type FoldsOf = (dialogue: Grouped) => number[];

/**
 * Every dialogue is left out of one fold. Trees that conversations are put together from are left out in runs: each
 * fold its fifth of them, in their order, and as many more as the longest conversation has trees. So
 * every conversation put together from neighbours, which is how they are, is left out whole in one of the folds.
 */
export const foldsAmong = (dialogues: readonly Grouped[]): FoldsOf => {
  const leftOut = new Map(TREES.map((set) => [set, runsOf(set, dialogues)]));
  return ({ set, group, groups = [group] }) => {
    const runs = leftOut.get(familyOf(set));
    const folds = groups.flatMap((name) => runs?.get(name) ?? [hashOf(name) % FOLDS]);
    return [...new Set(folds)].sort((a, b) => a - b);
  };
};

/** By tree of a set, the folds that leave it out. */
const runsOf = (set: string, dialogues: readonly Grouped[]): ReadonlyMap<string, number[]> => {
  const trees = [...new Set(dialogues.filter((dialogue) => dialogue.set === set).map(({ group }) => group))];
  const most = dialogues
    .filter((dialogue) => familyOf(dialogue.set) === set)
    .reduce((longest, { groups }) => Math.max(longest, groups?.length ?? 1), 1);
  const starts = Array.from({ length: FOLDS }, (_, fold) => Math.floor((fold * trees.length) / FOLDS));
  return new Map(
    trees.map((tree, at) => [
      tree,
      starts.flatMap((start, fold) => {
        const length = (starts[fold + 1] ?? trees.length) - start + most - 1;
        return (at - start + trees.length) % trees.length < length ? [fold] : [];
      }),
    ]),
  );
};

const familyOf = (set: string): string => set.split('-')[0] ?? set;

/** By fold, the first telling messages of each dialogue it leaves out, as hashes; none that other folds tell of otherwise. */
export const seenIn = (dialogues: readonly LabelledDialogue[], foldsOf: FoldsOf): number[][] => {
  const known = new Map<number, readonly number[]>();
  const ambiguous = new Set<number>();
  for (const dialogue of dialogues) {
    // What it is put together from is there by itself.
    if ((dialogue.groups?.length ?? 1) > 1) continue;
    const folds = foldsOf(dialogue);
    for (const { message } of dialogue.turns.filter(({ message }) => telling(message)).slice(0, 2)) {
      const hash = hashOf(message);
      if ((known.get(hash) ?? folds).join() !== folds.join()) ambiguous.add(hash);
      known.set(hash, folds);
    }
  }
  return Array.from({ length: FOLDS }, (_, fold) =>
    [...known].flatMap(([hash, of]) => (of.includes(fold) && !ambiguous.has(hash) ? [hash] : [])).sort((a, b) => a - b),
  );
};
