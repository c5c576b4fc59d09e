import { defaultRangeExtractor, type Range, useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { clamp } from '../../domain/numbers.ts';
import styles from './virtual-table.module.css';

export interface Column<R, K extends string> {
  readonly key: K;
  readonly title: string;
  /** The full meaning of a short title. */
  readonly hint?: string;
  /** A `grid-template-columns` value. */
  readonly width: string;
  readonly align?: 'end';
  readonly cell: (row: R) => ReactNode;
}

interface Props<R, K extends string> {
  /** The accessible name. */
  readonly label: string;
  readonly columns: readonly Column<R, K>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string;
  /** Below this width in pixels, the table scrolls horizontally. */
  readonly minWidth?: number;
  readonly sorting?: { readonly by: K; readonly down: boolean; readonly onSort: (by: K) => void };
  /** Called on a click or Enter on a row. */
  readonly onOpen: (row: R) => void;
}

/** A table of any number of rows that only mounts the ones in view. Arrow keys move between rows. */
export const VirtualTable = <R, K extends string>(props: Props<R, K>) => {
  const { label, columns, rows, keyOf, minWidth = 0, sorting, onOpen } = props;
  const { scroller, items, height, focused, focus, move } = useTableWindow(rows.length);
  const prefix = useId();
  const template: CSSProperties = { gridTemplateColumns: columns.map(({ width }) => width).join(' '), minWidth };

  const pressed = (event: KeyboardEvent, row: R) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onOpen(row);
    } else if (move(event.key)) event.preventDefault();
  };
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      aria-readonly
      className={styles.table}
    >
      <div role="rowgroup" className={styles.head} style={{ minWidth }}>
        {/* biome-ignore lint/a11y/useFocusableInteractive: in this grid the focus goes from row to row */}
        <div role="row" aria-rowindex={1} className={styles.row} style={template}>
          {columns.map((column) => (
            <HeadCell key={column.key} column={column} {...(sorting === undefined ? {} : { sorting })} />
          ))}
        </div>
      </div>
      <div role="rowgroup" className={styles.body} style={{ height, minWidth }}>
        {items.map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <div
              key={keyOf(row)}
              id={`${prefix}${index}`}
              role="row"
              data-index={index}
              aria-rowindex={index + 2}
              tabIndex={index === focused ? 0 : -1}
              className={styles.row}
              style={{ ...template, transform: `translateY(${start}px)` }}
              onClick={() => onOpen(row)}
              onFocus={() => focus(index)}
              onKeyDown={(event) => pressed(event, row)}
            >
              {columns.map(({ key, align, cell }) => (
                // biome-ignore lint/a11y/useFocusableInteractive: in this grid the focus goes from row to row
                <div key={key} role="gridcell" className={styles.cell} data-align={align}>
                  {cell(row)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
};

const HeadCell = <R, K extends string>({
  column: { key, title, hint, align },
  sorting,
}: {
  column: Column<R, K>;
  sorting?: NonNullable<Props<R, K>['sorting']>;
}) => {
  const here = sorting?.by === key;
  const order = here ? (sorting.down ? 'descending' : 'ascending') : 'none';
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: what sorts is the button in it
    <div
      role="columnheader"
      className={styles.cell}
      data-align={align}
      {...(sorting === undefined ? {} : { 'aria-sort': order })}
    >
      {sorting === undefined ? (
        <span title={hint}>{title}</span>
      ) : (
        <button type="button" title={hint} onClick={() => sorting.onSort(key)}>
          {title}
          <span aria-hidden className={styles.arrow}>
            {here ? (sorting.down ? '↓' : '↑') : ''}
          </span>
        </button>
      )}
    </div>
  );
};

/** Heights of a row and of the heading in pixels. */
const ROW = 32;
const HEAD = 32;

interface TableWindow {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly items: readonly Pick<VirtualItem, 'index' | 'start'>[];
  /** Height of all rows, mounted or not, in pixels. */
  readonly height: number;
  /** Index of the one row in the tab order. */
  readonly focused: number;
  readonly focus: (index: number) => void;
  /** Moves the keyboard focus for a key; returns false if the key moves nothing. */
  readonly move: (key: string) => boolean;
}

/** Mounts the rows in view, and the one with keyboard focus, which would be lost along with its element. */
const useTableWindow = (count: number): TableWindow => {
  const scroller = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState(0);
  const grab = useRef(false);
  const focused = Math.min(wanted, Math.max(0, count - 1));

  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: rowHeight,
    overscan: 8,
    // The heading comes before the rows and stays on top of them.
    scrollMargin: HEAD,
    scrollPaddingStart: HEAD,
    rangeExtractor: (range: Range) => {
      const inView = defaultRangeExtractor(range);
      const kept = inView.includes(focused) || focused >= count ? inView : [...inView, focused];
      return kept.sort((a, b) => a - b);
    },
  });

  useLayoutEffect(() => {
    if (!grab.current) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${focused}"]`);
    if (row == null) return;
    grab.current = false;
    row.focus({ preventScroll: true });
  });

  const move = (key: string): boolean => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW) - 2);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: focused + 1,
      ArrowUp: focused - 1,
      PageDown: focused + page,
      PageUp: focused - page,
      Home: 0,
      End: count - 1,
    };
    const to = steps[key];
    if (to === undefined) return false;
    const index = clamp(to, 0, count - 1);
    grab.current = index !== focused;
    setWanted(index);
    virtualizer.scrollToIndex(index, { align: 'auto' });
    return true;
  };

  return {
    scroller,
    items: virtualizer.getVirtualItems().map(({ index, start }) => ({ index, start: start - HEAD })),
    height: count * ROW,
    focused,
    focus: setWanted,
    move,
  };
};

const rowHeight = (): number => ROW;
