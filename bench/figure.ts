/** Something measured, beside what it should not exceed and what it would be without the effort. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 'kB' | 'MB' | 'MB/s' | 'turns/s' | 'a turn';
  /** At most this is the goal; null where there is none. */
  readonly goal: number | null;
  /** The same thing done the plain way, in the same run. */
  readonly baseline: { readonly name: string; readonly value: number } | null;
  /** What else was counted on the way. */
  readonly note?: string;
}

const round = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(value < 100 ? 1 : 0));

/** One line for a person: the figure, whether it is within its goal, and how it compares. */
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
