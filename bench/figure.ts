/** A measurement, with its goal and a baseline for comparison. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 'kB' | 'MB' | 'MB/s' | 'turns/s' | 'a turn';
  /** Upper limit to aim for; null if there is none. */
  readonly goal: number | null;
  /** The same task done the naive way, in the same run. */
  readonly baseline: { readonly name: string; readonly value: number } | null;
  /** Anything else that was counted along the way. */
  readonly note?: string;
}

const round = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(value < 100 ? 1 : 0));

/** Formats a figure as one line: its value, whether it meets its goal, and how it compares to the baseline. */
export const lineOf = ({ name, value, unit, goal, baseline, note }: Figure): string => {
  const within = goal === null ? '' : ` · goal ${Number(goal.toFixed(1))} ${unit} ${value <= goal ? '✓' : '✗'}`;
  const ratio =
    baseline === null
      ? ''
      : ` · ${baseline.name}: ${round(baseline.value)} ${unit}${value === 0 ? '' : `, ${round(baseline.value / value)}×`}`;
  return `  ${name}: ${round(value)} ${unit}${within}${ratio}${note === undefined ? '' : ` · ${note}`}`;
};

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** @param share 0–1 */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
};
