/** What stayed, came or went. */
export interface Piece {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Pieces that two sequences have in common, and those that only one has: the longest common subsequence. */
export const sequenceDiff = (a: readonly string[], b: readonly string[]): Piece[] => {
  // common[i][j]: pieces that a from i and b from j have in common.
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    const row = common[i] as Uint16Array;
    for (let j = b.length - 1; j >= 0; j--) {
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [old, now] = [a[i], b[j]];
    if (old !== undefined && old === now) {
      pieces.push({ kind: 'same', text: old });
      i++;
      j++;
    } else if (old !== undefined && (now === undefined || at(i + 1, j) >= at(i, j + 1))) {
      pieces.push({ kind: 'removed', text: old });
      i++;
    } else {
      pieces.push({ kind: 'added', text: now ?? '' });
      j++;
    }
  }
  return pieces;
};
