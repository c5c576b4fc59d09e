/**
 * Regression trees whose sum scores a row of features (gradient boosting, Friedman 2001). The nodes of all
 * trees lie in one block in preorder: what is below a node's threshold comes right after it.
 */
export interface Trees {
  /** Names of the row's columns, in order. */
  readonly features: readonly string[];
  /** First node of each tree. */
  readonly roots: Uint32Array;
  /** Column that a node asks about; −1 for a leaf. */
  readonly column: Int16Array;
  readonly threshold: Float32Array;
  /** How many nodes further on the side lies that is not below the threshold. */
  readonly skip: Uint16Array;
  /** Score of the rows that reach a node; those of the leaves are summed, the others explain the sum. */
  readonly value: Float32Array;
}

/** Trees as they are kept in a file: numbers little-endian in base64. */
export interface PackedTrees {
  readonly features: readonly string[];
  readonly roots: string;
  readonly column: string;
  readonly threshold: string;
  readonly skip: string;
  readonly value: string;
}

/** A feature that a row does not have: below everything that a feature can be. */
export const MISSING = -9;

/** Of each row the sum of the trees' scores, in log-odds. Tree by tree: one is read by all rows while it is near. */
export const scoresBy = (trees: Trees, rows: readonly Float32Array[]): Float64Array => {
  const { roots } = trees;
  const { whole, real } = besideEachOther(trees);
  const sums = new Float64Array(rows.length);
  for (let tree = 0; tree < roots.length; tree++) {
    const root = WORDS * (roots[tree] as number);
    for (let of = 0; of < rows.length; of++) {
      const row = rows[of] as Float32Array;
      let node = root;
      for (let at = whole[node] as number; at >= 0; at = whole[node] as number) {
        node += (row[at] as number) < (real[node + 2] as number) ? WORDS : (whole[node + 1] as number);
      }
      sums[of] = (sums[of] as number) + (real[node + 2] as number);
    }
  }
  return sums;
};

/** Words of a node where they lie beside each other: its column, its skip in words, and its threshold or a leaf's value. */
const WORDS = 4;

/** The same trees, each node in one place of the memory instead of four. */
const besideEachOther = (trees: Trees): { readonly whole: Int32Array; readonly real: Float32Array } => {
  const known = laidOut.get(trees);
  if (known !== undefined) return known;
  const { column, threshold, skip, value } = trees;
  const whole = new Int32Array(WORDS * column.length);
  const real = new Float32Array(whole.buffer);
  for (let node = 0, at = 0; node < column.length; node++, at += WORDS) {
    whole[at] = column[node] as number;
    whole[at + 1] = WORDS * (skip[node] as number);
    real[at + 2] = ((column[node] as number) < 0 ? value[node] : threshold[node]) as number;
  }
  laidOut.set(trees, { whole, real });
  return { whole, real };
};
const laidOut = new WeakMap<Trees, { readonly whole: Int32Array; readonly real: Float32Array }>();

/**
 * What each feature added to a row's score: at every node that asks about it, how far the answer moved the
 * score (Saabas 2014); features that moved nothing are left out. With what all rows begin with (`base`) they add
 * up to the score.
 */
export const contributionsOf = (
  { features, roots, column, threshold, skip, value }: Trees,
  row: ArrayLike<number>,
): { readonly base: number; readonly byFeature: Map<string, number> } => {
  const moved = new Float64Array(features.length);
  let base = 0;
  for (const root of roots) {
    let node = root;
    base += value[node] as number;
    for (let at = column[node] as number; at >= 0; at = column[node] as number) {
      const before = value[node] as number;
      node += (row[at] as number) < (threshold[node] as number) ? 1 : (skip[node] as number);
      moved[at] = (moved[at] as number) + (value[node] as number) - before;
    }
  }
  const byFeature = new Map<string, number>();
  for (let at = 0; at < moved.length; at++)
    if (moved[at] !== 0) byFeature.set(features[at] as string, moved[at] as number);
  return { base, byFeature };
};

export const pack = ({ features, ...numbers }: Trees): PackedTrees => ({
  features,
  roots: toBase64(numbers.roots),
  column: toBase64(numbers.column),
  threshold: toBase64(numbers.threshold),
  skip: toBase64(numbers.skip),
  value: toBase64(numbers.value),
});

export const unpack = ({ features, ...texts }: PackedTrees): Trees => ({
  features,
  roots: new Uint32Array(fromBase64(texts.roots)),
  column: new Int16Array(fromBase64(texts.column)),
  threshold: new Float32Array(fromBase64(texts.threshold)),
  skip: new Uint16Array(fromBase64(texts.skip)),
  value: new Float32Array(fromBase64(texts.value)),
});

export const toBase64 = ({ buffer, byteOffset, byteLength }: ArrayBufferView): string => {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};

export const fromBase64 = (text: string): ArrayBuffer =>
  Uint8Array.from(atob(text), (char) => char.charCodeAt(0)).buffer;
