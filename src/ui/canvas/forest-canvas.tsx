import '@xyflow/react/dist/base.css';
import { ReactFlowProvider } from '@xyflow/react';
import { Sprout } from 'lucide-react';
import { useCallback, useMemo, useRef } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import { useActions } from '../app-context.ts';
import { useOfferedCanvas } from '../shell/commands/canvas-port.ts';
import { useCanvasMenu } from './canvas-menu.tsx';
import { CanvasToolbar } from './canvas-toolbar.tsx';
import { DragNote } from './drag-note.tsx';
import styles from './forest-canvas.module.css';
import { ForestFlow } from './forest-flow.tsx';
import type { At } from './gestures.ts';
import { Marquee } from './marquee.tsx';
import type { Rect } from './measures.ts';
import { Minimap } from './minimap.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useCamera } from './use-camera.ts';
import { useCommands } from './use-commands.ts';
import { useDrag } from './use-drag.ts';
import { useFraming } from './use-framing.ts';
import { useReveal } from './use-reveal.ts';
import { useScene } from './use-scene.ts';
import { useSeveral } from './use-several.ts';

/** The forest as a map to pan, zoom and walk through, and to rearrange by hand; fills its parent. */
export const ForestCanvas = () => (
  <ReactFlowProvider>
    <Canvas />
  </ReactFlowProvider>
);

const Canvas = () => {
  const actions = useActions();
  const root = useRef<HTMLDivElement>(null);
  const { scene: still, fresh } = useScene();
  useReveal();
  const camera = useCamera();
  const moved = useFraming(still, camera);
  const { menu, open } = useCanvasMenu();

  const latest = useRef(still);
  latest.current = still;
  /** Of the selected turns, if the one pressed is one of them; else of that one alone. */
  const openMenuOf = useCallback(
    (id: NodeId, at: At) => {
      if (!latest.current.selection.has(id)) actions.select(id);
      open(at);
    },
    [actions, open],
  );
  const openMenuBeside = useCallback(
    ({ x, y, height }: Rect) => {
      const bounds = root.current?.getBoundingClientRect();
      open({ x: x + (bounds?.left ?? 0), y: y + height + (bounds?.top ?? 0) });
    },
    [open],
  );
  const { carry, said, marquee } = useDrag(root, still, camera, openMenuOf);
  const scene = useMemo(() => ({ ...still, carry }), [still, carry]);
  const { several, toggle } = useSeveral();
  const run = useCommands(scene, camera, moved, openMenuBeside, toggle);
  useOfferedCanvas(run);
  const empty = scene.layout.turns === 0 && scene.ghost === null;
  return (
    <div className={styles.frame}>
      <ForestFlow
        root={root}
        scene={scene}
        fresh={fresh}
        camera={camera}
        several={several}
        moved={moved}
        run={run}
        menu={openMenuOf}
      />
      {empty ? (
        <p className={styles.empty}>
          <Sprout size={28} strokeWidth={1.5} aria-hidden />
          Nothing grows here yet. Your first message plants the first topic.
        </p>
      ) : (
        <>
          <SelectionBar scene={scene} several={several} onDone={toggle} />
          <CanvasToolbar scene={scene} several={several} run={run} />
          <Minimap scene={scene} camera={camera} moved={moved} />
          <Marquee marquee={marquee} />
          <DragNote said={said} />
        </>
      )}
      {menu}
    </div>
  );
};
