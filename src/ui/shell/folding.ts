import type { Pane } from '../../app/state.ts';

/** Folds a pane away, or back. One pane always stays: the last one left makes room for the forest. */
export const foldedAfter = (folded: readonly Pane[], pane: Pane): Pane[] => {
  if (folded.includes(pane)) return folded.filter((one) => one !== pane);
  const next = [...folded, pane];
  if (next.length < 3) return next;
  return next.filter((one) => one !== (pane === 'forest' ? 'chat' : 'forest'));
};
