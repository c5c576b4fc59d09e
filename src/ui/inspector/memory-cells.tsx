import { type KeyboardEvent, useRef, useState } from 'react';
import type { MemoryThen } from '../../engine/history/memory-then.ts';
import { Segmented } from '../parts/fields.tsx';
import { MemoryCell, spoken } from './memory-cell.tsx';
import { aboveRecalled, isTree, type MemoryRow, memoryRows } from './memory-rows.ts';
import styles from './memory-view.module.css';

/** Of so few all are open at once. */
const FEW = 60;

/** The pieces of a memory, as a tree or a list; arrows move, Enter unfolds the words of one. */
export const MemoryCells = ({ policy, memory }: { policy: string; memory: MemoryThen }) => {
  const { cells, forest } = memory;
  const tree = isTree(memory);
  const [open, setOpen] = useState<ReadonlySet<string>>(() =>
    cells.length <= FEW ? new Set(cells.map(({ id }) => id)) : aboveRecalled(memory),
  );
  const [read, setRead] = useState<ReadonlySet<string>>(new Set());
  const [which, setWhich] = useState<'all' | 'recalled'>('all');
  const [at, setAt] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const all = memoryRows(memory, open);
  const everyRecalled = memoryRows(memory, new Set(cells.map(({ id }) => id))).filter(({ recalled }) => recalled);
  const rows = which === 'all' ? all : everyRecalled.map((row) => ({ ...row, level: 1, open: null }));
  const focused = rows.some(({ cell }) => cell.id === at) ? at : (rows[0]?.cell.id ?? null);

  const focus = (row: MemoryRow | undefined) => {
    if (row === undefined) return;
    setAt(row.cell.id);
    const items = list.current?.querySelectorAll<HTMLElement>('[data-cell]') ?? [];
    [...items].find((one) => one.dataset.cell === row.cell.id)?.focus();
  };
  const turn = (set: ReadonlySet<string>, id: string): ReadonlySet<string> => {
    const next = new Set(set);
    if (!next.delete(id)) next.add(id);
    return next;
  };
  const onKey = (event: KeyboardEvent) => {
    const index = rows.findIndex(({ cell }) => cell.id === focused);
    const row = rows[index];
    if (row === undefined) return;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => focus(rows[index + 1]),
      ArrowUp: () => focus(rows[index - 1]),
      Home: () => focus(rows[0]),
      End: () => focus(rows.at(-1)),
      ArrowRight: () => (row.open === false ? setOpen(turn(open, row.cell.id)) : row.open && focus(rows[index + 1])),
      ArrowLeft: () =>
        row.open === true
          ? setOpen(turn(open, row.cell.id))
          : focus(rows.slice(0, index).findLast(({ level }) => level < row.level)),
      Enter: () => setRead(turn(read, row.cell.id)),
      ' ': () => setRead(turn(read, row.cell.id)),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };
  return (
    <>
      <div className={styles.tools}>
        <Segmented
          label="Pieces"
          options={[
            { value: 'all', label: `All ${cells.length}` },
            { value: 'recalled', label: `Recalled ${everyRecalled.length}` },
          ]}
          value={which}
          onChange={setWhich}
        />
        <span className={styles.hint}>Arrow keys move; Enter unfolds the words.</span>
      </div>
      <div ref={list} role="tree" aria-label={`${tree ? 'Tree' : 'List'} of ${policy}`} className={styles.cells}>
        {rows.map((row) => (
          <div
            key={row.cell.id}
            role="treeitem"
            data-cell={row.cell.id}
            data-recalled={row.recalled !== null || undefined}
            data-skipped={row.skipped || undefined}
            aria-level={row.level}
            aria-posinset={row.place}
            aria-setsize={row.siblings}
            aria-label={spoken(forest, row)}
            aria-selected={row.cell.id === focused}
            {...(row.open !== null && { 'aria-expanded': row.open })}
            tabIndex={row.cell.id === focused ? 0 : -1}
            className={styles.cell}
            style={{ paddingInlineStart: 24 + (row.level - 1) * 20 }}
            onFocus={() => setAt(row.cell.id)}
            onKeyDown={onKey}
            onClick={() => setRead(turn(read, row.cell.id))}
          >
            <MemoryCell
              forest={forest}
              row={row}
              read={read.has(row.cell.id)}
              onFold={() => setOpen(turn(open, row.cell.id))}
            />
          </div>
        ))}
      </div>
    </>
  );
};
