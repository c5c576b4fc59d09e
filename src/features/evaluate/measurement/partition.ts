/** How far two ways of putting the same items into groups agree. Groups are given as one name an item. */
export interface Agreement {
  /** Harmonic mean of homogeneity and completeness (Rosenberg & Hirschberg 2007), 0–1. */
  readonly vMeasure: number;
  /** Pairs of items together in both, in what was found, and in what is right. */
  readonly pairs: { readonly both: number; readonly found: number; readonly right: number };
}

export const agreement = (right: readonly number[], found: readonly number[]): Agreement => {
  const joint = sizes(right.map((group, at) => `${group}/${found[at]}`));
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

const sizes = (groups: readonly (number | string)[]): number[] => {
  const counts = new Map<number | string, number>();
  for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1);
  return [...counts.values()];
};

const entropy = (counts: readonly number[]): number => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  // A single group has no entropy; -0 would not be 0 for everyone.
  return counts.length < 2 ? 0 : -counts.reduce((sum, count) => sum + (count / total) * Math.log(count / total), 0);
};

const pairsIn = (counts: readonly number[]): number =>
  counts.reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
