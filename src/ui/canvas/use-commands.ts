import { useMemo, useRef } from 'react';
import { childrenOf } from '../../domain/queries.ts';
import { useActions, useAppState } from '../app-context.ts';
import type { CanvasCommand } from './canvas-keys.ts';
import { moveSelection } from './find-cards.ts';
import { foldedAfter } from './folding.ts';
import { bringIntoView, centre, type Rect, topicView, zoomTo } from './geometry.ts';
import { boxOf, type CardRef, cardOf, idOf } from './layout.ts';
import type { Scene } from './scene.ts';
import { type Camera, leastZoom } from './use-camera.ts';

/**
 * Carries out what keys and buttons ask for. `moved` hears that the person has moved the view; `menu` opens the menu of
 * what is selected beside a rectangle of the pane; `several` begins or ends selecting by clicks alone.
 */
export const useCommands = (
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
