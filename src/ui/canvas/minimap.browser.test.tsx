import { ReactFlowProvider } from '@xyflow/react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { nextPaint } from '../../engine/tasks.ts';
import { Minimap } from './minimap.tsx';
import { bareScene, type Scene, standingsOf } from './scene.ts';
import { smallForest } from './testing/small-forest.ts';
import type { Camera } from './use-camera.ts';

test('the minimap is painted when another turn becomes active, not when only what is sent changes', async () => {
  const scene = bareScene(smallForest({ a: null, b: 'a' }));
  const { forest } = scene;
  const camera = { view: () => ({ x: 0, y: 0, zoom: 1, width: 400, height: 300 }) } as Camera;
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  const paint = vi.spyOn(CanvasRenderingContext2D.prototype, 'putImageData');
  const moved = () => undefined;
  const show = async (shown: Scene) => {
    flushSync(() =>
      root.render(
        <ReactFlowProvider>
          <Minimap scene={shown} camera={camera} moved={moved} />
        </ReactFlowProvider>,
      ),
    );
    await nextPaint();
    return paint.mock.calls.length;
  };
  const first = await show(scene);
  expect(first).toBeGreaterThan(0);
  expect(await show({ ...scene, standings: standingsOf(forest) })).toBe(first);
  const active = { treeId: 'a', branchId: 'b-a', nodeId: 'a' };
  expect(await show({ ...scene, forest: { ...forest, active } })).toBe(first + 1);
  paint.mockRestore();
  root.unmount();
  page.remove();
});
