import '@xyflow/react/dist/base.css';
import { ReactFlowProvider } from '@xyflow/react';
import { Sprout } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import { childrenOf } from '../../domain/queries.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { type MenuPlace, TurnMenuAt } from '../shell/commands/turn-actions.tsx';
import { type CanvasCommand, useOfferedCanvas } from './canvas-keys.ts';
import { CanvasToolbar } from './canvas-toolbar.tsx';
import { DragNote, Marquee, useDrag } from './drag.tsx';
import { moveSelection } from './find-cards.ts';
import { foldedAfter } from './folding.ts';
import styles from './forest-canvas.module.css';
import { ForestFlow } from './forest-flow.tsx';
import { bringIntoView, centre, type Rect, topicView, zoomTo } from './geometry.ts';
import type { At } from './gestures.ts';
import { boxOf, type CardRef, cardOf, idOf } from './layout.ts';
import { Minimap } from './minimap.tsx';
import type { Scene } from './scene.ts';
import { SelectionBar } from './selection-bar.tsx';
import { type Camera, leastZoom, useCamera, useFraming } from './use-camera.ts';
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
const useSeveral = (): { readonly several: boolean; readonly toggle: () => void } => {
  const [several, setSeveral] = useState(false);
  const conversationId = useApp((state) => state.conversationId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation, another start
  useEffect(() => setSeveral(false), [conversationId]);
  const toggle = useCallback(() => setSeveral((now) => !now), []);
  return { several, toggle };
};

/** The menu of the selected turns, at a place of the window. */
const useCanvasMenu = () => {
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

/**
 * Carries out what keys and buttons ask for. `moved` hears that the person has moved the view; `menu` opens the menu of
 * what is selected beside a rectangle of the pane; `several` begins or ends selecting by clicks alone.
 */
const useCommands = (
  scene: Scene,
  camera: Camera,
  moved: () => void,
  menu: (at: Rect) => void,
  several: () => void,
) => {
  const actions = useActions();
  const state = useAppState();
  const latest = useRef(scene);
  latest.current = scene;

  return useMemo(() => {
    const selected = (): CardRef | null =>
      cardOf(latest.current.layout, latest.current.forest.nodes[latest.current.selectedId ?? '']);
    const active = (): CardRef | null => {
      const { layout, forest } = latest.current;
      return cardOf(layout, forest.nodes[forest.active?.nodeId ?? '']);
    };

    return (command: CanvasCommand): void => {
      const { layout, forest, selectedId } = latest.current;
      const view = camera.view();
      switch (command.do) {
        case 'move': {
          const from = selected();
          const next = from === null ? (forest.active?.nodeId ?? null) : moveSelection(layout, from, command.direction);
          if (next !== null) return actions.select(next);
          // Nowhere to go: at least show where one is.
          if (from !== null) camera.move(bringIntoView(view, boxOf(from)));
          return;
        }
        case 'extend': {
          const from = selected();
          const next = from === null ? (forest.active?.nodeId ?? null) : moveSelection(layout, from, command.direction);
          if (next === null) return;
          const { selection } = latest.current;
          // Back over what was selected takes it out again.
          const others = [...selection].filter((id) => id !== (selection.has(next) ? selectedId : next));
          return actions.selectMany([...new Set([...others, next])], next);
        }
        case 'menu': {
          const card = selected() ?? active();
          if (card === null) return;
          if (selectedId === null) actions.select(idOf(card));
          const { x, y, width, height } = boxOf(card);
          return menu({
            x: x * view.zoom + view.x,
            y: y * view.zoom + view.y,
            width: width * view.zoom,
            height: height * view.zoom,
          });
        }
        case 'fold': {
          const ids = latest.current.selection.size > 0 ? [...latest.current.selection] : [];
          const own = ids.length > 0 ? ids : forest.active === null ? [] : [forest.active.nodeId];
          const unfold = own.every((id) => latest.current.folds.has(id) || childrenOf(forest, id).length === 0);
          return actions.session(foldedAfter(state().session, own, unfold));
        }
        case 'near':
          return actions.session({ nearPath: !state().session.nearPath });
        case 'several':
          return several();
        case 'activate':
          if (selectedId === null) return actions.select(forest.active?.nodeId ?? null);
          // The past is read only.
          if (state().past === null && forest.active?.nodeId !== selectedId) void actions.activate(selectedId);
          return;
        case 'clear':
          return actions.select(null);
        case 'fit':
          camera.move(camera.fitAll(layout));
          return moved();
        case 'topic': {
          const card = selected() ?? active();
          if (card === null) return;
          const { x, y, tree } = card.placed;
          camera.move(topicView({ x, y, width: tree.width, height: tree.height }, boxOf(card), view));
          return moved();
        }
        case 'actual-size': {
          const card = selected() ?? active();
          camera.move(card === null ? zoomTo(view, 1, 1) : centre(boxOf(card), view, 1));
          return moved();
        }
        case 'zoom': {
          camera.move(zoomTo(view, view.zoom * command.by, leastZoom(layout, view)));
          return moved();
        }
      }
    };
  }, [actions, camera, moved, menu, several, state]);
};
