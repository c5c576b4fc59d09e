import type { Trees } from './boosted-trees.ts';

/**
 * Of each row the sum of the trees' scores, in log-odds. No tree is walked: column by column, each threshold that a
 * row's value is not below rules out the leaves on the other side (QuickScorer, Lucchese et al., SIGIR 2015), and what
 * is the same in all rows rules them out once. A walk mispredicts a branch at every tree.
 */
export const scoresBy = (trees: Trees, rows: readonly Float32Array[]): Float64Array => {
  const asked = byColumn(trees);
  const [first] = rows;
  const sums = new Float64Array(rows.length);
  if (first === undefined) return sums;
  const differing: number[] = [];
  const left = new Int32Array(trees.roots.length).fill(ALL);
  for (let column = 0; column < trees.features.length; column++) {
    const value = first[column] as number;
    let of = 1;
    while (of < rows.length && (rows[of] as Float32Array)[column] === value) of += 1;
    if (of === rows.length) ruleOut(left, asked, column, value);
    else differing.push(column);
  }
  for (let of = 0; of < rows.length; of++) {
    const row = rows[of] as Float32Array;
    const own = left.slice();
    for (const column of differing) ruleOut(own, asked, column, row[column] as number);
    sums[of] = sumOfLeaves(own, asked);
  }
  return sums;
};

/** A bit for each leaf, the first one highest. */
const ALL = -1;
const MOST_LEAVES = 32;

/** What the trees ask, by column and there by threshold, lowest first. */
interface ByColumn {
  /** Where each column's thresholds begin; and where the last one's end. */
  readonly starts: Int32Array;
  readonly thresholds: Float32Array;
  readonly trees: Int32Array;
  /** The leaves of that tree that are left to what is not below the threshold. */
  readonly leaves: Int32Array;
  /** The values of all leaves in order, and where each tree's begin. */
  readonly values: Float32Array;
  readonly firstLeaves: Int32Array;
}

/** What is no number (a logarithm of less than 0) is below nothing. */
const ruleOut = (left: Int32Array, asked: ByColumn, column: number, value: number): void => {
  const { starts, thresholds, trees, leaves } = asked;
  const end = starts[column + 1] as number;
  for (let at = starts[column] as number; at < end && !(value < (thresholds[at] as number)); at++) {
    const tree = trees[at] as number;
    left[tree] = (left[tree] as number) & (leaves[at] as number);
  }
};

/** Of the leaves that are left, the first is the one that a walk would reach. */
const sumOfLeaves = (left: Int32Array, { values, firstLeaves }: ByColumn): number => {
  let sum = 0;
  for (let tree = 0; tree < left.length; tree++) {
    sum += values[(firstLeaves[tree] as number) + Math.clz32(left[tree] as number)] as number;
  }
  return sum;
};

/** Done once for a model's trees: some 14,000 nodes in all that ship. */
export const byColumn = (trees: Trees): ByColumn => {
  const known = laidOut.get(trees);
  if (known !== undefined) return known;
  const { features, roots, column, threshold, skip, value } = trees;
  const values: number[] = [];
  const firstLeaves = new Int32Array(roots.length);
  const nodes: { node: number; tree: number; leaves: number }[] = [];
  roots.forEach((root, tree) => {
    firstLeaves[tree] = values.length;
    /** Returns the bits of the leaves under a node. */
    const lay = (node: number): number => {
      if ((column[node] as number) < 0) {
        const leaf = values.push(value[node] as number) - 1 - (firstLeaves[tree] as number);
        if (leaf >= MOST_LEAVES) throw new Error(`a tree has more than ${MOST_LEAVES} leaves`);
        return 1 << (MOST_LEAVES - 1 - leaf);
      }
      const below = lay(node + 1);
      nodes.push({ node, tree, leaves: ~below });
      return below | lay(node + (skip[node] as number));
    };
    lay(root);
  });
  const columnOf = ({ node }: { node: number }): number => column[node] as number;
  const thresholdOf = ({ node }: { node: number }): number => threshold[node] as number;
  nodes.sort((a, b) => columnOf(a) - columnOf(b) || thresholdOf(a) - thresholdOf(b));
  const starts = new Int32Array(features.length + 1);
  for (const node of nodes) starts[columnOf(node) + 1] = (starts[columnOf(node) + 1] as number) + 1;
  for (let at = 0; at < features.length; at++) starts[at + 1] = (starts[at + 1] as number) + (starts[at] as number);
  const found = {
    starts,
    thresholds: Float32Array.from(nodes, thresholdOf),
    trees: Int32Array.from(nodes, ({ tree }) => tree),
    leaves: Int32Array.from(nodes, ({ leaves }) => leaves),
    values: Float32Array.from(values),
    firstLeaves,
  };
  laidOut.set(trees, found);
  return found;
};
const laidOut = new WeakMap<Trees, ByColumn>();
