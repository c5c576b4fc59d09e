import type { Session, SizedPane } from '../../app/state.ts';

/** Pixels. What is narrower is folded away instead; what is wider leaves too little of the others. */
export const LIMITS: Readonly<Record<SizedPane, { readonly least: number; readonly most: number }>> = {
  list: { least: 220, most: 480 },
  chat: { least: 300, most: 960 },
  inspector: { least: 260, most: 720 },
};

export const clamped = (pane: SizedPane, width: number): number =>
  Math.round(Math.min(LIMITS[pane].most, Math.max(LIMITS[pane].least, width)));

/** Widths as they were kept; what is damaged counts as never set. */
export const widthsFrom = (stored: object): Session['widths'] =>
  Object.fromEntries(
    Object.entries(stored).flatMap(([pane, width]) =>
      Object.hasOwn(LIMITS, pane) && Number.isFinite(width) ? [[pane, clamped(pane as SizedPane, width)]] : [],
    ),
  );
