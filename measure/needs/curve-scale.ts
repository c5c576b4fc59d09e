import { BUDGETS } from '../../src/features/evaluate/needs/sizes.ts';

/** Where the picture of one curve stands, in user units of its SVG. */
export const PANEL = { width: 300, height: 190, left: 34, right: 10, top: 26, bottom: 26 } as const;

const LEAST = BUDGETS[0];
const MOST = 150;

/** Budgets lie as far apart as their ratios: a policy that sends little differs there. */
export const xOf = (percent: number): number => {
  const share = Math.log(Math.min(MOST, Math.max(LEAST, percent)) / LEAST) / Math.log(MOST / LEAST);
  return PANEL.left + share * (PANEL.width - PANEL.left - PANEL.right);
};

/** Of a share, from 0 to 1. */
export const yOf = (share: number): number =>
  PANEL.height - PANEL.bottom - Math.min(1, Math.max(0, share)) * (PANEL.height - PANEL.top - PANEL.bottom);

export const Y_TICKS = [0, 0.25, 0.5, 0.75, 1] as const;

/** A line through points. */
export const lineThrough = (points: readonly { readonly x: number; readonly y: number }[]): string =>
  points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${xOf(x).toFixed(1)} ${yOf(y).toFixed(1)}`).join('');
