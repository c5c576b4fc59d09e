import { type RefObject, useLayoutEffect, useState } from 'react';

/** The width of an element's content box in pixels; 0 until it is laid out. */
export const useWidth = (ref: RefObject<Element | null>): number => {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
};
