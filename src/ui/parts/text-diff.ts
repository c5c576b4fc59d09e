import { diffArrays } from 'diff';

/** A piece of a text that is unchanged, added or removed. */
export interface DiffPiece {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Maximum number of changed words: beyond that, one text replaces the other. */
const MAX_CHANGED_WORDS = 600;

/** A word diff. The pieces that are not removed make up the text after, those that are not added the text before. */
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

/** Words, each with the whitespace after it. */
const words = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? [];

/** A line diff: one piece per line. */
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
