import { ChevronRight } from 'lucide-react';
import type { CSSProperties } from 'react';
import type { Forest } from '../../domain/forest.ts';
import { ranges } from '../../engine/text/ranges.ts';
import { ratio } from '../parts/format.ts';
import { topicColour } from '../topic-colour.ts';
import type { MemoryRow } from './memory-rows.ts';
import styles from './memory-view.module.css';

interface Props {
  readonly forest: Forest;
  readonly row: MemoryRow;
  /** Its words are unfolded. */
  readonly read: boolean;
  readonly onFold: () => void;
}

/** A piece of a memory: what it is called there, the turns it was made of in their colours, and its words. */
export const MemoryCell = ({ forest, row, read, onFold }: Props) => {
  const { cell, open, recalled, skipped } = row;
  const topics = [...new Set(cell.from.flatMap((id) => forest.nodes[id]?.treeId ?? []))];
  return (
    <>
      <span
        className={styles.fold}
        data-open={open ?? undefined}
        aria-hidden="true"
        onClick={(event) => {
          if (open === null) return;
          event.stopPropagation();
          onFold();
        }}
      >
        {open !== null && <ChevronRight size={13} />}
      </span>
      <span className={styles.dots} aria-hidden="true">
        {topics.slice(0, 4).map((id) => (
          <i key={id} style={{ '--c': topicColour(forest.trees[id]?.order ?? 0) } as CSSProperties} />
        ))}
      </span>
      <span className={styles.name}>
        {cell.name}
        {called(forest, row) !== cell.name && <small>{called(forest, row)}</small>}
      </span>
      <span className={styles.words} data-read={read || undefined}>
        {cell.text}
      </span>
      <span className={styles.mark}>
        {recalled !== null && (recalled.score === null ? 'recalled' : `recalled ${ratio(recalled.score)}`)}
        {skipped && 'passed over'}
      </span>
    </>
  );
};

const called = (forest: Forest, { cell }: MemoryRow): string => {
  const numbers = cell.from.flatMap((id) => forest.nodes[id]?.number ?? []).sort((a, b) => a - b);
  return numbers.length === 0 ? '' : `${numbers.length === 1 ? 'turn' : 'turns'} ${ranges(numbers)}`;
};

/** The same for a screen reader, what was recalled first. */
export const spoken = (forest: Forest, row: MemoryRow): string => {
  const { cell, recalled, skipped } = row;
  const turns = called(forest, row);
  return [
    cell.name,
    ...(turns === '' || turns === cell.name ? [] : [turns]),
    ...(recalled === null ? [] : [recalled.score === null ? 'recalled' : `recalled, rated ${ratio(recalled.score)}`]),
    ...(skipped ? ['passed over'] : []),
    cell.text,
  ].join(', ');
};
