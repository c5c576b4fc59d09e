import type { Node } from '../../domain/forest.ts';
import { counted } from '../parts/format.ts';
import type { OutlineRow } from './rows.ts';

/** Longest part of a message that a screen reader has to sit through; UTF-16 units. */
const EXCERPT = 120;

/** The accessible name of a row. A turn's begins `Turn N`. */
export const rowName = (row: OutlineRow): string => {
  if (row.kind === 'topic') return `${row.tree.title}, ${counted(row.turns, 'turn')}`;
  const { number, message } = row.node;
  return [`Turn ${number}: ${excerpt(message)}`, ...(row.forks ? ['begins a branch'] : []), ...marksOf(row.node)].join(
    ', ',
  );
};

const marksOf = ({ pinned, note, references, hidden }: Node): string[] => [
  ...(pinned ? ['pinned'] : []),
  ...(note === null ? [] : ['has a note']),
  ...(references.length === 0 ? [] : [`refers to ${counted(references.length, 'turn')}`]),
  ...(hidden ? ['hidden'] : []),
];

const excerpt = (message: string): string => {
  const line = message.trim().replace(/\s+/g, ' ');
  return line.length > EXCERPT ? `${line.slice(0, EXCERPT)}…` : line;
};
