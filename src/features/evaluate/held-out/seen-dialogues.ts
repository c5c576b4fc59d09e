import type { LabelledDialogue } from '../datasets/dialogues.ts';

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

type DialogueGroups = Pick<LabelledDialogue, 'group' | 'groups'>;

/** The parts of the cross-validation that a dialogue has texts of: one, but for those put together from several. */
export type FoldsOf = (dialogue: DialogueGroups) => readonly number[];

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
): ((dialogue: DialogueGroups) => boolean) => {
  const single = dialogues.filter(({ groups = [] }) => groups.length <= 1);
  const families = familiesOf(single);
  const familyOf = (group: string) => families.get(group) ?? group;
  const out = new Set(single.filter(leftOut).map(({ group }) => familyOf(group)));
  return ({ group, groups = [group] }) => groups.every((name) => !out.has(familyOf(name)));
};

/** The set that a mix is of. */
const kindOf = (set: string): string => set.replace(/-(?:digressions|interleaved)$/, '');

/** A dialogue as far as it is recognised: by what the person says. */
interface Said {
  readonly turns: readonly { readonly message: string }[];
}

/** What dialogues are recognised by, by the part of the cross-validation that they were in. */
type FoldMarks = readonly (readonly number[])[];

export const seenIn = (dialogues: readonly LabelledDialogue[], foldsOf: FoldsOf): FoldMarks => {
  const seen = Array.from({ length: FOLDS }, () => new Set<number>());
  for (const dialogue of dialogues) {
    const [fold = 0] = foldsOf(dialogue);
    for (const mark of marksOf(dialogue).slice(0, RECOGNISED_BY)) seen[fold]?.add(mark);
  }
  return seen.map((marks) => [...marks].sort((a, b) => a - b));
};

/**
 * Says which part of the cross-validation a dialogue was in; null for one that was in none. It is known by its messages, not by its name,
 * so that parts of a mixed conversation are recognised, too.
 */
export const recognising = (seen: FoldMarks): ((dialogue: Said) => number | null) => {
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
const marksOf = ({ turns }: Said): number[] => {
  const messages = turns.map(({ message }) => message);
  const marks = messages.filter(telling);
  return (marks.length > 0 ? marks : [messages.join('\n')]).map(hashOf);
};

/** Shortest text that tells one dialogue from another, in characters of its normal form; anyone says what is shorter. */
const TELLING = 24;
/** Share of the word pairs of two messages that both have, from which they count as one message worded twice (Jaccard). */
const ALIKE = 0.8;

/** A text without case, punctuation, forms of letters and kinds of space. */
export const normalForm = (text: string): string => wordsIn(text).join(' ');

/** Whether a message says enough to tell one dialogue from another. */
export const telling = (message: string): boolean => normalForm(message).length >= TELLING;

/**
 * Which groups of dialogues have a telling message in common, word for word or nearly so: each group's family, under the
 * name of one group of it. A group is in one family with every group that it is joined to by others, too.
 */
export const familiesOf = (
  dialogues: readonly Pick<LabelledDialogue, 'group' | 'turns'>[],
): ReadonlyMap<string, string> => {
  const families = new Families();
  const messages = new Map<string, { readonly pairs: ReadonlySet<string>; readonly group: string }>();
  for (const { group, turns } of dialogues) {
    families.add(group);
    for (const { message } of turns.filter(({ message }) => telling(message))) {
      const words = wordsIn(message);
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

/** Words; in scripts that do not space them, characters. */
const wordsIn = (text: string): string[] => text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}\p{M}]+/gu;

const pairsOf = (words: readonly string[]): ReadonlySet<string> =>
  new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`));

/**
 * Which of these sets are alike, by their indices. Two sets of which so much is common share at least one of their rarest
 * members, so only these are looked up (prefix filtering: Chaudhuri et al., ICDE 2006).
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

/** Groups that are joined to families (union-find). The name of a family is the first of its groups by alphabet. */
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
