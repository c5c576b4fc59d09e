import { useCallback, useState } from 'react';
import { useAppState } from '../app-context.ts';
import { type MenuPlace, TurnMenuAt } from '../shell/commands/turn-menu.tsx';

/** The menu of the selected turns, at a place of the window. */
export const useCanvasMenu = () => {
  const [at, setAt] = useState<MenuPlace | null>(null);
  const state = useAppState();
  const open = useCallback((place: MenuPlace) => setAt(place), []);
  const { selection } = state().session;
  const label = selection.length > 1 ? `${selection.length} turns` : 'Turn';
  const menu =
    at === null || selection.length === 0 ? null : (
      <TurnMenuAt key={`${at.x} ${at.y}`} nodeIds={selection} label={label} at={at} onClose={() => setAt(null)} />
    );
  return { menu, open };
};
