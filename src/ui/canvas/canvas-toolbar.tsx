import { ListCollapse, ListPlus, Maximize, Minus, Plus, TreeDeciduous, Waypoints } from 'lucide-react';
import { memo } from 'react';
import type { Colouring } from '../../app/state.ts';
import { useActions, useApp } from '../app-context.ts';
import { count } from '../parts/format.ts';
import { type CanvasCommand, ZOOM_STEP } from './canvas-keys.ts';
import styles from './canvas-toolbar.module.css';
import { SCALE_STEPS, type Scene, scaleColour, standingColour } from './scene.ts';

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
  readonly colours: Scene['colours'];
  readonly several: boolean;
  readonly run: (command: CanvasCommand) => void;
}

export const CanvasToolbar = memo(({ colours, several, run }: Props) => {
  const near = useApp((state) => state.session.nearPath);
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Canvas view">
      <ColourChoice colours={colours} />
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

const CHOICES: Readonly<Record<Colouring, string>> = {
  topic: 'Topic',
  branch: 'Branch',
  age: 'Age',
  tokens: 'Context tokens',
  context: 'In context',
};

/** Chooses what the canvas colours stand for, with a legend. */
const ColourChoice = ({ colours }: Pick<Props, 'colours'>) => {
  const { session } = useActions();
  const by = useApp((state) => state.session.colouring);
  return (
    <div className={styles.box}>
      <label className={styles.choice}>
        <span>Colour</span>
        <select value={by} onChange={(event) => session({ colouring: event.target.value as Colouring })}>
          {Object.entries(CHOICES).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <Legend colours={colours} />
      <a className={styles.mark} href="https://reactflow.dev" target="_blank" rel="noopener noreferrer">
        React Flow
      </a>
    </div>
  );
};

const Legend = ({ colours }: Pick<Props, 'colours'>) => {
  switch (colours.by) {
    case 'topic':
    case 'branch':
      return null;
    case 'age':
      return <Scale from="oldest" to="newest" />;
    case 'tokens':
      return <Scale from="0" to={count(colours.most ?? 0)} />;
    case 'context':
      return (
        <ul className={styles.legend} aria-label="Legend">
          <Meaning colour={standingColour('full')} words="in full" />
          <Meaning colour={standingColour('summary')} words="summary" />
          <Meaning colour={standingColour('left-out')} words="not sent" />
          <Meaning colour={standingColour('hidden')} words="hidden" />
        </ul>
      );
  }
};

const Scale = ({ from, to }: { from: string; to: string }) => (
  <div className={styles.legend} role="img" aria-label={`Legend: from ${from} to ${to}`}>
    {from}
    <span className={styles.scale}>
      {Array.from({ length: SCALE_STEPS }, (_, step) => (
        <i key={scaleColour(step)} style={{ background: scaleColour(step) }} />
      ))}
    </span>
    {to}
  </div>
);

const Meaning = ({ colour, words }: { colour: string; words: string }) => (
  <li>
    <i style={{ background: colour }} />
    {words}
  </li>
);
