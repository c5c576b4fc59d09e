import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** How near to its end a log still counts as "at the end", in pixels. */
const NEAR_PX = 48;
/** Browsers round where a scroller stands. */
const EXACT_PX = 2;

const isAtEnd = (element: HTMLElement, near = NEAR_PX): boolean =>
  element.scrollHeight - element.clientHeight - element.scrollTop < near;

/**
 * Keeps a scroller at its end while its content grows, until the person scrolls up; at the end again
 * it holds again. `freshKey` changes when another text is shown: it starts at its end.
 */
export const useStickToBottom = (scroller: RefObject<HTMLElement | null>, freshKey: string) => {
  const stuck = useRef(true);
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
    stuck.current = true;
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
      if (isAtEnd(element, up ? EXACT_PX : NEAR_PX)) stuck.current = true;
      else if (up) stuck.current = false;
      top = element.scrollTop;
      setAway(!stuck.current);
    };
    const grown = new ResizeObserver(() => {
      if (stuck.current) element.scrollTop = element.scrollHeight;
    });
    element.addEventListener('scroll', scrolled, { passive: true });
    grown.observe(content);
    grown.observe(element);
    return () => {
      element.removeEventListener('scroll', scrolled);
      grown.disconnect();
    };
  }, [scroller]);

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
  return { away, toEnd, release, recheck };
};

/**
 * Which of `length` items are mounted: the last, until the person asks for others or `wanted` (the
 * index of the selected one, −1 for none) changes to one elsewhere. Starts anew with another `key`.
 * Of the past, fewer are.
 */
export const useShownItems = (key: string, length: number, wanted: number, past: boolean) => {
  const [choice, setChoice] = useState<{ key: string; wanted: number; shown: Shown | null }>({
    key,
    wanted: -1,
    shown: null,
  });
  let { shown } = choice;
  if (choice.key !== key || choice.wanted !== wanted) {
    shown = choice.key === key ? choice.shown : null;
    if (wanted !== -1) {
      const base = shown ?? shownAtEnd(length, past);
      const next = shownWith(base, wanted, length);
      shown = next === base ? shown : next;
    }
    setChoice({ key, wanted, shown });
  }
  const { from, to } = shown ?? shownAtEnd(length, past);
  const show = (next: Shown | null) => setChoice({ key, wanted, shown: next });
  return {
    from,
    to: Math.min(to, length),
    showAbove: () => show(withMoreAbove({ from, to })),
    showBelow: () => show(withMoreBelow({ from, to }, length)),
    showEnd: () => show(null),
  };
};

/** The run of items that is mounted: `from` up to, not including, `to`. */
interface Shown {
  readonly from: number;
  readonly to: number;
}

/** Items mounted at the end of a long path, and how many more a click brings. */
const PAGE = 40;
/** Items mounted while the person travels in time: enough to fill the pane. Every moment may show others. */
const PAST_PAGE = 8;
/** Items kept before one that is jumped to. */
const LEAD = 10;

/** The end of the conversation. */
export const shownAtEnd = (length: number, past = false): Shown => ({
  from: Math.max(0, length - (past ? PAST_PAGE : PAGE)),
  to: length,
});

export const withMoreAbove = (shown: Shown): Shown => ({ ...shown, from: Math.max(0, shown.from - PAGE) });

export const withMoreBelow = (shown: Shown, length: number): Shown => ({
  ...shown,
  to: Math.min(length, shown.to + PAGE),
});

/** Around an item far from those mounted; the same if it is among them. */
export const shownWith = (shown: Shown, index: number, length: number): Shown => {
  if (index >= shown.from && index < shown.to) return shown;
  const from = Math.max(0, index - LEAD);
  return { from, to: Math.min(length, from + PAGE) };
};
