import { Redo2, Undo2 } from 'lucide-react';
import { useActions, useApp } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { useKeys } from './commands/use-keys.ts';

/** For a phone's chat and inspector, where the timeline with its own is on another pane. */
export const UndoButtons = () => {
  const keys = useKeys();
  const { undo, redo } = useActions();
  const withTimeline = useApp((state) => state.session.pane === 'forest');
  const travelling = useApp((state) => state.past !== null);
  const canUndo = useApp((state) => state.forest.history.past.length > 0);
  const canRedo = useApp((state) => state.forest.history.future.length > 0);
  if (withTimeline) return null;
  return (
    <>
      <IconButton
        label="Undo"
        icon={Undo2}
        keys={keys('undo')}
        disabled={travelling || !canUndo}
        onClick={() => void undo()}
      />
      <IconButton
        label="Redo"
        icon={Redo2}
        keys={keys('redo')}
        disabled={travelling || !canRedo}
        onClick={() => void redo()}
      />
    </>
  );
};
