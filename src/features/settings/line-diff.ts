import { type Piece, sequenceDiff } from '../../ui/parts/sequence-diff.ts';

export type DiffLine = Piece;

/** Lines that two texts have in common, and those that only one has. */
export const lineDiff = (before: string, after: string): DiffLine[] =>
  sequenceDiff(before.split('\n'), after.split('\n'));

/** `+2 −1 lines` */
export const diffWords = (lines: readonly DiffLine[]): string => {
  const of = (kind: DiffLine['kind']) => lines.filter((line) => line.kind === kind).length;
  return `+${of('added')} −${of('removed')} lines`;
};
