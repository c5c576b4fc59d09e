import { ListCollapse, ListPlus, Maximize, Minus, Plus, TreeDeciduous, Waypoints } from 'lucide-react';
import { memo } from 'react';
import { useApp } from '../app-context.ts';
import { type CanvasCommand, ZOOM_STEP } from './canvas-keys.ts';
import styles from './canvas-toolbar.module.css';
import { ColourChoice } from './colour-choice.tsx';
import type { Scene } from './scene.ts';

interface Tool {
  readonly name: string;
  readonly key?: string;
  readonly icon: typeof Plus;
  readonly command: CanvasCommand;
}

const VIEW: readonly Tool[] = [
  { name: 'Zoom out', key: '−', icon: Minus, command: { do: 'zoom', by: 1 / ZOOM_STEP } },
  { name: 'Zoom in', key: '+', icon: Plus, command: { do: 'zoom', by: ZOOM_STEP } },
  { name: 'Show the whole forest', key: 'f', icon: Maximize, command: { do: 'fit' } },
  { name: 'Show the topic', key: 't', icon: TreeDeciduous, command: { do: 'topic' } },
];
const FOLD: Tool = {
  name: 'Fold or unfold what is below the selected turn',
  icon: ListCollapse,
  command: { do: 'fold' },
};
const NEAR: Tool = {
  name: 'Only the active path and its neighbours',
  icon: Waypoints,
  command: { do: 'near' },
};
const SEVERAL: Tool = { name: 'Select several', icon: ListPlus, command: { do: 'several' } };

interface Props {
  readonly scene: Scene;
  readonly several: boolean;
  readonly run: (command: CanvasCommand) => void;
}

export const CanvasToolbar = memo(({ scene, several, run }: Props) => {
  const near = useApp((state) => state.session.nearPath);
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Canvas view">
      <ColourChoice scene={scene} />
      <div className={styles.tools}>
        {VIEW.map((tool) => (
          <ToolButton key={tool.name} tool={tool} run={run} />
        ))}
        <i className={styles.gap} />
        <ToolButton tool={FOLD} run={run} />
        <ToolButton tool={NEAR} run={run} pressed={near} />
        <ToolButton tool={SEVERAL} run={run} pressed={several} />
      </div>
    </div>
  );
});
CanvasToolbar.displayName = 'CanvasToolbar';

const ToolButton = ({
  tool: { name, key, icon: Icon, command },
  run,
  pressed,
}: {
  tool: Tool;
  run: (command: CanvasCommand) => void;
  pressed?: boolean;
}) => (
  <button
    type="button"
    aria-label={name}
    aria-pressed={pressed}
    title={key === undefined ? name : `${name} (${key})`}
    onClick={() => run(command)}
  >
    <Icon size={16} aria-hidden />
  </button>
);
