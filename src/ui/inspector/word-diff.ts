import { type Piece, sequenceDiff } from '../parts/sequence-diff.ts';

/** A stretch of words that stayed, came or went. */
export type Stretch = Piece;

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
  return merged(sequenceDiff(a, b));
};

/** Words, each with the space after it. */
const pieces = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? [];

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
