import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import type { Size } from './view.ts';

/** The size of an element, as it changes. */
export const usePaneSize = (pane: RefObject<HTMLElement | null>): Size => {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = pane.current;
    if (element === null) return;
    const read = () => {
      const { width, height } = element.getBoundingClientRect();
      setSize((now) => (now.width === width && now.height === height ? now : { width, height }));
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, [pane]);
  return size;
};

/** How much a pixel of the wheel zooms. */
const WHEEL = 0.0016;

/**
 * Zooms by the wheel about where it is turned, instead of scrolling the page. In a part of the page that scrolls it zooms
 * only with Ctrl, as pinching on a trackpad does: who scrolls by would be held up.
 */
export const useWheel = (
  root: RefObject<HTMLElement | null>,
  zoom: (factor: number, at: { x: number; y: number }) => void,
): void => {
  useEffect(() => {
    const element = root.current;
    if (element === null) return;
    const turn = (event: WheelEvent) => {
      const pane = (event.target as Element).closest('canvas, [data-pane]')?.parentElement;
      if (pane == null || !(event.ctrlKey || event.metaKey || !inScroller(pane))) return;
      event.preventDefault();
      const { left, top } = pane.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY * WHEEL), { x: event.clientX - left, y: event.clientY - top });
    };
    // Not passive, or it could not keep the page from scrolling: React's own would be.
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  });
};

const inScroller = (element: HTMLElement): boolean => {
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY)) return true;
  }
  return false;
};
