import { useMemo } from 'react';
import type { Node } from '../../domain/forest.ts';
import { useApp } from '../../ui/app-context.ts';

/** The turns that a dialog is about: all that are selected, in order of time; the active one where none is. */
export const useSelected = (): readonly Node[] => {
  const forest = useApp((state) => state.forest);
  const selection = useApp((state) => state.session.selection);
  return useMemo(() => {
    const chosen = selection.flatMap((id) => forest.nodes[id] ?? []);
    const active = forest.nodes[forest.active?.nodeId ?? ''];
    return chosen.length > 0 || active === undefined ? chosen.sort((a, b) => a.number - b.number) : [active];
  }, [forest, selection]);
};
