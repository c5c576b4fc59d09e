import { Maximize, Minus, Plus, TreeDeciduous } from 'lucide-react';
import { memo } from 'react';
import { type CanvasCommand, ZOOM_STEP } from './canvas-keys.ts';
import styles from './canvas-toolbar.module.css';

const BUTTONS: readonly { name: string; key: string; icon: typeof Plus; command: CanvasCommand }[] = [
  { name: 'Zoom out', key: '−', icon: Minus, command: { do: 'zoom', by: 1 / ZOOM_STEP } },
  { name: 'Zoom in', key: '+', icon: Plus, command: { do: 'zoom', by: ZOOM_STEP } },
  { name: 'Show the whole forest', key: 'f', icon: Maximize, command: { do: 'fit' } },
  { name: 'Show the topic', key: 't', icon: TreeDeciduous, command: { do: 'topic' } },
];

export const CanvasToolbar = memo(({ run }: { run: (command: CanvasCommand) => void }) => (
  <div className={styles.toolbar} role="toolbar" aria-label="Canvas view">
    {BUTTONS.map(({ name, key, icon: Icon, command }) => (
      <button key={name} type="button" aria-label={name} title={`${name} (${key})`} onClick={() => run(command)}>
        <Icon size={16} aria-hidden />
      </button>
    ))}
  </div>
));
CanvasToolbar.displayName = 'CanvasToolbar';
