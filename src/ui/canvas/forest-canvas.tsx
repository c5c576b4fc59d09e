import '@xyflow/react/dist/base.css';
import { ReactFlowProvider } from '@xyflow/react';
import { Sprout } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { type MenuPlace, TurnMenuAt } from '../shell/commands/turn-actions.tsx';
import { useOfferedCanvas } from './canvas-keys.ts';
import { CanvasToolbar } from './canvas-toolbar.tsx';
import { DragNote, Marquee, useDrag } from './drag.tsx';
import styles from './forest-canvas.module.css';
import { ForestFlow } from './forest-flow.tsx';
import type { Rect } from './geometry.ts';
import type { At } from './gestures.ts';
import { Minimap } from './minimap.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useCamera, useFraming } from './use-camera.ts';
import { useCommands } from './use-commands.ts';
import { useReveal, useScene } from './use-scene.ts';

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
  const { carry, status, marquee } = useDrag(root, still, camera, openMenuOf);
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
          <DragNote status={status} />
        </>
      )}
      {menu}
    </div>
  );
};

/** Whether clicks and taps select one turn more, and what begins and ends that. Another conversation ends it, too. */
export const useSeveral = (): { readonly several: boolean; readonly toggle: () => void } => {
  const [several, setSeveral] = useState(false);
  const conversationId = useApp((state) => state.conversationId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation, another start
  useEffect(() => setSeveral(false), [conversationId]);
  const toggle = useCallback(() => setSeveral((now) => !now), []);
  return { several, toggle };
};

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
