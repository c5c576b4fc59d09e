import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** How near to its end a log still counts as "at the end", in pixels. */
const NEAR = 48;
/** Browsers round where a scroller stands. */
const EXACTLY = 2;

const isAtEnd = (element: HTMLElement, near = NEAR): boolean =>
  element.scrollHeight - element.clientHeight - element.scrollTop < near;

/**
 * Keeps a scroller at its end while its content grows, until the person scrolls up; at the end again
 * it holds again. `freshKey` changes when another text is shown: it starts at its end.
 */
export const useStickToBottom = (scroller: RefObject<HTMLElement | null>, freshKey: string) => {
  const held = useRef(true);
  const [away, setAway] = useState(false);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    held.current = true;
    setAway(false);
    element.scrollTop = element.scrollHeight;
  }, [scroller]);

  // With the next frame: asked for at once, it would lay the page out twice.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is another end
  useEffect(() => {
    held.current = true;
    const frame = requestAnimationFrame(toEnd);
    return () => cancelAnimationFrame(frame);
  }, [freshKey, toEnd]);

  useEffect(() => {
    const element = scroller.current;
    const content = element?.firstElementChild;
    if (element == null || content == null) return;
    let top = element.scrollTop;
    const scrolled = () => {
      // Content that grows scrolls nothing up, and content that shrinks leaves the end where it is: only the
      // person scrolls up, be it by the little that a touchpad does between two words of a reply.
      const up = element.scrollTop < top;
      if (isAtEnd(element, up ? EXACTLY : NEAR)) held.current = true;
      else if (up) held.current = false;
      top = element.scrollTop;
      setAway(!held.current);
    };
    const grown = new ResizeObserver(() => {
      if (held.current) element.scrollTop = element.scrollHeight;
    });
    element.addEventListener('scroll', scrolled, { passive: true });
    grown.observe(content);
    grown.observe(element);
    return () => {
      element.removeEventListener('scroll', scrolled);
      grown.disconnect();
    };
  }, [scroller]);

  const letGo = useCallback(() => {
    held.current = false;
  }, []);
  /** After a jump: holds on only if the end is what was jumped to. */
  const settle = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    held.current = isAtEnd(element);
    setAway(!held.current);
  }, [scroller]);
  return { away, toEnd, letGo, settle };
};
