import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { timeAgo } from '../../ui/parts/format.ts';
import styles from './history-dialog.module.css';
import { historyRows } from './history-words.ts';

/** Height of a row in pixels. */
const ROW = 34;
/** Rows that Page Up and Page Down go by. */
const PAGE = 10;

/** What was done, step by step: where we are, what was undone, and the way to each moment. */
export const HistoryDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="History" description="What was done, the newest first. Choose a step to go there." onClose={onClose}>
    <Steps />
  </Dialog>
);

/** In the dialog, whose content is there only after it: the list must find its scroller. */
const Steps = () => {
  const { goToStep } = useActions();
  const forest = useApp((state) => state.forest);
  const entries = useApp((state) => state.entries);
  const rows = useMemo(() => historyRows(forest, entries), [forest, entries]);
  const now = rows.findIndex((row) => row.now);
  const [pointed, setPointed] = useState<number | null>(null);
  const at = Math.max(0, Math.min(rows.length - 1, pointed ?? now));
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 10,
  });
  useLayoutEffect(() => virtualizer.scrollToIndex(at, { align: 'auto' }), [virtualizer, at]);
  const [opened] = useState(() => Date.now());

  const go = (index: number) => {
    const row = rows[index];
    if (row === undefined) return;
    setPointed(null);
    if (!row.now) void goToStep(row.steps);
  };
  const pressed = (event: KeyboardEvent) => {
    const to = MOVES[event.key]?.(at, rows.length);
    if (to !== undefined) setPointed(Math.max(0, Math.min(rows.length - 1, to)));
    else if (event.key === 'Enter' || event.key === ' ') go(at);
    else return;
    event.preventDefault();
  };

  return (
    <div
      ref={scroller}
      role="listbox"
      aria-label="Steps"
      tabIndex={0}
      data-write-here
      aria-activedescendant={`${id}${at}`}
      className={styles.list}
      onKeyDown={pressed}
    >
      <div className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            // biome-ignore lint/a11y: the list has the focus and the keys; a row hears the pointer
            <div
              key={row.steps}
              id={`${id}${index}`}
              role="option"
              aria-selected={index === at}
              aria-current={row.now ? 'step' : undefined}
              aria-posinset={index + 1}
              aria-setsize={rows.length}
              aria-label={`${row.words}${row.undone ? ', undone' : ''}${row.now ? ', current' : ''}`}
              className={styles.row}
              data-undone={row.undone || undefined}
              style={{ height: ROW, transform: `translateY(${start}px)` }}
              onClick={() => go(index)}
            >
              <span className={styles.words}>{row.words}</span>
              {row.now && <span className={styles.now}>you are here</span>}
              {row.at !== null && <time className={styles.time}>{timeAgo(row.at, opened)}</time>}
            </div>
          );
        })}
      </div>
    </div>
  );
};

const MOVES: Readonly<Record<string, (at: number, length: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at) => at + PAGE,
  PageUp: (at) => at - PAGE,
  Home: () => 0,
  End: (_, length) => length - 1,
};
