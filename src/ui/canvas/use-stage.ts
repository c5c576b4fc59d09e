import { useStoreApi } from '@xyflow/react';
import { type RefObject, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { useApp } from '../app-context.ts';
import type { Scene } from './scene.ts';
import { createStage, type Stage } from './stage.ts';
import type { Camera } from './use-camera.ts';

const NONE: ReadonlySet<string> = new Set();
const none = () => NONE;
const silent = () => () => undefined;

/** Draws the scene whenever it or the view changes; returns the ids of the cards to mount. */
export const useStage = (
  root: RefObject<HTMLElement | null>,
  layer: RefObject<HTMLCanvasElement | null>,
  strip: RefObject<HTMLCanvasElement | null>,
  scene: Scene,
  camera: Camera,
): ReadonlySet<string> => {
  const store = useStoreApi();
  const past = useApp((state) => state.past !== null);
  const [stage, setStage] = useState<Stage | null>(null);

  useLayoutEffect(() => {
    if (root.current === null || layer.current === null || strip.current === null) return;
    const made = createStage(root.current, layer.current, strip.current, camera.view);
    setStage(made);
    const unsubscribe = store.subscribe((now, before) => {
      const moved = now.transform !== before.transform || now.width !== before.width || now.height !== before.height;
      if (moved) made.invalidate();
    });
    return () => {
      unsubscribe();
      made.end();
    };
  }, [root, layer, strip, camera, store]);

  useLayoutEffect(() => stage?.show(scene, past), [stage, scene, past]);

  return useSyncExternalStore(stage?.subscribe ?? silent, stage?.mounted ?? none);
};
