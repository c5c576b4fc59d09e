import { useEffect } from 'react';
import { shownForest } from '../../app/state.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { openedFor } from './folding.ts';

/** A turn that is selected or becomes active is seen: what it is folded into opens, and nothing else. */
export const useReveal = (): void => {
  const actions = useActions();
  const state = useAppState();
  const selectedId = useApp((now) => now.session.selectedId);
  const activeId = useApp((now) => shownForest(now).active?.nodeId ?? null);

  useEffect(() => {
    for (const id of [selectedId, activeId]) {
      const { collapsed } = state().session;
      const opened = id === null ? collapsed : openedFor(shownForest(state()), collapsed, id);
      if (opened !== collapsed) actions.session({ collapsed: opened });
    }
  }, [actions, state, selectedId, activeId]);
};
