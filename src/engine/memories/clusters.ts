import { kmeans } from 'ml-kmeans';

/** The same points always make the same clusters. */
const SEED = 7;

/**
 * Groups of at most `most` vectors, as indices in order: two means, again and again, until every group is small enough
 * (bisecting k-means). RAPTOR and TaciTree use a Gaussian mixture over UMAP's few dimensions; a conversation has a hundred
 * points, not ten thousand, and a point stands in one group here, so that a group that did not change keeps its summary.
 */
export const clustersOf = (vectors: readonly Float32Array[], most: number): number[][] => {
  const split = (members: readonly number[]): number[][] => {
    if (members.length <= most) return [[...members]];
    const [left, right] = twoOf(vectors, members);
    return [...split(left), ...split(right)];
  };
  return vectors.length === 0 ? [] : split(vectors.map((_, at) => at)).sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
};

/** Two groups, neither empty. */
export const twoOf = (vectors: readonly Float32Array[], members: readonly number[]): [number[], number[]] => {
  const points = members.map((at) => Array.from(vectors[at] as Float32Array));
  const { clusters } = kmeans(points, 2, { seed: SEED, maxIterations: 20 });
  const left = members.filter((_, i) => clusters[i] === clusters[0]);
  const right = members.filter((_, i) => clusters[i] !== clusters[0]);
  if (right.length > 0) return [left, right];
  // All in one place: by order of time, then.
  const half = Math.ceil(members.length / 2);
  return [members.slice(0, half), members.slice(half)];
};
