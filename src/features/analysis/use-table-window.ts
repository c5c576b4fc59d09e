import { defaultRangeExtractor, type Range, useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Height of a row and of the heading in pixels. */
const ROW = 32;
const HEAD = 32;

interface TableWindow {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly items: readonly Pick<VirtualItem, 'index' | 'start'>[];
  /** Of all rows, mounted or not; pixels. */
  readonly height: number;
  /** Index of the one row that Tab reaches. */
  readonly focused: number;
  readonly focus: (index: number) => void;
  /** Moves the keyboard's focus as a key says; false for a key that moves nothing. */
  readonly move: (key: string) => boolean;
}

/** Mounts the rows that are in view, and the one with the keyboard's focus: it would be lost with its element. */
export const useTableWindow = (count: number): TableWindow => {
  const scroller = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState(0);
  const grab = useRef(false);
  const focused = Math.min(wanted, Math.max(0, count - 1));

  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: rowHeight,
    overscan: 8,
    // The heading stands before the rows and stays over them.
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
    const index = Math.min(count - 1, Math.max(0, to));
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
