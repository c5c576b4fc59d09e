import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { PolicyContext } from '../../engine/history/compare-contexts.ts';
import { PartMark, Said } from '../../ui/inspector/part-row.tsx';
import { count } from '../../ui/parts/format.ts';
import { type CompareRow, cellWords } from './compare-rows.ts';
import styles from './compare-table.module.css';

interface Props {
  readonly row: CompareRow;
  readonly policies: readonly PolicyContext[];
}

/** What each policy sends of one thing; unfolded, in which words. */
export const CompareRowView = ({ row, policies }: Props) => {
  const [open, setOpen] = useState(false);
  const { label, cells, differs } = row;
  const begins = cells.find((cell) => cell !== null)?.said[0]?.content.slice(0, 120);
  return (
    <>
      <tr data-differs={differs || undefined}>
        <th scope="row">
          <button type="button" className={styles.unfold} aria-expanded={open} onClick={() => setOpen(!open)}>
            <ChevronRight size={13} aria-hidden />
            <span className={styles.label}>
              {label} <span className={styles.begins}>{begins}</span>
            </span>
          </button>
        </th>
        {cells.map((cell, column) => (
          <td key={policies[column]?.policy} data-lacks={cell === null || undefined}>
            {cell === null ? (
              <>
                <span aria-hidden="true">–</span>
                <span className="visually-hidden">not sent</span>
              </>
            ) : (
              <span className={styles.cell}>
                <PartMark kind={cell.kind} topic={cell.topic} />
                <span className={styles.how}>{cellWords(cell)}</span>
                <span className={styles.tokens}>{count(cell.tokens)}</span>
              </span>
            )}
          </td>
        ))}
      </tr>
      {open && (
        <tr className={styles.texts}>
          <th scope="row">
            <span className="visually-hidden">Words of {label}</span>
          </th>
          {cells.map((cell, column) => (
            <td key={policies[column]?.policy} data-lacks={cell === null || undefined}>
              {cell === null ? (
                <span className={styles.how}>not sent</span>
              ) : (
                cell.said.map(({ role, content }) => <Said key={role} whose={role} content={content} />)
              )}
            </td>
          ))}
        </tr>
      )}
    </>
  );
};
