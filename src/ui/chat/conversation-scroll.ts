import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** How near to its end a log still counts as "at the end", in pixels. */
const NEAR_PX = 48;
/** Browsers round where a scroller stands. */
const EXACT_PX = 2;

const isAtEnd = (element: HTMLElement, near = NEAR_PX): boolean =>
  element.scrollHeight - element.clientHeight - element.scrollTop < near;

/**
 * Keeps a scroller at its end while its content grows, until the person scrolls up; at the end again
 * it holds again. `freshKey` changes when another text is shown: it starts at its end. What is not `on` is read from its top.
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

  // With the next frame: asked for at once, it would lay the page out twice.
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
      // Content that grows scrolls nothing up, and content that shrinks leaves the end where it is: only the
      // person scrolls up, be it by the little that a touchpad does between two words of a reply.
      const up = element.scrollTop < top;
      if (isAtEnd(element, up ? EXACT_PX : NEAR_PX)) stuck.current = true;
      else if (up) stuck.current = false;
      top = element.scrollTop;
      setAway(!stuck.current);
    };
    const grown = new ResizeObserver(() => {
      if (!stuck.current) return;
      element.scrollTop = element.scrollHeight;
      // Where it was moved up to before, as content shrank, the person did not scroll.
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
  /** After a jump: holds on only if the end is what was jumped to. */
  const recheck = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    stuck.current = isAtEnd(element);
    setAway(!stuck.current);
  }, [scroller]);
  const isStuck = useCallback(() => stuck.current, []);
  return { away, toEnd, release, recheck, isStuck };
};
