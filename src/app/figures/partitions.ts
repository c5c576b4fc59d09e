import { sum } from '../../domain/numbers.ts';

/** A grouping of items to compare with another of the same items: one group's name for each item. */
type Partition = readonly (number | string)[];

/** How well two partitions agree. */
interface GroupAgreement {
  /** Harmonic mean of homogeneity and completeness (Rosenberg & Hirschberg 2007), 0–1. */
  readonly vMeasure: number;
  /** Pairs of items that are together in both, in the found and in the right partition. */
  readonly pairs: { readonly both: number; readonly found: number; readonly right: number };
}

export const groupAgreement = (right: Partition, found: Partition): GroupAgreement => {
  const joint = sizes(jointOf(right, found));
  const rightSizes = sizes(right);
  const foundSizes = sizes(found);
  const rightEntropy = entropy(rightSizes);
  const foundEntropy = entropy(foundSizes);
  const shared = rightEntropy + foundEntropy - entropy(joint);
  const homogeneity = rightEntropy === 0 ? 1 : shared / rightEntropy;
  const completeness = foundEntropy === 0 ? 1 : shared / foundEntropy;
  const both = homogeneity + completeness;
  return {
    vMeasure: both === 0 ? 0 : Math.max(0, (2 * homogeneity * completeness) / both),
    pairs: { both: pairsIn(joint), found: pairsIn(foundSizes), right: pairsIn(rightSizes) },
  };
};

/** 1 − the variation of information (Meilă 2007), scaled to 0–1 by the logarithm of the number of items. */
export const oneMinusVi = (one: Partition, other: Partition): number => {
  if (one.length < 2) return 1;
  const variation = 2 * entropy(sizes(jointOf(one, other))) - entropy(sizes(one)) - entropy(sizes(other));
  return 1 - variation / Math.log(one.length);
};

/** The adjusted Rand index (Hubert & Arabie 1985); NaN if both have one group, or both only single items. */
export const adjustedRand = (one: Partition, other: Partition): number => {
  const both = pairsIn(sizes(jointOf(one, other)));
  const [ofOne, ofOther] = [pairsIn(sizes(one)), pairsIn(sizes(other))];
  const all = pairsIn([one.length]);
  const byChance = all === 0 ? 0 : (ofOne * ofOther) / all;
  const most = (ofOne + ofOther) / 2;
  return most === byChance ? Number.NaN : (both - byChance) / (most - byChance);
};

/** Number of items that stay in their group under the best one-to-one pairing of groups (Elsner & Charniak 2008). */
export const keptOneToOne = (one: Partition, other: Partition): number => {
  const [rows, columns] = [[...new Set(one)], [...new Set(other)]];
  const joint = new Map<string, number>();
  for (const key of jointOf(one, other)) joint.set(key, (joint.get(key) ?? 0) + 1);
  return bestPairing(rows.map((row) => columns.map((column) => joint.get(jointName(row, column)) ?? 0)));
};

/** Counts the groups of more than one item that are the same in both (Kummerfeld et al. 2019), and how many each has. */
export const exactGroups = (one: Partition, other: Partition) => {
  const [first, second] = [membersOf(one), membersOf(other)];
  const known = new Set(first);
  return { both: second.filter((group) => known.has(group)).length, one: first.length, other: second.length };
};

/** Counts the pairs of items at most `reach` apart, and those that are together in both or in neither (loc-k, Elsner & Charniak 2008). */
export const localPairs = (one: Partition, other: Partition, reach = 3): { agreed: number; all: number } => {
  let [agreed, all] = [0, 0];
  for (let at = 0; at < one.length; at++) {
    for (let before = Math.max(0, at - reach); before < at; before++) {
      all++;
      if ((one[at] === one[before]) === (other[at] === other[before])) agreed++;
    }
  }
  return { agreed, all };
};

const jointName = (one: number | string, other: number | string | undefined): string => `${one}/${other}`;
const jointOf = (one: Partition, other: Partition): string[] => one.map((group, at) => jointName(group, other[at]));

/** Each group of more than one item, as the list of its items. */
const membersOf = (partition: Partition): string[] => {
  const members = new Map<number | string, number[]>();
  for (const [at, group] of partition.entries()) members.set(group, [...(members.get(group) ?? []), at]);
  return [...members.values()].filter((group) => group.length > 1).map((group) => group.join());
};

const sizes = (groups: Partition): number[] => {
  const counts = new Map<number | string, number>();
  for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1);
  return [...counts.values()];
};

const entropy = (counts: readonly number[]): number => {
  const total = sum(counts);
  // A single group has no entropy; this also avoids -0.
  return counts.length < 2 ? 0 : -counts.reduce((sum, count) => sum + (count / total) * Math.log(count / total), 0);
};

const pairsIn = (counts: readonly number[]): number =>
  counts.reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);

/**
 * Returns the largest sum of cells no two of which share a row or a column, by the Hungarian method with potentials
 * (Kuhn 1955): each row in turn is paired along the shortest augmenting path.
 */
const bestPairing = (gains: readonly (readonly number[])[]): number => {
  const size = Math.max(gains.length, gains[0]?.length ?? 0);
  // Indices start at 1; 0 means "none yet". Gains are negated into costs, and the smallest sum is sought; missing cells cost nothing.
  const cost = (row: number, column: number): number => -(gains[row - 1]?.[column - 1] ?? 0);
  const ofRow = new Float64Array(size + 1);
  const ofColumn = new Float64Array(size + 1);
  const rowAt = new Int32Array(size + 1);
  for (let row = 1; row <= size; row++) {
    const before = new Int32Array(size + 1);
    const slack = new Float64Array(size + 1).fill(Number.POSITIVE_INFINITY);
    const seen = new Uint8Array(size + 1);
    let column = 0;
    rowAt[0] = row;
    do {
      seen[column] = 1;
      const from = rowAt[column] as number;
      let [least, next] = [Number.POSITIVE_INFINITY, 0];
      for (let to = 1; to <= size; to++) {
        if (seen[to]) continue;
        const reduced = cost(from, to) - (ofRow[from] as number) - (ofColumn[to] as number);
        if (reduced < (slack[to] as number)) {
          slack[to] = reduced;
          before[to] = column;
        }
        if ((slack[to] as number) < least) [least, next] = [slack[to] as number, to];
      }
      for (let to = 0; to <= size; to++) {
        if (seen[to]) {
          (ofRow[rowAt[to] as number] as number) += least;
          (ofColumn[to] as number) -= least;
        } else (slack[to] as number) -= least;
      }
      column = next;
    } while (rowAt[column] !== 0);
    while (column !== 0) {
      const previous = before[column] as number;
      rowAt[column] = rowAt[previous] as number;
      column = previous;
    }
  }
  let sum = 0;
  for (let column = 1; column <= size; column++) sum -= cost(rowAt[column] as number, column);
  return sum;
};

/*
 * How well two people agree on what each turn of a dialogue continues. A turn's links are its parent and its further
 * parents; opening a topic, or continuing something outside the dialogue, is a link as well.
 */

export interface LinkedTurn {
  /** The index of an earlier turn, or none. */
  readonly parent: number | 'new-topic' | 'elsewhere';
  readonly furtherParents: readonly number[];
  /** How it connects to what was said before. */
  readonly placement: string;
}

/** null: not labelled. */
export type LinkedTurns = readonly (LinkedTurn | null)[];

/** Counts over the turns that both labelled; they add up over dialogues. */
interface LinkCounts {
  readonly turns: number;
  /** Links that both have, and those that each has: F1 is 2 · both / (one + other). */
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
 * Returns the thread of each turn, as the index of its first turn: turns are joined by their parents. A further parent
 * joins no threads, since a turn that draws on two topics does not make them one. If a parent is not labelled, the
 * thread begins there.
 */
export const threadsOf = (turns: LinkedTurns): (number | null)[] => {
  const threads: (number | null)[] = [];
  for (const [at, turn] of turns.entries()) {
    if (turn === null) threads.push(null);
    else threads.push(typeof turn.parent === 'number' ? (threads[turn.parent] ?? turn.parent) : at);
  }
  return threads;
};
