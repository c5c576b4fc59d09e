import type { Timing } from '../../domain/decision.ts';

/** A step on a common time axis; left and width in percent of the whole. */
export interface Lap {
  readonly step: string;
  readonly ms: number;
  readonly left: number;
  readonly width: number;
}

/** Milliseconds from the first step's beginning to the last one's end. */
export const span = (timings: readonly Timing[]): number =>
  timings.length === 0 ? 0 : endOf(timings) - beginningOf(timings);

export const waterfall = (timings: readonly Timing[]): Lap[] => {
  const begin = beginningOf(timings);
  const whole = span(timings) || 1;
  return timings.map(({ step, start, ms }) => ({
    step,
    ms,
    left: (100 * (start - begin)) / whole,
    width: (100 * ms) / whole,
  }));
};

const beginningOf = (timings: readonly Timing[]): number => Math.min(...timings.map(({ start }) => start));
const endOf = (timings: readonly Timing[]): number => Math.max(...timings.map(({ start, ms }) => start + ms));
