import type { LabelledDialogue } from '../datasets/labelled-dialogue.ts';

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
