import { defaultRangeExtractor, type Range, useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { OutlineRow } from './rows.ts';

/** Height of a row in pixels. */
const ROW = 32;
/** Room above the first row and under the last, in pixels. */
const PADDING = 8;

interface Window {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly items: readonly VirtualItem[];
  /** Of all rows, mounted or not; pixels. */
  readonly height: number;
  /** Index of the one row that Tab reaches. */
  readonly focused: number;
  /** Moves the keyboard's focus to a row and the row into view. */
  readonly focus: (key: string) => void;
  readonly rowId: (key: string) => string;
}

/**
 * Mounts the rows that are in view, and the one with the keyboard's focus wherever it is: focus would be
 * lost with its element. When `shown` changes, calls `onHidden` if its row is not there, and scrolls to it.
 */
export const useWindow = (rows: readonly OutlineRow[], shown: string | null, onHidden: () => void): Window => {
  const prefix = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [focusKey, setFocusKey] = useState<string | null>(null);
  const grab = useRef(false);
  const reveal = useRef<string | null>(null);
  const rowId = useCallback((key: string) => `${prefix}${key}`, [prefix]);

  const places = useMemo(() => new Map(rows.map((row, index) => [row.key, index])), [rows]);
  const indexOf = (key: string | null) => (key === null ? -1 : (places.get(key) ?? -1));
  const focused = [indexOf(focusKey), indexOf(shown)].find((index) => index !== -1) ?? 0;

  // Kept the same between renders: another function would have all rows measured anew on every scroll.
  const getItemKey = useCallback((index: number) => rows[index]?.key ?? index, [rows]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: rowHeight,
    overscan: 8,
    paddingStart: PADDING,
    paddingEnd: PADDING,
    getItemKey,
    rangeExtractor: (range: Range) => {
      const inView = defaultRangeExtractor(range);
      const kept = inView.includes(focused) || focused >= rows.length ? inView : [...inView, focused];
      return kept.sort((a, b) => a - b);
    },
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of what is shown moves the view
  useEffect(() => {
    if (shown === null) return;
    setFocusKey(shown);
    reveal.current = shown;
    if (indexOf(shown) === -1) onHidden();
  }, [shown]);

  useLayoutEffect(() => {
    const wanted = indexOf(reveal.current);
    if (wanted !== -1) {
      reveal.current = null;
      const { scrollOffset, scrollRect } = virtualizer;
      const top = offsetThatShows(wanted, scrollOffset ?? 0, scrollRect?.height ?? 0);
      // The virtualizer's own way asks for the element's height time and again, and has the page laid out each time.
      if (top !== scrollOffset) scroller.current?.scrollTo({ top });
    }
    if (grab.current && focusKey !== null) {
      const element = document.getElementById(rowId(focusKey));
      if (element === null) return;
      grab.current = false;
      element.focus({ preventScroll: true });
    }
  });

  const focus = useCallback((key: string) => {
    grab.current = true;
    reveal.current = key;
    setFocusKey(key);
  }, []);

  return { scroller, items: virtualizer.getVirtualItems(), height: virtualizer.getTotalSize(), focused, focus, rowId };
};

const rowHeight = (): number => ROW;

/** The nearest to `offset`, pixels from the top, at which a scroller so high shows all of a row. */
const offsetThatShows = (index: number, offset: number, height: number): number => {
  const top = PADDING + index * ROW;
  return Math.max(0, Math.min(top - PADDING, Math.max(offset, top + ROW + PADDING - height)));
};
