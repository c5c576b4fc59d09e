import { useState } from 'react';
import { type Shown, shownAtEnd, shownWith, withMoreAbove, withMoreBelow } from './shown-items.ts';

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
