import { useEffect, useRef } from 'react';
import { strokeOf } from '../../ui/shell/commands/keystroke.ts';

/**
 * Hears every keystroke before anybody else does, for as long as it is mounted: the keys to record must do nothing.
 * Escape gives up; Tab, Enter and the space bar alone stay with the buttons.
 */
export const useRecorder = (onStroke: (stroke: string) => void, onCancel: () => void): void => {
  const latest = useRef({ onStroke, onCancel });
  latest.current = { onStroke, onCancel };
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const stroke = strokeOf(event);
      const walks = stroke === 'Tab' || stroke === 'Shift+Tab';
      const onButton = (stroke === 'Enter' || stroke === 'Space') && event.target instanceof HTMLButtonElement;
      if (event.isComposing || walks || onButton) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (stroke === 'Escape') latest.current.onCancel();
      else if (stroke !== null && !event.repeat) latest.current.onStroke(stroke);
    };
    // On the window, while it still goes down: the dialog's own Escape comes after.
    window.addEventListener('keydown', pressed, true);
    return () => window.removeEventListener('keydown', pressed, true);
  }, []);
};
