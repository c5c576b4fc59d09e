import { diffArrays } from 'diff';

/** A stretch of a text that stayed, came or went. */
export interface DiffPiece {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Words that may come and go before two texts count as different ones: beyond, one replaces the other. */
const MAX_CHANGED_WORDS = 600;

/** What became of a text, by words; the pieces that are not removed are the text after, the others the one before. */
export const wordDiff = (before: string, after: string): DiffPiece[] => {
  const runs = diffArrays(words(before), words(after), { maxEditLength: MAX_CHANGED_WORDS });
  const pieces: DiffPiece[] =
    runs === undefined
      ? [
          { kind: 'removed', text: before },
          { kind: 'added', text: after },
        ]
      : runs.map((run) => ({ kind: kindOf(run), text: run.value.join('') }));
  return pieces.filter(({ text }) => text !== '');
};

/** Words, each with the space after it. */
const words = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? [];

/** Lines that two texts have in common, and those that only one has: a piece a line. */
export const lineDiff = (before: string, after: string): DiffPiece[] =>
  diffArrays(before.split('\n'), after.split('\n')).flatMap((run) =>
    run.value.map((text) => ({ kind: kindOf(run), text })),
  );

const kindOf = ({ added, removed }: { added: boolean; removed: boolean }): DiffPiece['kind'] =>
  added ? 'added' : removed ? 'removed' : 'same';

/** `+2 −1 lines` */
export const changedLinesWords = (lines: readonly DiffPiece[]): string => {
  const of = (kind: DiffPiece['kind']) => lines.filter((line) => line.kind === kind).length;
  return `+${of('added')} −${of('removed')} lines`;
};
