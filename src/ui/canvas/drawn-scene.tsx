import { useLayoutEffect, useRef, useState } from 'react';
import styles from './drawn-scene.module.css';
import { turnAt } from './hit.ts';
import { type Body, createPainter } from './painter.ts';
import { type Palette, readPalette, watchTheme } from './palette.ts';
import type { Scene } from './scene.ts';
import type { View } from './view.ts';

const NONE: ReadonlySet<string> = new Set();
const AT_REST = { offsetOf: () => undefined };

interface Props {
  readonly scene: Scene;
  readonly view: View;
  /** In place of the forest's own lines and cards; the same function as long as it draws the same. */
  readonly body?: Body;
  /** Over all that is drawn; the same function as long as it draws the same. */
  readonly over?: Body;
  readonly onPick: (id: string | null) => void;
}

/** A scene drawn without a card being mounted; clicks pick what is under them. What pans and zooms it stands around it. */
export const DrawnScene = ({ scene, view, body, over, onPick }: Props) => {
  const layer = useRef<HTMLCanvasElement>(null);
  const strip = useRef<HTMLCanvasElement>(null);
  const words = useRef<HTMLCanvasElement>(null);
  const drawn = useRef(body);
  drawn.current = body;
  const [painter, setPainter] = useState<ReturnType<typeof createPainter> | null>(null);
  const [palette, setPalette] = useState<Palette | null>(null);
  const own = body !== undefined;

  useLayoutEffect(() => {
    const [under, above] = [layer.current, strip.current];
    if (under === null || above === null) return;
    const draw: Body | null = own ? (...all) => drawn.current?.(...all) : null;
    setPainter(createPainter(under, above, draw));
    const read = () => setPalette(readPalette(under.parentElement as HTMLElement));
    read();
    return watchTheme(read);
  }, [own]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the painter reads the body at once when it changes
  useLayoutEffect(() => {
    if (painter === null || palette === null || view.width === 0 || view.height === 0) return;
    // At most once a frame, however often the wheel turns.
    const asked = requestAnimationFrame(() => {
      painter.paint(scene, view, NONE, palette, AT_REST);
      const pen = words.current?.getContext('2d');
      if (over === undefined || !pen) return;
      const ratio = devicePixelRatio;
      pen.canvas.width = Math.round(view.width * ratio);
      pen.canvas.height = Math.round(view.height * ratio);
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      over(pen, scene, view, palette);
    });
    return () => cancelAnimationFrame(asked);
  }, [painter, palette, scene, view, body, over]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: what stands around it has the keys
    // biome-ignore lint/a11y/noStaticElementInteractions: as above
    <div
      className={styles.picture}
      onClick={(event) => {
        const bounds = event.currentTarget.getBoundingClientRect();
        onPick(turnAt(scene.layout, view, event.clientX - bounds.left, event.clientY - bounds.top));
      }}
    >
      <canvas ref={layer} aria-hidden />
      {over !== undefined && <canvas ref={words} aria-hidden />}
      <canvas ref={strip} aria-hidden className={styles.strip} />
    </div>
  );
};
