import { useStoreApi } from '@xyflow/react';
import { type PointerEvent, useEffect, useRef } from 'react';
import { drawMarker } from './draw-marks.ts';
import { createPixelBrush, drawOverview } from './draw-overview.ts';
import styles from './forest-canvas.module.css';
import { visibleRect } from './geometry.ts';
import { type Palette, readPalette, watchTheme } from './palette.ts';
import type { Scene } from './scene.ts';
import type { Camera } from './use-camera.ts';

const SIZE = { width: 160, height: 104 };
const PADDING = 10;
const MARKER_RADIUS = 3;

/** A small view of the whole forest, with the visible part marked; a click or drag moves the view there. */
export const Minimap = ({ scene, camera, moved }: { scene: Scene; camera: Camera; moved: () => void }) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const palette = useRef<Palette | null>(null);
  const store = useStoreApi();
  const { forest, layout, colours } = scene;
  const activeId = forest.active?.nodeId;
  const zoom = Math.min(
    0.2,
    (SIZE.width - 2 * PADDING) / Math.max(layout.width, 1),
    (SIZE.height - 2 * PADDING) / Math.max(layout.height, 1),
  );
  const left = (SIZE.width - layout.width * zoom) / 2;
  const top = (SIZE.height - layout.height * zoom) / 2;

  // biome-ignore lint/correctness/useExhaustiveDependencies: neither text that streams nor what is sent changes the picture, unless the colours stand for it.
  useEffect(() => {
    const paint = () => {
      const element = canvas.current;
      const pen = element?.getContext('2d');
      if (element == null || pen == null) return;
      const ratio = devicePixelRatio;
      element.width = SIZE.width * ratio;
      element.height = SIZE.height * ratio;
      palette.current ??= readPalette(element.parentElement as HTMLElement);
      const brush = createPixelBrush();
      brush.begin(element.width, element.height, ratio * zoom, ratio * left, ratio * top, palette.current.panelPixel);
      drawOverview(brush, scene, { x: 0, y: 0, width: layout.width, height: layout.height }, zoom, palette.current);
      pen.putImageData(brush.image(), 0, 0);
      pen.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * left, ratio * top);
      drawMarker(pen, scene, zoom, MARKER_RADIUS, palette.current);
    };
    const asked = requestAnimationFrame(paint);
    const end = watchTheme(() => {
      palette.current = null;
      paint();
    });
    return () => {
      cancelAnimationFrame(asked);
      end();
    };
  }, [layout, activeId, colours, forest.hiddenCount]);

  useEffect(() => {
    const place = () => {
      const element = frame.current;
      if (element === null) return;
      const seen = visibleRect(camera.view());
      const x = Math.max(0, left + seen.x * zoom);
      const y = Math.max(0, top + seen.y * zoom);
      const right = Math.min(SIZE.width, left + (seen.x + seen.width) * zoom);
      const bottom = Math.min(SIZE.height, top + (seen.y + seen.height) * zoom);
      element.style.transform = `translate(${x}px, ${y}px)`;
      element.style.width = `${Math.max(6, right - x)}px`;
      element.style.height = `${Math.max(6, bottom - y)}px`;
    };
    place();
    return store.subscribe((now, before) => {
      if (now.transform !== before.transform || now.width !== before.width || now.height !== before.height) place();
    });
  }, [camera, store, zoom, left, top]);

  const go = (event: PointerEvent<HTMLDivElement>) => {
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId);
    // A press that began elsewhere drags a card or pans the canvas.
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const bounds = event.currentTarget.getBoundingClientRect();
    const x = (event.clientX - bounds.left - left) / zoom;
    const y = (event.clientY - bounds.top - top) / zoom;
    const view = camera.view();
    camera.move(
      { x: view.width / 2 - x * view.zoom, y: view.height / 2 - y * view.zoom, zoom: view.zoom },
      { at: 'once' },
    );
    moved();
  };

  return (
    <div className={styles.minimap} style={SIZE} aria-hidden onPointerDown={go} onPointerMove={go}>
      <canvas ref={canvas} style={SIZE} />
      <div ref={frame} className={styles.visible} />
    </div>
  );
};
