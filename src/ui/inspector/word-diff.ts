/** A stretch of words that stayed, came or went. */
export interface Stretch {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Words up to which two texts are compared one by one: the table is their product. Beyond, one text replaces the other. */
const MOST = 600;

/** What became of a text, by words; the stretches that are not removed are the text after, the others the one before. */
export const wordDiff = (before: string, after: string): Stretch[] => {
  const [a, b] = [pieces(before), pieces(after)];
  if (a.length > MOST || b.length > MOST) {
    return merged([
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]);
  }
  const common = lengths(a, b);
  const found: Stretch[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [x, y] = [a[i], b[j]];
    if (x !== undefined && x === y) {
      found.push({ kind: 'same', text: x });
      i++;
      j++;
    } else if (x !== undefined && (y === undefined || at(common, i + 1, j) >= at(common, i, j + 1))) {
      found.push({ kind: 'removed', text: x });
      i++;
    } else if (y !== undefined) {
      found.push({ kind: 'added', text: y });
      j++;
    }
  }
  return merged(found);
};

/** Words, each with the space after it. */
const pieces = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? [];

const at = (table: readonly Uint16Array[], i: number, j: number): number => table[i]?.[j] ?? 0;

/** Of each pair of rests the length of their longest common run of words, gaps allowed. */
const lengths = (a: readonly string[], b: readonly string[]): Uint16Array[] => {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    const row = table[i] as Uint16Array;
    for (let j = b.length - 1; j >= 0; j--) {
      row[j] = a[i] === b[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1));
    }
  }
  return table;
};

const merged = (stretches: readonly Stretch[]): Stretch[] => {
  const runs: { kind: Stretch['kind']; text: string }[] = [];
  for (const { kind, text } of stretches) {
    if (text === '') continue;
    const last = runs.at(-1);
    if (last?.kind === kind) last.text += text;
    else runs.push({ kind, text });
  }
  return runs;
};
