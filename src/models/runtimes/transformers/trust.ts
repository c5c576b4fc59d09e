/*
 * Quantised models can be wrong on a device without a word: an embedder is believed only once known texts gave the
 * vectors they should.
 */

/** A question, the same in other words, and two that have nothing to do with it. */
export const TRUST_TEXTS: readonly string[] = [
  'How do I sort a list in Python?',
  'How can a Python list be sorted?',
  'The ferry to the island leaves at nine in the morning.',
  'My grandmother grew tomatoes behind the old house.',
];

/** Least cosine of a vector to its reference: number formats of 8 bits stay above 0.998 on models measured here. */
const LEAST_COSINE = 0.99;

/** Why the vectors of TRUST_TEXTS cannot be believed; null if they can. `reference`: whole vectors, or their beginnings. */
export const distrust = (
  vectors: readonly Float32Array[],
  reference: readonly ArrayLike<number>[] | null,
): string | null => {
  const [question, again, ferry, tomatoes] = vectors;
  if (!question || !again || !ferry || !tomatoes) return 'it gave too few vectors';
  if (vectors.some((vector) => !vector.every(Number.isFinite))) return 'it gave vectors that are no numbers';
  if (vectors.some((vector) => Math.abs(Math.hypot(...vector) - 1) > 0.01)) return 'it gave vectors of no length';
  if (cosine(question, again) <= Math.max(cosine(question, ferry), cosine(question, tomatoes))) {
    return 'it finds the same thing said twice less alike than different things';
  }
  if (reference === null) return null;
  const least = Math.min(...vectors.map((vector, i) => cosine(vector, reference[i] ?? [])));
  return least >= LEAST_COSINE ? null : `its vectors are not what they should be (cosine ${least.toFixed(3)})`;
};

/** Over as many components as both have. */
const cosine = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  const length = Math.min(a.length, b.length);
  let [dot, aa, bb] = [0, 0, 0];
  for (let i = 0; i < length; i += 1) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
};
