import type { Frame, Weight } from './film.ts';

/** A bar of the strip, in pixels from the left. */
export interface Bar {
  readonly x: number;
  readonly width: number;
  readonly topic: number;
  /** How much its turns changed the forest, on average: 0 (they went on) to 1 (new topics). */
  readonly weight: number;
  /** Place (from 1) of the last turn it stands for. */
  readonly position: number;
}

/** Widest a turn's bar may be, and narrowest that still reads as a bar, gap included; pixels. */
const WIDEST = 72;
const NARROWEST = 2;
const GAP = 2;
const WEIGHT: Record<Weight, number> = { continue: 0, branch: 0.5, topic: 1 };

/** How wide the strip is drawn: all the room, unless there are only a few turns. */
export const stripWidth = (turns: number, room: number): number => Math.min(room, turns * WIDEST);

/**
 * The bars for a width in pixels. Where turns are more than there is room for bars, a bar stands for
 * several: in the colour of the topic that most of them belong to.
 */
export const barsOf = (frames: readonly Frame[], width: number): Bar[] => {
  if (frames.length === 0 || width <= 0) return [];
  const count = Math.max(1, Math.min(frames.length, Math.floor(width / NARROWEST)));
  const pitch = width / count;
  const gap = pitch > 2 * GAP ? GAP : 0;
  return Array.from({ length: count }, (_, index) => {
    const first = Math.floor((index * frames.length) / count);
    const end = Math.floor(((index + 1) * frames.length) / count);
    const shown = frames.slice(first, end);
    const weight = shown.reduce((sum, frame) => sum + WEIGHT[frame.weight], 0) / shown.length;
    return { x: index * pitch, width: pitch - gap, topic: mostCommonTopic(shown), weight, position: end };
  });
};

const mostCommonTopic = (frames: readonly Frame[]): number => {
  const turns = new Map<number, number>();
  for (const { topic } of frames) turns.set(topic, (turns.get(topic) ?? 0) + 1);
  return [...turns].reduce((a, b) => (b[1] > a[1] ? b : a))[0];
};
