import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** How close to its end a log still counts as "at the end", in pixels. */
const NEAR_PX = 48;
/** Tolerance for browsers that round the scroll position. */
const EXACT_PX = 2;

const isAtEnd = (element: HTMLElement, near = NEAR_PX): boolean =>
  element.scrollHeight - element.clientHeight - element.scrollTop < near;

/**
 * Keeps a scroller at its end while its content grows, until the user scrolls up; reaching the end again re-attaches
 * it. `freshKey` changes with the text shown, which starts at its end. If not `on`, the text starts at its top.
 */
export const useStickToBottom = (scroller: RefObject<HTMLElement | null>, freshKey: string, on: boolean) => {
  const stuck = useRef(on);
  const [away, setAway] = useState(false);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    stuck.current = true;
    setAway(false);
    element.scrollTop = element.scrollHeight;
  }, [scroller]);

  // In the next frame: right away, it would force a second layout.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is another end
  useEffect(() => {
    stuck.current = on;
    if (!on) {
      setAway(false);
      scroller.current?.scrollTo({ top: 0 });
      return;
    }
    const frame = requestAnimationFrame(toEnd);
    return () => cancelAnimationFrame(frame);
  }, [freshKey, on, toEnd]);

  useEffect(() => {
    const element = scroller.current;
    const content = element?.firstElementChild;
    if (element == null || content == null) return;
    let top = element.scrollTop;
    if (!on) return;
    const scrolled = () => {
      // Growing content never scrolls up, and shrinking content keeps the end in place: only the user scrolls up, even
      // if only by the little that a touchpad moves between two words of a reply.
      const up = element.scrollTop < top;
      if (isAtEnd(element, up ? EXACT_PX : NEAR_PX)) stuck.current = true;
      else if (up) stuck.current = false;
      top = element.scrollTop;
      setAway(!stuck.current);
    };
    const grown = new ResizeObserver(() => {
      if (!stuck.current) return;
      element.scrollTop = element.scrollHeight;
      // Scrolling up because the content shrank is not the user's doing.
      top = element.scrollTop;
    });
    element.addEventListener('scroll', scrolled, { passive: true });
    grown.observe(content);
    grown.observe(element);
    return () => {
      element.removeEventListener('scroll', scrolled);
      grown.disconnect();
    };
  }, [scroller, on]);

  const release = useCallback(() => {
    stuck.current = false;
  }, []);
  /** After a jump: stays attached only if the jump went to the end. */
  const recheck = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    stuck.current = isAtEnd(element);
    setAway(!stuck.current);
  }, [scroller]);
  const isStuck = useCallback(() => stuck.current, []);
  return { away, toEnd, release, recheck, isStuck };
};
