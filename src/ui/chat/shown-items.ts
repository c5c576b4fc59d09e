/** The run of items that is mounted: `from` up to, not including, `to`. */
export interface Shown {
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
