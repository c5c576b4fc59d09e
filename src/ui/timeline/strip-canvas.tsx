import { memo, useEffect, useRef } from 'react';
import { TOPIC_COLOURS } from '../topic-colour.ts';
import type { Bar } from './strip.ts';
import { useThemeName } from './theme-name.ts';
import styles from './timeline.module.css';

/** Height of the strip, and of its lowest and tallest bar; pixels. */
const STRIP_HEIGHT = 30;
const BAR = { lowest: 12, tallest: 28 };
const ALPHA = { past: 0.9, future: 0.25 };

interface Props {
  readonly bars: readonly Bar[];
  readonly width: number;
  /** Bars that end after this place lie in the future. */
  readonly position: number;
}

/** The bars, on a canvas: thousands of them cost no more than a few. */
export const StripCanvas = memo(({ bars, width, position }: Props) => {
  const ref = useRef<HTMLCanvasElement>(null);
  const theme = useThemeName();
  const known = useRef<{ theme: string; colours: readonly string[] } | null>(null);

  useEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext('2d');
    if (!canvas || !context) return;
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * scale);
    canvas.height = STRIP_HEIGHT * scale;
    context.scale(scale, scale);
    // Reading them costs a style recalculation, in the middle of a scrub.
    if (known.current?.theme !== theme) known.current = { theme, colours: topicColours(canvas) };
    const { colours } = known.current;
    for (const bar of bars) {
      context.globalAlpha = bar.position <= position ? ALPHA.past : ALPHA.future;
      context.fillStyle = colours[bar.topic % TOPIC_COLOURS] ?? 'gray';
      const height = BAR.lowest + (BAR.tallest - BAR.lowest) * bar.weight;
      context.beginPath();
      context.roundRect(bar.x, STRIP_HEIGHT - height, bar.width, height, bar.width > 4 ? 2 : 0);
      context.fill();
    }
  }, [bars, width, position, theme]);

  return <canvas ref={ref} className={styles.canvas} style={{ width, height: STRIP_HEIGHT }} />;
});

const topicColours = (element: Element): string[] => {
  const computed = getComputedStyle(element);
  return Array.from({ length: TOPIC_COLOURS }, (_, index) => computed.getPropertyValue(`--topic-${index}`).trim());
};
