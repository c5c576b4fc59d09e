import { useCallback } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import type { Change } from '../../engine/history/difference.ts';
import { DrawnScene } from '../../ui/canvas/drawn-scene.tsx';
import type { Body } from '../../ui/canvas/painter.ts';
import type { Scene } from '../../ui/canvas/scene.ts';
import type { View } from '../../ui/canvas/view.ts';
import { drawTurns } from './draw-turns.ts';

/** One forest, drawn as the canvas draws it, with the turns marked that are placed otherwise. */
export const ForestPicture = ({
  scene,
  view,
  changes,
  selected,
  onPick,
}: {
  scene: Scene;
  view: View;
  changes: ReadonlyMap<NodeId, Change>;
  selected: NodeId | null;
  onPick: (nodeId: NodeId | null) => void;
}) => {
  const over = useCallback<Body>(
    (pen, drawn, seen, palette) => drawTurns(pen, drawn, seen, palette, { changes, selected }),
    [changes, selected],
  );
  return <DrawnScene scene={scene} view={view} over={over} onPick={onPick} />;
};
