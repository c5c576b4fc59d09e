import { useLayoutEffect, useRef, useState } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import type { Change } from '../../engine/what-if/difference.ts';
import { turnAt } from '../canvas/hit.ts';
import { createPainter } from '../canvas/painter.ts';
import { type Palette, readPalette, watchTheme } from '../canvas/palette.ts';
import type { Scene } from '../canvas/scene.ts';
import type { View } from '../canvas/view.ts';
import { drawTurns } from './draw-turns.ts';
import styles from './twins.module.css';

const NONE: ReadonlySet<string> = new Set();
const AT_REST = { offsetOf: () => undefined };

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
  const layer = useRef<HTMLCanvasElement>(null);
  const strip = useRef<HTMLCanvasElement>(null);
  const words = useRef<HTMLCanvasElement>(null);
  const [painter, setPainter] = useState<ReturnType<typeof createPainter> | null>(null);
  const [inks, setInks] = useState<{ readonly palette: Palette; readonly moved: string } | null>(null);

  useLayoutEffect(() => {
    const [under, over, own] = [layer.current, strip.current, words.current];
    if (under === null || over === null || own === null) return;
    setPainter(createPainter(under, over));
    const read = () => {
      const root = own.parentElement as HTMLElement;
      setInks({ palette: readPalette(root), moved: getComputedStyle(root).getPropertyValue('--warn') });
    };
    read();
    return watchTheme(read);
  }, []);

  useLayoutEffect(() => {
    const pen = words.current?.getContext('2d');
    if (painter === null || inks === null || !pen || view.width === 0 || view.height === 0) return;
    // At most once a frame, however often the wheel turns.
    const asked = requestAnimationFrame(() => {
      painter.paint(scene, view, NONE, inks.palette, AT_REST);
      const ratio = devicePixelRatio;
      pen.canvas.width = Math.round(view.width * ratio);
      pen.canvas.height = Math.round(view.height * ratio);
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      drawTurns(pen, scene, view, inks.palette, { changes, selected, moved: inks.moved });
    });
    return () => cancelAnimationFrame(asked);
  }, [painter, inks, scene, view, changes, selected]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list of differences, and the pane's own keys, do the same
    // biome-ignore lint/a11y/noStaticElementInteractions: as above
    <div
      className={styles.picture}
      onClick={(event) => {
        const bounds = event.currentTarget.getBoundingClientRect();
        onPick(turnAt(scene.layout, view, event.clientX - bounds.left, event.clientY - bounds.top));
      }}
    >
      <canvas ref={layer} aria-hidden />
      <canvas ref={words} aria-hidden />
      <canvas ref={strip} aria-hidden className={styles.strip} />
    </div>
  );
};
