/*
 * How far two people agree on what each turn of a dialogue goes on from. A turn's links are its parent and its further
 * parents; that it opens a topic, or goes on from something that is not in the dialogue, is a link as well.
 */

export interface LinkedTurn {
  /** The index of an earlier turn, or none. */
  readonly parent: number | 'new-topic' | 'elsewhere';
  readonly furtherParents: readonly number[];
  /** How it joins what was said before. */
  readonly placement: string;
}

/** null: not labelled. */
export type LinkedTurns = readonly (LinkedTurn | null)[];

/** Of the turns that both labelled; sums over dialogues are sums again. */
interface LinkCounts {
  readonly turns: number;
  /** Links that both have, and those of each: F1 is 2 · both / (one + other). */
  readonly both: number;
  readonly one: number;
  readonly other: number;
  /** Turns with the same parent (UAS), and with the same parent and action (LAS). */
  readonly parents: number;
  readonly labelled: number;
}

export const linkCounts = (one: LinkedTurns, other: LinkedTurns): LinkCounts => {
  const counts = { turns: 0, both: 0, one: 0, other: 0, parents: 0, labelled: 0 };
  for (const [at, first] of one.entries()) {
    const second = other[at] ?? null;
    if (first === null || second === null) continue;
    const [ofFirst, ofSecond] = [linksOf(first), linksOf(second)];
    counts.turns++;
    counts.one += ofFirst.size;
    counts.other += ofSecond.size;
    counts.both += [...ofFirst].filter((link) => ofSecond.has(link)).length;
    if (first.parent !== second.parent) continue;
    counts.parents++;
    if (first.placement === second.placement) counts.labelled++;
  }
  return counts;
};

const linksOf = ({ parent, furtherParents }: LinkedTurn): ReadonlySet<LinkedTurn['parent']> =>
  new Set([parent, ...furtherParents]);

/**
 * The thread of each turn, by the index of its first turn: turns joined by their parents. A further parent joins no threads, for
 * a turn that draws on two topics does not make them one. Of a parent that is not labelled itself the thread begins there.
 */
export const threadsOf = (turns: LinkedTurns): (number | null)[] => {
  const threads: (number | null)[] = [];
  for (const [at, turn] of turns.entries()) {
    if (turn === null) threads.push(null);
    else threads.push(typeof turn.parent === 'number' ? (threads[turn.parent] ?? turn.parent) : at);
  }
  return threads;
};
