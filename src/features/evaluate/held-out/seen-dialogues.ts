import type { LabelledDialogue } from '../datasets/labelled-dialogue.ts';
import { familiesOf, telling } from './near-duplicates.ts';

/** 32 bits of a message (FNV-1a): enough to recognise one, too little to read it. */
const hashOf = (message: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < message.length; at++) hash = Math.imul(hash ^ message.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

export const FOLDS = 5;

/** Sets of few, long trees, which conversations are put together from: all of one are in the same fold. */
const WHOLE: Readonly<Record<string, number>> = { cast2022: 0, oasst: 1 };
/** How many of its marks a dialogue is recognised by: the first ones. */
const RECOGNISED_BY = 2;

type Grouped = Pick<LabelledDialogue, 'group' | 'groups'>;

/** The parts of the cross-validation that a dialogue has texts of: one, but for those put together from several. */
export type FoldsOf = (dialogue: Grouped) => readonly number[];

/**
 * Divides dialogues among the parts of a cross-validation, so that those with texts in common are in one part: of the same
 * group, with the same or nearly the same telling messages, or of a set that is left out whole. Weights that were fitted
 * without the dialogues of which a part is named saw no telling message of any dialogue that is in this part alone.
 */
export const foldsIn = (dialogues: readonly LabelledDialogue[]): FoldsOf => {
  const single = dialogues.filter(({ groups = [] }) => groups.length <= 1);
  const sourceOf = new Map(single.map(({ set, group }) => [group, kindOf(set) in WHOLE ? kindOf(set) : group]));
  const families = familiesOf(single.map(({ group, turns }) => ({ group: sourceOf.get(group) ?? group, turns })));
  const whole = new Map(Object.entries(WHOLE).map(([set, fold]) => [families.get(set), fold]));
  return ({ group, groups = [group] }) => {
    const folds = groups.map((name) => {
      const source = sourceOf.get(name) ?? name;
      const family = families.get(source) ?? source;
      return whole.get(family) ?? hashOf(family) % FOLDS;
    });
    return [...new Set(folds)];
  };
};

/**
 * Which dialogues have nothing of those that are left out: they are none of them, not put together from any, openers of
 * digressions included, and have no telling message in common with one.
 */
export const unrelatedTo = (
  dialogues: readonly LabelledDialogue[],
  leftOut: (dialogue: LabelledDialogue) => boolean,
): ((dialogue: Grouped) => boolean) => {
  const single = dialogues.filter(({ groups = [] }) => groups.length <= 1);
  const families = familiesOf(single);
  const familyOf = (group: string) => families.get(group) ?? group;
  const out = new Set(single.filter(leftOut).map(({ group }) => familyOf(group)));
  return ({ group, groups = [group] }) => groups.every((name) => !out.has(familyOf(name)));
};

/** The set that a mix is of. */
const kindOf = (set: string): string => set.replace(/-(?:digressions|interleaved)$/, '');

/** What dialogues are recognised by, by the part of the cross-validation that they were in. */
export type Seen = readonly (readonly number[])[];

export const seenIn = (dialogues: readonly LabelledDialogue[], foldsOf: FoldsOf): Seen => {
  const seen = Array.from({ length: FOLDS }, () => new Set<number>());
  for (const dialogue of dialogues) {
    // What one is put together from is there by itself.
    if ((dialogue.groups ?? []).length > 1) continue;
    const [fold = 0] = foldsOf(dialogue);
    for (const mark of marksOf(dialogue).slice(0, RECOGNISED_BY)) seen[fold]?.add(mark);
  }
  return seen.map((marks) => [...marks].sort((a, b) => a - b));
};

/**
 * Says which part of the cross-validation a dialogue was in; null for one that was in none. It is known by its messages, not by its name,
 * so that parts of a mixed conversation are recognised, too.
 */
export const recognising = (seen: Seen): ((dialogue: Pick<LabelledDialogue, 'turns'>) => number | null) => {
  const foldOf = new Map(seen.flatMap((marks, fold) => marks.map((mark): [number, number] => [mark, fold])));
  return (dialogue) => {
    const votes = new Map<number, number>();
    for (const mark of marksOf(dialogue)) {
      const fold = foldOf.get(mark);
      if (fold !== undefined) votes.set(fold, (votes.get(fold) ?? 0) + 1);
    }
    return [...votes].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
  };
};

/** Hashes of what tells a dialogue from others: each telling message; where it has none, all of it. */
const marksOf = ({ turns }: Pick<LabelledDialogue, 'turns'>): number[] => {
  const messages = turns.map(({ message }) => message);
  const marks = messages.filter(telling);
  return (marks.length > 0 ? marks : [messages.join('\n')]).map(hashOf);
};
