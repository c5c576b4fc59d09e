import '@xyflow/react/dist/base.css';
import { ReactFlowProvider } from '@xyflow/react';
import { Sprout } from 'lucide-react';
import { CanvasToolbar } from './canvas-toolbar.tsx';
import styles from './forest-canvas.module.css';
import { ForestFlow } from './forest-flow.tsx';
import { Minimap } from './minimap.tsx';
import { useCamera } from './use-camera.ts';
import { useCommands } from './use-commands.ts';
import { useFraming } from './use-framing.ts';
import { useScene } from './use-scene.ts';

/** The forest as a map to pan, zoom and walk through; fills its parent. */
export const ForestCanvas = () => (
  <ReactFlowProvider>
    <Canvas />
  </ReactFlowProvider>
);

const Canvas = () => {
  const { scene, fresh } = useScene();
  const camera = useCamera();
  const moved = useFraming(scene, camera);
  const run = useCommands(scene, camera, moved);
  const empty = scene.layout.turns === 0 && scene.ghost === null;
  return (
    <div className={styles.frame}>
      <ForestFlow scene={scene} fresh={fresh} camera={camera} moved={moved} run={run} />
      {empty ? (
        <p className={styles.empty}>
          <Sprout size={28} strokeWidth={1.5} aria-hidden />
          Nothing grows here yet. Your first message plants the first topic.
        </p>
      ) : (
        <>
          <CanvasToolbar run={run} />
          <Minimap scene={scene} camera={camera} moved={moved} />
        </>
      )}
    </div>
  );
};
