import { expect, test } from 'vitest';
import type { View, Viewport } from './geometry.ts';
import { createCamera } from './use-camera.ts';

/** A camera whose gentle moves take until they are told to arrive. */
const slow = () => {
  let view: View = { x: 0, y: 0, zoom: 1, width: 800, height: 600 };
  let arrive = (): void => undefined;
  const camera = createCamera(
    () => view,
    (to: Viewport, pace) =>
      new Promise<void>((done) => {
        arrive = () => {
          view = { ...view, ...to };
          done();
        };
        if (pace === 'once') arrive();
      }),
  );
  const passes = (zoom: number) => {
    view = { ...view, zoom };
  };
  return { camera, passes, arrive: () => arrive() };
};

test('while the view moves, commands go on from where it leads', async () => {
  const { camera, passes, arrive } = slow();
  camera.move({ x: 5, y: 6, zoom: 1.3 });
  expect(camera.view().zoom).toBe(1);
  expect(camera.target()).toEqual({ x: 5, y: 6, zoom: 1.3, width: 800, height: 600 });
  passes(1.1);
  camera.move({ ...camera.target(), zoom: camera.target().zoom * 1.3 });
  expect(camera.target().zoom).toBeCloseTo(1.69);
  arrive();
  await Promise.resolve();
  passes(0.5);
  expect(camera.target().zoom).toBe(0.5);
});

test('a user who takes hold of the view ends its move', () => {
  const { camera, passes } = slow();
  camera.move({ x: 0, y: 0, zoom: 2 });
  passes(1.4);
  camera.interrupt();
  expect(camera.target().zoom).toBe(1.4);
});
