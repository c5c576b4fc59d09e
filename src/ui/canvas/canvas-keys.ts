import { useEffect } from 'react';
import { type Keystroke, strokeOf } from '../commands/keystroke.ts';
import type { Direction } from './find-cards.ts';

export type CanvasCommand =
  | { readonly do: 'move'; readonly direction: Direction }
  | { readonly do: 'extend'; readonly direction: Direction }
  | { readonly do: 'zoom'; readonly by: number }
  | { readonly do: 'activate' | 'clear' | 'fit' | 'actual-size' | 'topic' | 'menu' | 'fold' | 'near' | 'several' };

const move = (direction: Direction): CanvasCommand => ({ do: 'move', direction });
/** Zoom factor per press of a key or button. */
export const ZOOM_STEP = 1.3;

const COMMANDS = new Map<string, CanvasCommand>(
  Object.entries<CanvasCommand>({
    ArrowUp: move('up'),
    ArrowDown: move('down'),
    ArrowLeft: move('left'),
    ArrowRight: move('right'),
    Home: move('root'),
    End: move('tip'),
    ContextMenu: { do: 'menu' },
    Enter: { do: 'activate' },
    Escape: { do: 'clear' },
    f: { do: 'fit' },
    t: { do: 'topic' },
    '0': { do: 'actual-size' },
    '1': { do: 'actual-size' },
    '+': { do: 'zoom', by: ZOOM_STEP },
    '=': { do: 'zoom', by: ZOOM_STEP },
    '-': { do: 'zoom', by: 1 / ZOOM_STEP },
  }),
);

/** The command for a key on the canvas; null if it has none. */
export const canvasCommandOf = (event: Keystroke): CanvasCommand | null => {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.shiftKey && event.key === 'F10') return { do: 'menu' };
  const command = COMMANDS.get(event.key) ?? COMMANDS.get(strokeOf(event)?.toLowerCase() ?? '') ?? null;
  return event.shiftKey && command?.do === 'move' ? { ...command, do: 'extend' } : command;
};

/** For the list of shortcuts. */
export const CANVAS_KEYS: readonly { readonly keys: readonly string[]; readonly action: string }[] = [
  { keys: ['↑', '↓'], action: 'Select the turn above, or the first turn below' },
  { keys: ['←', '→'], action: 'Select the turn beside it, then the next topic' },
  { keys: ['Home', 'End'], action: 'Select the root, or the tip below' },
  { keys: ['Shift ↑', 'Shift ↓', 'Shift ←', 'Shift →'], action: 'Extend the selection to the next turn' },
  { keys: ['Shift F10', 'Menu'], action: 'Open the menu of the selection' },
  { keys: ['Enter'], action: 'Make the selected turn active: the next message continues from there' },
  { keys: ['Esc'], action: 'Clear the selection' },
  { keys: ['f'], action: 'Show the whole forest' },
  { keys: ['t'], action: 'Show the topic of the selected turn' },
  { keys: ['+', '−'], action: 'Zoom in and out' },
  { keys: ['0'], action: 'Zoom to 100 %' },
];

/** Pointer actions, for the same list. */
export const CANVAS_POINTER: typeof CANVAS_KEYS = [
  { keys: ['Drag'], action: 'Move a turn and everything below it under another turn or to empty space; Esc cancels' },
  { keys: ['Shift click', 'Ctrl click'], action: 'Add a turn to the selection, or remove it' },
  { keys: ['Shift drag'], action: 'From empty space: select the turns in a rectangle' },
  { keys: ['Space drag'], action: 'Pan the view, wherever the pointer is' },
  {
    keys: ['Select several'],
    action: 'The button at the bottom of the canvas: each click or tap adds a turn to the selection or removes it',
  },
  { keys: ['Long press'], action: 'By touch: drag the turn, or lift your finger for its menu' },
];

type Run = (command: CanvasCommand) => void;

/** The mounted canvas, if any: only it knows its view. */
let canvas: Run | null = null;

/** Registers the canvas to run commands for as long as it is mounted. */
export const useOfferedCanvas = (run: Run): void =>
  useEffect(() => {
    canvas = run;
    return () => {
      if (canvas === run) canvas = null;
    };
  }, [run]);

export const canvasThere = (): boolean => canvas !== null;
export const askCanvas = (command: CanvasCommand): void => canvas?.(command);
