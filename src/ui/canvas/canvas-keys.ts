import type { Direction } from './move-selection.ts';

export type CanvasCommand =
  | { readonly do: 'move'; readonly direction: Direction }
  | { readonly do: 'zoom'; readonly by: number }
  | { readonly do: 'activate' | 'clear' | 'fit' | 'actual-size' | 'topic' };

const move = (direction: Direction): CanvasCommand => ({ do: 'move', direction });
/** One press of a zoom key or button. */
export const ZOOM_STEP = 1.3;

const COMMANDS = new Map<string, CanvasCommand>(
  Object.entries<CanvasCommand>({
    ArrowUp: move('up'),
    ArrowDown: move('down'),
    ArrowLeft: move('left'),
    ArrowRight: move('right'),
    Home: move('root'),
    End: move('tip'),
    Enter: { do: 'activate' },
    a: { do: 'activate' },
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

/** What a key asks of the canvas; null for a key that is not the canvas's. */
export const commandOf = (
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
): CanvasCommand | null => (event.ctrlKey || event.metaKey || event.altKey ? null : (COMMANDS.get(event.key) ?? null));

/** For the list of shortcuts. */
export const CANVAS_KEYS: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['↑', '↓'], does: 'Select the turn before, or the first one after' },
  { keys: ['←', '→'], does: 'Select the turn beside, on to the next topic' },
  { keys: ['Home', 'End'], does: 'Select the root, or the tip below' },
  { keys: ['Enter', 'a'], does: 'Make the selected turn active: the next message goes on from there' },
  { keys: ['Esc'], does: 'Select nothing' },
  { keys: ['f'], does: 'Show the whole forest' },
  { keys: ['t'], does: 'Show the topic of the selected turn' },
  { keys: ['+', '−'], does: 'Zoom in and out' },
  { keys: ['0'], does: 'Zoom to 100 %' },
];
