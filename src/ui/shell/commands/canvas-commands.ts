import { type CanvasCommand, ZOOM_STEP } from '../../canvas/canvas-keys.ts';
import { askCanvas, canvasThere } from './canvas-port.ts';
import type { Command } from './command.ts';
import type { CommandId } from './default-keys.ts';

const onCanvas = (id: CommandId, words: string, command: CanvasCommand): Command => ({
  id,
  group: 'View',
  words,
  also: 'canvas zoom fit',
  unless: () => (canvasThere() ? null : 'Show the canvas first.'),
  run: () => askCanvas(command),
});

export const canvasCommands: readonly Command[] = [
  {
    ...onCanvas('select-several', 'Select several turns by clicks or taps', { do: 'several' }),
    also: 'multiple touch',
  },
  onCanvas('show-forest', 'Show the whole forest', { do: 'fit' }),
  onCanvas('show-topic', 'Show the topic of the turn', { do: 'topic' }),
  onCanvas('show-turn', 'Centre the turn at 100 %', { do: 'actual-size' }),
  onCanvas('zoom-in', 'Zoom in', { do: 'zoom', by: ZOOM_STEP }),
  onCanvas('zoom-out', 'Zoom out', { do: 'zoom', by: 1 / ZOOM_STEP }),
];
