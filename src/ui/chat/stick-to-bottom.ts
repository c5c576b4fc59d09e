import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** How near to its end a log still counts as "at the end", in pixels. */
const NEAR = 48;

const isAtEnd = (element: HTMLElement): boolean =>
  element.scrollHeight - element.clientHeight - element.scrollTop < NEAR;

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

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is another end
  useEffect(toEnd, [freshKey, toEnd]);

  useEffect(() => {
    const element = scroller.current;
    const content = element?.firstElementChild;
    if (element == null || content == null) return;
    let top = element.scrollTop;
    const scrolled = () => {
      // Content that grows scrolls nothing up: only the person does.
      if (isAtEnd(element)) held.current = true;
      else if (element.scrollTop < top) held.current = false;
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
