/**
 * Regression trees of up to 32 leaves whose sum scores a row of features (gradient boosting, Friedman 2001). The nodes of all
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

/**
 * What each column added to a row's score: at every node that asks about it, how far the answer moved the score
 * (Saabas 2014). With what all rows begin with (`base`) they add up to the score.
 */
export const contributionsOf = (
  { features, roots, column, threshold, skip, value }: Trees,
  row: Float32Array,
): { readonly base: number; readonly byColumn: Float64Array } => {
  const byColumn = new Float64Array(features.length);
  let base = 0;
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree] as number;
    let before = value[node] as number;
    base += before;
    for (let at = column[node] as number; at >= 0; at = column[node] as number) {
      node += (row[at] as number) < (threshold[node] as number) ? 1 : (skip[node] as number);
      const after = value[node] as number;
      byColumn[at] = (byColumn[at] as number) + after - before;
      before = after;
    }
  }
  return { base, byColumn };
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

/** By a loop: `Uint8Array.from` goes through an iterator, which takes several times as long. */
export const fromBase64 = (text: string): ArrayBuffer => {
  const chars = atob(text);
  const bytes = new Uint8Array(chars.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = chars.charCodeAt(at);
  return bytes.buffer;
};
