import { kmeans } from 'ml-kmeans';

/* Apart from similarity.ts, which the first paint loads: k-means comes with a matrix library. */

/** Fixed, so that the same points always form the same clusters. */
const SEED = 7;

/**
 * Splits vectors into groups of at most `most`, as indices in order: bisecting k-means until every group is small
 * enough. RAPTOR and TaciTree use a Gaussian mixture over a few UMAP dimensions; a conversation has a hundred
 * points, not ten thousand, and here each point is in exactly one group, so that an unchanged group keeps its
 * summary.
 */
export const clustersOf = (vectors: readonly Float32Array[], most: number): number[][] => {
  const split = (members: readonly number[]): number[][] => {
    if (members.length <= most) return [[...members]];
    const [left, right] = twoOf(vectors, members);
    return [...split(left), ...split(right)];
  };
  return vectors.length === 0 ? [] : split(vectors.map((_, at) => at)).sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
};

/** Splits members into two groups, neither empty. */
export const twoOf = (vectors: readonly Float32Array[], members: readonly number[]): [number[], number[]] => {
  const points = members.map((at) => Array.from(vectors[at] as Float32Array));
  const { clusters } = kmeans(points, 2, { seed: SEED, maxIterations: 20 });
  const left = members.filter((_, i) => clusters[i] === clusters[0]);
  const right = members.filter((_, i) => clusters[i] !== clusters[0]);
  if (right.length > 0) return [left, right];
  // All in the same place: split chronologically.
  const half = Math.ceil(members.length / 2);
  return [members.slice(0, half), members.slice(half)];
};
