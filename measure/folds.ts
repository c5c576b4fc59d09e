import type { LabelledDialogue } from '../src/features/evaluate/datasets/dialogues.ts';
import {
  type FoldMarks,
  fingerprintsOf,
  hashOf,
  isDistinctive,
  normalWords,
} from '../src/features/evaluate/held-out/seen-dialogues.ts';

export const FOLDS = 5;

/** Sets of few, long trees that mixed conversations are composed from; each set goes into a single fold. */
const WHOLE: Readonly<Record<string, number>> = { cast2022: 0, oasst: 1 };
/** How many of a dialogue's marks are used to recognise it: the first ones. */
const RECOGNISED_BY = 2;

type DialogueGroups = Pick<LabelledDialogue, 'group' | 'groups'>;

/** The cross-validation folds that share texts with a dialogue: one, except for dialogues composed from several. */
export type FoldsOf = (dialogue: DialogueGroups) => readonly number[];

/**
 * Assigns dialogues to cross-validation folds so that dialogues that share texts land in the same fold: those with the same
 * group, with identical or nearly identical telling messages, or from a set that is held out whole. Weights fitted without a
 * fold's dialogues have seen no telling message of any dialogue that is only in that fold.
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
 * Returns a predicate for dialogues that share nothing with those left out: they are not among them, are not composed from
 * any of them (including digression openers), and share no telling message with them.
 */
export const unrelatedTo = (
  dialogues: readonly LabelledDialogue[],
  leftOut: (dialogue: LabelledDialogue) => boolean,
): ((dialogue: DialogueGroups) => boolean) => {
  const single = dialogues.filter(({ groups = [] }) => groups.length <= 1);
  const families = familiesOf(single);
  const familyOf = (group: string) => families.get(group) ?? group;
  const out = new Set(single.filter(leftOut).map(({ group }) => familyOf(group)));
  return ({ group, groups = [group] }) => groups.every((name) => !out.has(familyOf(name)));
};

/** The base set of a mixed set. */
const kindOf = (set: string): string => set.replace(/-(?:digressions|interleaved)$/, '');

export const seenIn = (dialogues: readonly LabelledDialogue[], foldsOf: FoldsOf): FoldMarks => {
  const seen = Array.from({ length: FOLDS }, () => new Set<number>());
  for (const dialogue of dialogues) {
    const [fold = 0] = foldsOf(dialogue);
    for (const mark of fingerprintsOf(dialogue).slice(0, RECOGNISED_BY)) seen[fold]?.add(mark);
  }
  return seen.map((marks) => [...marks].sort((a, b) => a - b));
};

/** Jaccard similarity of word pairs from which two messages count as the same message reworded. */
const ALIKE = 0.8;

/**
 * Finds groups of dialogues that share a telling message, word for word or nearly so. Maps each group to its family, named
 * after one of its groups. Membership is transitive: groups connected through others are in the same family.
 */
export const familiesOf = (
  dialogues: readonly Pick<LabelledDialogue, 'group' | 'turns'>[],
): ReadonlyMap<string, string> => {
  const families = new Families();
  const messages = new Map<string, { readonly pairs: ReadonlySet<string>; readonly group: string }>();
  for (const { group, turns } of dialogues) {
    families.add(group);
    for (const { message } of turns.filter(({ message }) => isDistinctive(message))) {
      const words = normalWords(message);
      const text = words.join(' ');
      const known = messages.get(text);
      if (known === undefined) messages.set(text, { pairs: pairsOf(words), group });
      else families.join(known.group, group);
    }
  }
  const all = [...messages.values()];
  for (const [one, other] of alike(all.map(({ pairs }) => pairs))) {
    families.join(all[one]?.group ?? '', all[other]?.group ?? '');
  }
  return families.names();
};

const pairsOf = (words: readonly string[]): ReadonlySet<string> =>
  new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`));

/**
 * Returns the index pairs of similar sets. Two sets with this much overlap share at least one of their rarest members, so
 * only those are looked up (prefix filtering: Chaudhuri et al., ICDE 2006).
 */
const alike = (sets: readonly ReadonlySet<string>[]): [number, number][] => {
  const frequency = new Map<string, number>();
  for (const set of sets) for (const member of set) frequency.set(member, (frequency.get(member) ?? 0) + 1);
  const having = new Map<string, number[]>();
  const found: [number, number][] = [];
  for (const [at, set] of sets.entries()) {
    const rarest = [...set]
      .sort((a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0) || (a < b ? -1 : 1))
      .slice(0, set.size - Math.ceil(ALIKE * set.size) + 1);
    const candidates = new Set(rarest.flatMap((member) => having.get(member) ?? []));
    for (const other of candidates) if (jaccard(set, sets[other] ?? new Set()) >= ALIKE) found.push([other, at]);
    for (const member of rarest) having.set(member, [...(having.get(member) ?? []), at]);
  }
  return found;
};

const jaccard = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  const both = [...one].filter((member) => other.has(member)).length;
  return both / (one.size + other.size - both);
};

/** Union-find of groups into families. A family is named after its alphabetically first group. */
class Families {
  readonly #above = new Map<string, string>();

  add(group: string): void {
    if (!this.#above.has(group)) this.#above.set(group, group);
  }

  join(one: string, other: string): void {
    const [first, second] = [this.#top(one), this.#top(other)].sort();
    if (first !== undefined && second !== undefined) this.#above.set(second, first);
  }

  names(): ReadonlyMap<string, string> {
    return new Map([...this.#above.keys()].map((group) => [group, this.#top(group)]));
  }

  #top(group: string): string {
    let top = group;
    for (let above = this.#above.get(top); above !== undefined && above !== top; above = this.#above.get(top)) {
      top = above;
    }
    return top;
  }
}
