import { count } from '../numbers.ts';
import { linear, ticks } from './scale.ts';
import type { Series } from './series.ts';

/** Round levels up to the most tokens that any of the lines has. */
export const tokenLevels = (series: readonly Series[]): readonly number[] =>
  ticks(series.reduce((high, { values }) => values.reduce<number>((top, one) => Math.max(top, one ?? 0), high), 0));

/** Where the levels are drawn, and what stands beside them. */
export const drawnLevels = (
  levels: readonly number[],
  { top, bottom }: { readonly top: number; readonly bottom: number },
): { readonly y: number; readonly words: string }[] => {
  const y = linear([0, levels.at(-1) ?? 1], [bottom, top]);
  return levels.map((value) => ({ y: y(value), words: axisWords(value) }));
};

/** `150 k`: there is little room beside the axis. */
const axisWords = (tokens: number): string => (tokens < 10_000 ? count(tokens) : `${count(tokens / 1000)} k`);
