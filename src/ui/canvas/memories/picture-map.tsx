import { type PointerEvent, useLayoutEffect, useMemo, useRef } from 'react';
import { OVERVIEW_ZOOM } from '../measures.ts';
import { type Palette, readPalette, watchTheme } from '../palette.ts';
import { seenBy, toCanvas, type View } from '../view.ts';
import { drawCards } from './draw-cards.ts';
import type { Picture } from './picture.ts';
import styles from './picture-map.module.css';

const SIZE = { width: 148, height: 100 };
const PADDING = 8;

/** All of a picture small, and the part of it that is in view; a click or drag there goes there. Not there while all is in view. */
export const PictureMap = ({
  picture,
  view,
  onGo,
}: {
  picture: Picture;
  view: View;
  /** Looks at a point of the picture. */
  onGo: (at: { readonly x: number; readonly y: number }) => void;
}) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { layout } = picture.scene;
  const whole = useMemo((): View => {
    const [width, height] = [Math.max(1, layout.width), Math.max(1, layout.height)];
    const zoom = Math.min(OVERVIEW_ZOOM / 4, (SIZE.width - 2 * PADDING) / width, (SIZE.height - 2 * PADDING) / height);
    return { ...SIZE, zoom, x: (SIZE.width - width * zoom) / 2, y: (SIZE.height - height * zoom) / 2 };
  }, [layout]);
  const seen = seenBy(view);
  const allSeen =
    seen.x <= 0 && seen.y <= 0 && seen.x + seen.width >= layout.width && seen.y + seen.height >= layout.height;

  useLayoutEffect(() => {
    const element = canvas.current;
    const pen = element?.getContext('2d');
    if (element === null || !pen) return;
    const paint = (palette: Palette) => {
      const ratio = devicePixelRatio;
      element.width = SIZE.width * ratio;
      element.height = SIZE.height * ratio;
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      drawCards(picture, null)(pen, picture.scene, whole, palette);
    };
    const read = () => paint(readPalette(element.parentElement as HTMLElement));
    read();
    return watchTheme(read);
  }, [picture, whole]);

  const go = (event: PointerEvent<HTMLElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    onGo(toCanvas(whole, event.clientX - left, event.clientY - top));
  };
  return (
    <div
      className={styles.map}
      hidden={allSeen}
      aria-hidden
      style={SIZE}
      onPointerDown={(event) => {
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => {
        event.stopPropagation();
        if (event.buttons !== 0) go(event);
      }}
    >
      <canvas ref={canvas} style={SIZE} />
      <i
        className={styles.frame}
        style={{
          left: seen.x * whole.zoom + whole.x,
          top: seen.y * whole.zoom + whole.y,
          width: seen.width * whole.zoom,
          height: seen.height * whole.zoom,
        }}
      />
    </div>
  );
};
