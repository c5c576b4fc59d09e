import type { Frame, Weight } from './film.ts';

/** A bar of the strip, in pixels from the left. */
export interface Bar {
  readonly x: number;
  readonly width: number;
  readonly topic: number;
  readonly weight: Weight;
  /** Place (from 1) of the last turn it stands for. */
  readonly position: number;
}

/** Widest a turn's bar may be, and narrowest that still reads as a bar, gap included; pixels. */
export const WIDEST = 72;
const NARROWEST = 3;
const GAP = 2;
const RANK: Record<Weight, number> = { continue: 0, branch: 1, topic: 2 };

/** How wide the strip is drawn: all the room, unless there are only a few turns. */
export const stripWidth = (turns: number, room: number): number => Math.min(room, turns * WIDEST);

/**
 * The bars for a width in pixels. Where turns are more than there is room for bars, a bar stands for
 * several, and shows the one that changed the forest most.
 */
export const barsOf = (frames: readonly Frame[], width: number): Bar[] => {
  if (frames.length === 0 || width <= 0) return [];
  const count = Math.max(1, Math.min(frames.length, Math.floor(width / NARROWEST)));
  const pitch = width / count;
  const gap = Math.min(GAP, pitch / 3);
  return Array.from({ length: count }, (_, index) => {
    const first = Math.floor((index * frames.length) / count);
    const end = Math.floor(((index + 1) * frames.length) / count);
    const shown = frames.slice(first, end).reduce((a, b) => (RANK[b.weight] > RANK[a.weight] ? b : a));
    return { x: index * pitch, width: pitch - gap, topic: shown.topic, weight: shown.weight, position: end };
  });
};
